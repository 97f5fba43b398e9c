// The supersteps of a GPU, for the programs of the file that includes this. Only nvcc reads it.
#pragma once

#include <algorithm>

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/cuda_executor_pull.cuh"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/operators/push_dense_cuda.cuh"
#include "millrace/operators/push_sparse_cuda.cuh"
#include "millrace/operators/vertex_map_cuda.cuh"

namespace millrace {

template <class Program>
Direction CudaExecutor::choose(const Frontier& frontier, const Program& program) {
  few_rows_.reset();
  if (frontier.empty()) return Direction::push;
  const std::uint32_t segments = graph_.cuda_pages().table(graph_.set(pulled())).num_segments();
  if constexpr (searches<Program>)
    if (!knows_open_rows<Program>() && counts_open_rows(frontier)) {
      const cuda::OpenRows open = count_open_rows(program);
      open_rows_ = open.rows;
      open_edges_ = open.edges;
      open_program_ = &typeid(Program);
    }
  CudaDirectionInputs inputs{
      .frontier_size = share_of(frontier.size()),
      .frontier_edges = share_of(frontier.num_edges()),
      .num_rows = graph_.num_rows(pulled()),
      .num_vertices = graph_.num_vertices(),
      .open_rows = open_rows_,
      .looks = takes_first<Program> ? expected_looks(frontier.num_edges()) : share_of(graph_.num_edges()),
      .few_open = takes_first<Program> && searches_few(frontier, segments, open_rows_),
      .stops_early = takes_first<Program>,
      .segments = segments,
      .near = near_};
  if constexpr (cuda::pulls_few<Program>)
    if (counts_open_rows(frontier)) {
      const cuda::OpenRows open = count_open_rows(program);
      few_rows_ = gathers_few(open);
      if (*few_rows_) {
        inputs.few_open = true;
        inputs.open_rows = open.rows;
        inputs.looks = open.edges;
      }
    }
  if (may_spread<Program>()) inputs.looks /= 2;  // there are more active sources all the time
  if (!graph_.placement().resident) {
    const CudaRates& rates = gpu_.rates();
    // Less than it takes to find pages.
    if (pushes_far_rows(frontier) && *push_far_seconds_ < rates.finding_pages) return Direction::push;
    if (!push_pages_) find_push_pages(frontier);
    find_pull_pages(program);
    const auto push = graph_.cuda_pages().traffic_of(graph_.set(pushed()), *push_pages_);
    const auto pull = graph_.cuda_pages().traffic_of(graph_.set(pulled()), *pull_pages_);
    inputs.push_bytes = push.loaded_bytes;
    inputs.pull_bytes = pull.loaded_bytes;
    inputs.push_disk_bytes = push.disk_bytes;
    inputs.pull_disk_bytes = pull.disk_bytes;
    // Rows that are read alone take the link for as long as so many bytes.
    if (pushes_far_rows(frontier)) inputs.push_bytes = static_cast<std::uint64_t>(*push_far_seconds_ * rates.link);
    if (pulls_far_rows(frontier, program)) {
      inputs.pull_bytes = static_cast<std::uint64_t>(*pull_far_seconds_ * rates.link);
      inputs.few_open = true;
    }
  }
  return choose_cuda_direction(inputs, gpu_.rates());
}

template <class Program>
void CudaExecutor::push(const Frontier& frontier, const Program& program, bool go_on, Frontier& next, Superstep& step,
                        std::vector<PassCounts>& counts) {
  const ProfileRange range("push");
  if (pushes_sparse<Program>(frontier)) {
    const Stopwatch watch;
    std::uint64_t rows = frontier.size(), edges = 0;
    push_sparse(frontier, program, go_on, next, counts);
    if (graph_.placement().resident) return;
    for (const PassCounts& pass : counts) rows += pass.joined, edges += pass.edges;
    rows -= counts.back().joined;  // they are not read yet
    slow_down_rows(rows, edges, watch);
    return;
  }
  make_bitmap(next);
  if (receives_at_once<Program>) gpu_.set_bytes(words_of(*next.storage_), 0, next.storage_->bitmap.bytes());
  const cuda::PushBuffers<Program> buffers = push_buffers<Program>(next, everyone());
  counts.push_back(send_dense(frontier, program, buffers, step));
  if (!receives_at_once<Program>) close_chunk(program, buffers);
  counts.back() += await_counts();
}

template <class Program>
cuda::PushBuffers<Program> CudaExecutor::push_buffers(Frontier& next, VertexRange targets) {
  using Value = cuda::DeviceInbox<Program>;
  static_assert(sizeof(Value) <= sizeof(std::uint64_t));
  const bool waits = far() || !receives_at_once<Program>;
  const std::uint64_t room = far() ? chunk_ : graph_.num_vertices();
  if (waits) make_inbox(room * (far() ? sizeof(std::uint64_t) : sizeof(Value)));
  auto* const inbox = reinterpret_cast<Value*>(inbox_.data());
  if (waits && inbox_program_ != &typeid(Program)) {
    const Value nothing = nothing_pending<Program>();
    device_.fill(inbox, &nothing, sizeof nothing, room);
    inbox_program_ = &typeid(Program);
  }
  return {.inbox = inbox,
          .touched = touched_.data(),
          .targets = targets_.data(),
          .next = next.storage_->queue.storage().data(),
          .next_bits = words_of(*next.storage_),
          .first = static_cast<VertexId>(targets.first),
          .count = static_cast<std::uint32_t>(targets.size()),
          .far = far(),
          .out_degree = degrees(),
          .items = items_.data(),
          .cursors = cursors_.data(),
          .counts = counts_.data()};
}

template <class Program>
PassCounts CudaExecutor::send_dense(const Frontier& frontier, const Program& program,
                                    const cuda::PushBuffers<Program>& buffers, Superstep& step, bool beside_others) {
  const std::size_t set = graph_.set(pushed());
  const bool all = frontier.form() == Frontier::Form::all;
  const std::uint32_t* const bits = all ? nullptr : bitmap_of(frontier);
  const CudaPages::Launch launch = [&](const PageSpan& span, CUstream_st* stream) {
    send(span, stream, program, bits, buffers);
  };
  CudaPages& pages = graph_.cuda_pages();
  const bool some = !pages.placement().resident && !all;
  if (some && !push_pages_) find_push_pages(frontier);
  const std::vector<std::uint32_t> needed = some ? *std::exchange(push_pages_, {}) : std::vector<std::uint32_t>{};
  CudaPages::Traffic traffic;
  PassCounts helped_counts;
  bool helps = false;
  if constexpr (may_be_helped<Program>) {
    // Messages that were combined are absorbed, which others must not do at the same time.
    helps = !(receives_at_once<Program> && beside_others) &&
            is_helped<Program>(set, some ? &needed : nullptr, Direction::push);
    if (helps) {
      HelpedPush<Program> helped(*help_, gpu_, pages.host_pages(set), graph_.num_vertices(), program, bits, buffers);
      const HelpOptions& options = help_->options();
      traffic = pages.with_help(set, some ? &needed : nullptr, launch, {helped, options.share, options.order});
      helped_counts = helped.counts;
      step.phases.help = helped.busy;
      learn_help(typeid(HelpedPush<Program>), traffic.helped_bytes, helped.busy);
    }
  }
  if (!helps) traffic = some ? pages.for_some(set, needed, launch) : pages.for_all(set, launch);
  step.loaded_bytes = traffic.loaded_bytes;
  step.cached_bytes = traffic.cached_bytes;
  step.disk_bytes = traffic.disk_bytes;
  step.helped_bytes = traffic.helped_bytes;
  forget_pages();
  return helped_counts;
}

template <class Program, class Speaks>
void CudaExecutor::launch_push(const PageSpan& span, CUstream_st* stream, const Program& program, const Speaks& speaks,
                               const cuda::PushBuffers<Program>& buffers) {
  if (span.num_hub_slices > 0)
    cuda::push_hubs_kernel<<<span.num_hub_slices * cuda::blocks_per_hub_slice, block_threads, 0, stream>>>(
        span, program, speaks, buffers);
  if (span.num_blocks > 0)
    cuda::push_dense_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, program, speaks, buffers);
  MILLRACE_CUDA(cudaGetLastError());
}

