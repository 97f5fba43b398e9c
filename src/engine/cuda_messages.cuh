// What a GPU does with the messages of a program that wait: in the inbox of a push, in chunks of far attributes, and
// where several devices keep them for each other. Only nvcc reads it.
#pragma once

#include <algorithm>

#include "millrace/engine/cuda_vertex_work.cuh"
#include "millrace/engine/exchange_cuda.cuh"
#include "millrace/operators/chunk_pull.h"
#include "millrace/operators/deliver_cuda.cuh"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/operators/push_dense_cuda.cuh"

namespace millrace {

template <class Given>
class CudaMessages {
 public:
  using Program = Carried<Given>;
  using Buffers = cuda::PushBuffers<Program>;

  // The inbox, and what finds targets again: queues in a push by rows, bits in one over pages.
  static cuda::PushRoom open_inbox(Executor& executor, VertexRange targets, Frontier& next) {
    using Value = cuda::DeviceInbox<Program>;
    static_assert(sizeof(Value) <= sizeof(std::uint64_t));
    CudaExecutor& on = at(executor);
    const bool waits = on.far() || !receives_at_once<Program>;
    const std::uint64_t room = on.far() ? on.chunk_ : on.graph_.num_vertices();
    if (waits) on.make_inbox(room * (on.far() ? sizeof(std::uint64_t) : sizeof(Value)));
    if (waits && on.inbox_program_ != &typeid(Program)) {
      const Value nothing = nothing_pending<Program>();
      on.device_.fill(on.inbox_.data(), &nothing, sizeof nothing, room);
      on.inbox_program_ = &typeid(Program);
    }
    return {.inbox = on.inbox_.data(),
            .touched = on.touched_.data(),
            .targets = on.targets_.data(),
            .next = next.storage().queue.storage().data(),
            .next_bits = on.words_of(next.storage()),
            .first = static_cast<VertexId>(targets.first),
            .count = static_cast<std::uint32_t>(targets.size()),
            .far = on.far(),
            .out_degree = on.degrees(),
            .items = on.items_.data(),
            .cursors = on.cursors_.data(),
            .counts = on.counts_.data()};
  }

  // Enqueues sending from the rows of a span; `bits`: the active vertices, null where all are.
  static void send(const PageSpan& span, CUstream_st* stream, const Program& program, const std::uint32_t* bits,
                   const cuda::PushRoom& room) {
    if (bits)
      launch_push(span, stream, program, cuda::BitmapActive{bits}, room);
    else
      launch_push(span, stream, program, cuda::AllActive{}, room);
  }

  // The targets whose bits are set absorb.
  static void deliver(Executor& on, const BoundProgram& bound, const cuda::PushRoom& room) {
    if (room.count == 0) return;
    cuda::deliver_kernel<<<blocks(on), block_threads, 0, at(on).gpu_.main_stream()>>>(program_of(bound), Buffers{room});
    MILLRACE_CUDA(cudaGetLastError());
  }

  // ---- far attributes

  static PassCounts push(const std::vector<Executor*>& executors, const BoundProgram& bound, const Frontier& frontier,
                         const std::vector<VertexRange>& chunks, const std::vector<std::uint32_t>& needed,
                         Frontier& next, Superstep& step) {
    const Program program = program_of(bound);
    const bool all = frontier.form() == Frontier::Form::all;
    std::vector<cuda::PushRoom> rooms;
    std::vector<const std::uint32_t*> bits;
    for (std::size_t i = 0; i < executors.size(); ++i) {
      executors[i]->device().select();
      bits.push_back(all ? nullptr : at(*executors[i]).bitmap_of(frontier.on(i)));
      rooms.push_back(open_inbox(*executors[i], chunks[i], next.on(i)));
    }
    const Graph& graph = executors[0]->graph();
    const CudaPages::Traffic traffic = graph.cuda_pages().for_some_on_all(
        graph.set(executors[0]->pushed()), needed, {}, [&](std::size_t i, const PageSpan& span, CUstream_st* stream) {
          send(span, stream, program, bits[i], rooms[i]);
        });
    step.loaded_bytes += traffic.loaded_bytes;
    step.cached_bytes += traffic.cached_bytes;
    step.disk_bytes += traffic.disk_bytes;
    for (std::size_t i = 0; i < executors.size(); ++i) {
      executors[i]->device().select();
      deliver(*executors[i], bound, rooms[i]);
      if (writes_to_others<Program>) executors[i]->device().synchronize();
    }
    return {};  // they are awaited after the last chunk
  }

  static ChunkRoom open_pull(Executor& executor, VertexRange targets, std::uint64_t sources) {
    using Message = typename Given::Message;
    CudaExecutor& on = at(executor);
    on.make_inbox(on.chunk_ * sizeof(Message));
    if (on.inbox_program_ != &typeid(ChunkPull<Given>)) {
      const Message nothing = nothing_pending<Given>();
      on.device_.fill(on.inbox_.data(), &nothing, sizeof nothing, on.chunk_);
      on.inbox_program_ = &typeid(ChunkPull<Given>);
    }
    if (on.sent_.bytes() < sources * sizeof(Message)) {
      on.sent_ = {};
      on.sent_ = CudaArray<std::byte>(on.gpu_, sources * sizeof(Message), "messages of sources");
    }
    return {.sent = on.sent_.data(),
            .got = on.inbox_.data(),
            .first_target = static_cast<VertexId>(targets.first),
            .num_targets = static_cast<std::uint32_t>(targets.size())};
  }
  static void make_messages(Executor& on, const BoundProgram& bound, const ChunkRoom& room, VertexRange sources) {
    CudaVertexWork::map_range(on, sources,
                              MakeMessage<Given>{*static_cast<const Given*>(bound.value), ChunkPull<Given>(room)});
  }
  static void absorb_got(Executor& on, const BoundProgram& bound, const ChunkRoom& room, VertexRange targets) {
    CudaVertexWork::map_range(on, targets,
                              AbsorbGot<Given>{*static_cast<const Given*>(bound.value), ChunkPull<Given>(room)});
  }
  static void pull(Executor& on, const ChunkRoom& room, const PageSpan& span, CUstream_st* stream) {
    if (span.num_blocks == 0) return;
    cuda::pull_kernel<<<span.num_blocks, block_threads, 0, stream>>>(
        span, ChunkPull<Given>(room), cuda::AllActive{},
        cuda::PullOutput{.pieces = at(on).pieces_.data(), .counts = at(on).counts_.data()});
    MILLRACE_CUDA(cudaGetLastError());
  }