template <class Program>
cuda::PushBuffers<Program> CudaExecutor::open_chunk(VertexRange targets, Frontier& next) {
  return push_buffers<Program>(next, targets);
}

template <class Program>
void CudaExecutor::send(const PageSpan& span, CUstream_st* stream, const Program& program, const std::uint32_t* bits,
                        const cuda::PushBuffers<Program>& buffers) {
  if (bits)
    launch_push(span, stream, program, cuda::BitmapSpeaks{bits}, buffers);
  else
    launch_push(span, stream, program, cuda::AllSpeak{}, buffers);
}

template <class Program>
void CudaExecutor::close_chunk(const Program& program, const cuda::PushBuffers<Program>& buffers) {
  if (buffers.count == 0) return;
  const auto stay = static_cast<unsigned>(8 * gpu_.info().multiprocessors);
  cuda::deliver_kernel<<<stay, block_threads, 0, gpu_.main_stream()>>>(program, buffers);
  MILLRACE_CUDA(cudaGetLastError());
}

template <class Predicate>
Frontier CudaExecutor::filter(const Predicate& predicate) {
  const ProfileRange range("filter");
  Frontier made = make_frontier(Frontier::Form::bitmap);
  const auto blocks = static_cast<unsigned>(8 * gpu_.info().multiprocessors);
  cuda::filter_kernel<<<blocks, cuda::map_threads, 0, gpu_.main_stream()>>>(own_, predicate, degrees(),
                                                                            words_of(*made.storage_), counts_sender());
  MILLRACE_CUDA(cudaGetLastError());
  return with_counts(std::move(made));
}