  // ---- several devices

  static Frontier absorb(Executor& executor, const BoundProgram& bound, const Messages& from, bool empties) {
    const AbsorbKept<Program> absorb = absorber(bound, from, empties);
    if constexpr (!can_join<Given>) {
      CudaVertexWork::map(executor, absorb);
      return {};
    } else {
      const ProfileRange range("absorb");
      CudaExecutor& on = at(executor);
      Frontier made = on.make_frontier(Frontier::Form::bitmap);
      cuda::absorb_kernel<<<blocks(on), cuda::exchange_threads, 0, on.gpu_.main_stream()>>>(
          absorb, on.own(), on.words_of(made.storage()), on.counts_sender());
      MILLRACE_CUDA(cudaGetLastError());
      return on.with_counts(std::move(made));
    }
  }

  static Frontier absorb_queues(Executor& executor, const BoundProgram& bound, const Messages& from, bool empties) {
    const ProfileRange range("absorb");
    CudaExecutor& on = at(executor);
    Frontier made = on.make_frontier(Frontier::Form::queue);
    std::uint64_t most = 1, all = 0;
    for (std::uint32_t i = 0; i < from.count; ++i) {
      most = std::max(most, from.size[i]);
      all += from.size[i];
    }
    const auto some = static_cast<unsigned>(std::min<std::uint64_t>(
        (most + cuda::exchange_threads - 1) / cuda::exchange_threads, std::uint64_t{blocks(on)}));
    cuda::absorb_queues_kernel<<<some, cuda::exchange_threads, 0, on.gpu_.main_stream()>>>(
        absorber(bound, from, empties), on.degrees(), on.make_queue(made, all).data(), &on.cursors_.data()->joined,
        on.counts_sender());
    MILLRACE_CUDA(cudaGetLastError());
    return on.with_counts(std::move(made));
  }

  static void exchange(Executor& executor, const Messages& messages, VertexRange slice) {
    CudaExecutor& on = at(executor);
    cuda::combine_messages<CombinePending<Given>>(MessagesOf<Pending<Given>>(messages), slice,
                                                  on.gpu_.info().multiprocessors, on.gpu_.main_stream());
  }

  static void clear_shown(Executor& executor, const Frontier& frontier, void* kept) {
    if (frontier.form() != Frontier::Form::queue || frontier.empty()) return;
    CudaExecutor& on = at(executor);
    const auto some = static_cast<unsigned>(
        std::min<std::uint64_t>((frontier.size() + cuda::exchange_threads - 1) / cuda::exchange_threads, 4096));
    cuda::clear_shown_kernel<<<some, cuda::exchange_threads, 0, on.gpu_.main_stream()>>>(
        frontier.storage().queue.begin(), frontier.size(), on.touched_.data(), static_cast<Pending<Given>*>(kept),
        nothing_pending<Given>());
    MILLRACE_CUDA(cudaGetLastError());
  }

  static Frontier deliver_queues(Executor& executor, const BoundProgram& bound, const cuda::PushRoom& inbox,
                                 const cuda::TargetQueues& targets, Frontier next) {
    CudaExecutor& on = at(executor);
    Buffers buffers{inbox};
    buffers.next = on.make_queue(next, targets.all()).data();
    const auto some =
        static_cast<unsigned>(std::clamp<std::uint64_t>(targets.all() / block_threads, 1, std::uint64_t{blocks(on)}));
    cuda::deliver_queues_kernel<<<some, block_threads, 0, on.gpu_.main_stream()>>>(program_of(bound), buffers, targets,
                                                                                   on.counts_sender());
    MILLRACE_CUDA(cudaGetLastError());
    return on.with_counts(std::move(next));
  }

 private:
  static CudaExecutor& at(Executor& executor) { return static_cast<CudaExecutor&>(executor); }
  static unsigned blocks(Executor& on) { return static_cast<unsigned>(8 * at(on).gpu_.info().multiprocessors); }
  static Program program_of(const BoundProgram& bound) {
    return {*static_cast<const Given*>(bound.value), static_cast<Pending<Given>*>(bound.kept)};
  }
  static AbsorbKept<Program> absorber(const BoundProgram& bound, const Messages& from, bool empties) {
    return {program_of(bound), MessagesOf<Pending<Program>>(from), empties};
  }

  template <class Active>
  static void launch_push(const PageSpan& span, CUstream_st* stream, const Program& program, const Active& active,
                          const cuda::PushRoom& room) {
    const Buffers buffers{room};
    if (span.num_hub_slices > 0)
      cuda::push_hubs_kernel<<<span.num_hub_slices * cuda::blocks_per_hub_slice, block_threads, 0, stream>>>(
          span, program, active, buffers);
    if (span.num_blocks > 0)
      cuda::push_dense_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, program, active, buffers);
    MILLRACE_CUDA(cudaGetLastError());
  }
};

}  // namespace millrace