template <class Predicate>
Frontier CudaExecutor::filter_bits(const std::uint32_t* among, const Predicate& predicate) {
  const ProfileRange range("filter");
  Frontier made = make_frontier(Frontier::Form::bitmap);
  const auto blocks = static_cast<unsigned>(8 * gpu_.info().multiprocessors);
  cuda::filter_bits_kernel<<<blocks, cuda::map_threads, 0, gpu_.main_stream()>>>(
      among, own_, predicate, degrees(), words_of(*made.storage_), counts_sender());
  MILLRACE_CUDA(cudaGetLastError());
  return with_counts(std::move(made));
}

template <class Predicate>
Frontier CudaExecutor::filter_in(const Frontier& frontier, const Predicate& predicate) {
  if (far()) return filter_bits(bitmap_of(frontier), predicate);
  const ProfileRange range("filter");
  const VertexId* const queue = queue_of(frontier);
  Frontier made = make_frontier(Frontier::Form::queue);
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(
      frontier.size() / cuda::map_threads, 1, static_cast<std::uint64_t>(8 * gpu_.info().multiprocessors)));
  cuda::filter_queue_kernel<<<blocks, cuda::map_threads, 0, gpu_.main_stream()>>>(
      queue, frontier.size(), predicate, degrees(), make_queue(made, frontier.size()).data(), &cursors_.data()->joined,
      counts_sender());
  MILLRACE_CUDA(cudaGetLastError());
  return with_counts(std::move(made));
}

template <class Program>
ChunkPull<Program> CudaExecutor::open_pull(VertexRange targets, std::uint64_t sources) {
  using Message = typename Program::Message;
  make_inbox(chunk_ * sizeof(Message));
  auto* const got = reinterpret_cast<Message*>(inbox_.data());
  if (inbox_program_ != &typeid(ChunkPull<Program>)) {
    const Message nothing = nothing_pending<Program>();
    device_.fill(got, &nothing, sizeof nothing, chunk_);
    inbox_program_ = &typeid(ChunkPull<Program>);
  }
  if (sent_.bytes() < sources * sizeof(Message)) {
    sent_ = {};
    sent_ = CudaArray<std::byte>(gpu_, sources * sizeof(Message), "messages of sources");
  }
  return {.sent = reinterpret_cast<Message*>(sent_.data()),
          .got = got,
          .first_target = static_cast<VertexId>(targets.first),
          .num_targets = static_cast<std::uint32_t>(targets.size())};
}

template <class Program>
void CudaExecutor::pull_pages(const ChunkPull<Program>& chunk, const PageSpan& span, CUstream_st* stream) {
  if (span.num_blocks == 0) return;
  cuda::pull_kernel<<<span.num_blocks, block_threads, 0, stream>>>(
      span, chunk, cuda::AllSpeak{}, cuda::PullOutput{.pieces = pieces_.data(), .counts = counts_.data()});
  MILLRACE_CUDA(cudaGetLastError());
}

template <class Body>
void CudaExecutor::vertex_map(Body body) {
  const ProfileRange range("vertex_map");
  map_range(own_, body);
}

template <class T, class Map, class CombineValues>
T CudaExecutor::reduce(T identity, Map map, CombineValues combine_values) {
  const ProfileRange range("reduce");
  if (parts_.bytes() < cuda::reduce_blocks * sizeof(T))
    parts_ = CudaArray<std::byte>(gpu_, cuda::reduce_blocks * sizeof(T), "parts of a reduction");
  const std::uint64_t letter = gpu_.next_letter();
  cuda::reduce_kernel<<<cuda::reduce_blocks, cuda::map_threads, 0, gpu_.main_stream()>>>(
      own_, identity, map, combine_values, reinterpret_cast<T*>(parts_.data()), blocks_done_.data(), gpu_.mailbox(),
      letter);
  MILLRACE_CUDA(cudaGetLastError());
  gpu_.await_letter(letter);
  return gpu_.letter<T>();
}

}  // namespace millrace
