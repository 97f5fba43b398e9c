// The supersteps of a GPU, for the programs of the file that includes this. Only nvcc reads it.
#pragma once

#include <algorithm>

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/operators/flag_pages_cuda.cuh"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/operators/pull_cuda.cuh"
#include "millrace/operators/push_cuda.cuh"
#include "millrace/operators/search_cuda.cuh"
#include "millrace/operators/vertex_map_cuda.cuh"

namespace millrace {

// As cuda_executor.cpp allocates them.
static_assert(sizeof(cuda::CountsLine) * cuda::counts_lines == 128 * 8 * 8 && sizeof(cuda::HubPiece) == 16 &&
              sizeof(cuda::PushCursors) == 6 * 8 && sizeof(cuda::RowItem) == 3 * 4);

template <class Program>
Direction CudaExecutor::choose(const Frontier& frontier, const Program& program) {
  if (frontier.empty()) return Direction::push;
  CudaDirectionInputs inputs{.frontier_size = frontier.size(),
                             .frontier_edges = frontier.num_edges(),
                             .num_rows = graph_.num_rows(Orientation::in),
                             .open_rows = open_rows_,
                             .looks = takes_first<Program> ? expected_looks(frontier.num_edges()) : graph_.num_edges(),
                             .few_open = takes_first<Program> && few_are_open() && graph_.shares_pages()};
  if (!graph_.placement().resident) {
    find_push_pages(frontier);
    find_pull_pages(program);
    inputs.push_bytes = graph_.cuda_pages().bytes_to_load(graph_.set(Orientation::out), *push_pages_);
    inputs.pull_bytes = graph_.cuda_pages().bytes_to_load(graph_.set(Orientation::in), *pull_pages_);
  }
  return choose_cuda_direction(inputs);
}

template <class Program>
void CudaExecutor::find_pull_pages(const Program& program) {
  const std::size_t set = graph_.set(Orientation::in);
  const std::uint32_t num_pages = graph_.cuda_pages().num_pages(set);
  const std::uint32_t* const row_degrees = graph_.shares_pages() ? degrees() : nullptr;
  flags_.zero();
  cuda::flag_pages(graph_.cuda_pages().spots(set), num_pages, graph_.num_vertices(),
                   cuda::Wanting<Program>{program, row_degrees}, flags_.data(), device_.main_stream());
  MILLRACE_CUDA(cudaGetLastError());
  pull_pages_ = flagged_pages(num_pages);
}

template <class Program>
PassCounts CudaExecutor::pull_from(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step) {
  const ProfileRange range("pull");
  const std::size_t set = graph_.set(Orientation::in);
  CudaPages& pages = graph_.cuda_pages();
  const cuda::PullOutput output{.next = next.storage_->cuda_bitmap.data(),
                                .out_degree = degrees(),
                                .rows_go_out = graph_.shares_pages(),
                                .pieces = reinterpret_cast<cuda::HubPiece*>(pieces_.data()),
                                .counts = reinterpret_cast<cuda::CountsLine*>(counts_.data())};
  // Warps that search stay until all is done: as many as the GPU holds.
  const auto stay = static_cast<unsigned>(4 * device_.info().multiprocessors);
  const auto run = [&](const auto& speaks) {
    if constexpr (takes_first<Program>) {
      // The row index serves pushes; a graph whose pages serve both orientations has it for pulls as well.
      if (few_are_open() && graph_.shares_pages())
        if (const cuda::RowSpot* rows = pages.rows(set)) {
          cuda::search_few_kernel<<<stay, block_threads, 0, device_.main_stream()>>>(
              pages.whole(set), rows, graph_.num_vertices(), program, speaks, output);
          MILLRACE_CUDA(cudaGetLastError());
          return CudaPages::Traffic{};
        }
    }
    const CudaPages::Launch launch = [&](const PageSpan& span, CUstream_st* stream) {
      if (span.num_blocks == 0) return;
      if constexpr (takes_first<Program>)
        cuda::search_kernel<<<std::min(stay, (span.num_blocks + 3) / 4), block_threads, 0, stream>>>(span, program,
                                                                                                     speaks, output);
      else
        cuda::pull_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, program, speaks, output);
      MILLRACE_CUDA(cudaGetLastError());
    };
    constexpr bool may_skip = requires { program.wants(VertexId{}); };
    if (pages.placement().resident || !may_skip) return pages.for_all(set, launch);
    if (!pull_pages_) find_pull_pages(program);
    return pages.for_some(set, *std::exchange(pull_pages_, {}), launch);
  };
  const CudaPages::Traffic traffic =
      frontier.form() == Frontier::Form::all ? run(cuda::AllSpeak{}) : run(cuda::BitmapSpeaks{bitmap_of(frontier)});
  step.loaded_bytes = traffic.loaded_bytes;
  step.cached_bytes = traffic.cached_bytes;
  forget_pages();
  PassCounts counts = await_counts();
  if constexpr (takes_first<Program>) {
    open_rows_ = counts.open_rows;
    open_edges_ = counts.open_edges;
  } else if (frontier.form() == Frontier::Form::all && !cuda::pull_counts<Program, cuda::AllSpeak>) {
    counts.edges = graph_.num_edges();
    counts.bytes = traffic.loaded_bytes + traffic.cached_bytes;
  }
  return counts;
}

template <class Program>
void CudaExecutor::push_from(const Frontier& frontier, const Program& program, bool go_on, Frontier& next,
                             Superstep& step, std::vector<PassCounts>& counts) {
  const ProfileRange range("push");
  if (frontier.form() == Frontier::Form::all) {
    counts.push_back(push_dense(frontier, program, cuda::AllSpeak{}, next, step));
    return;
  }
  const std::uint32_t item_edges = cuda::min_item_edges(graph_.cuda_pages().largest_page());
  const bool few = frontier.num_edges() / item_edges < max_items() && degrees() != nullptr;
  if (few && graph_.cuda_pages().rows(graph_.set(Orientation::out)) != nullptr)
    push_sparse(frontier, program, go_on, next, counts);
  else
    counts.push_back(push_dense(frontier, program, cuda::BitmapSpeaks{bitmap_of(frontier)}, next, step));
}

template <class Program>
cuda::PushBuffers<Program> CudaExecutor::push_buffers(Frontier& next) {
  using Value = cuda::DeviceInbox<Program>;
  make_push_scratch(graph_.num_vertices() * sizeof(Value));
  auto* const inbox = reinterpret_cast<Value*>(inbox_.data());
  if (inbox_type_ != &typeid(Program)) {
    const Value nothing = nothing_pending<Program>();
    device_.fill(inbox, &nothing, sizeof nothing, graph_.num_vertices());
    inbox_type_ = &typeid(Program);
  }
  return {.inbox = inbox,
          .touched = touched_.data(),
          .targets = targets_.data(),
          .next = next.storage_->cuda_queue.data(),
          .next_bits = next.form() == Frontier::Form::bitmap ? next.storage_->cuda_bitmap.data() : nullptr,
          .num_vertices = graph_.num_vertices(),
          .out_degree = degrees(),
          .items = reinterpret_cast<cuda::RowItem*>(items_.data()),
          .cursors = reinterpret_cast<cuda::PushCursors*>(cursors_.data()),
          .counts = reinterpret_cast<cuda::CountsLine*>(counts_.data())};
}

template <class Program>
void CudaExecutor::push_sparse(const Frontier& frontier, const Program& program, bool go_on, Frontier& next,
                               std::vector<PassCounts>& counts) {
  // More edges than these are worth asking whether to pull.
  constexpr std::uint64_t small_frontier = 32768;
  constexpr std::uint64_t small_blocks = 64;
  // With more edges than one to so many vertices, targets lie dense enough to be delivered in order of vertices.
  constexpr std::uint64_t many_targets = 4;
  const std::size_t set = graph_.set(Orientation::out);
  PageSpan span = graph_.cuda_pages().whole(set);
  const cuda::RowSpot* rows = graph_.cuda_pages().rows(set);
  VertexId* queue = queue_of(frontier);
  std::uint64_t size = frontier.size();
  Program copy = program;
  if (frontier.num_edges() > graph_.num_vertices() / many_targets) make_bitmap(next);
  cuda::PushBuffers<Program> buffers = push_buffers<Program>(next);
  // Several supersteps overwrite the frontier they began with: not where someone else has it too.
  const bool several =
      go_on && frontier.num_edges() <= small_frontier && !buffers.next_bits && frontier.storage_.use_count() <= 2;
  cuda::PushLimits limits{several ? max_supersteps : 1, small_frontier};
  Mailbox mailbox = device_.mailbox();
  std::uint64_t letter = device_.next_letter();

  static int resident_blocks = 0;  // per multiprocessor
  if (resident_blocks == 0)
    MILLRACE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident_blocks, cuda::push_sparse_kernel<Program>,
                                                                static_cast<int>(block_threads), 0));
  // A thread for each source, or a warp for some dozens of edges.
  const std::uint64_t work = std::max(size, frontier.num_edges() / 2);
  const std::uint64_t most =
      static_cast<std::uint64_t>(resident_blocks) * static_cast<std::uint64_t>(device_.info().multiprocessors);
  const auto blocks = static_cast<unsigned>(
      std::min(std::max((work + block_threads - 1) / block_threads, several ? small_blocks : 1), most));
  void* arguments[] = {&span, &rows, &queue, &size, &copy, &buffers, &limits, &mailbox, &letter};
  MILLRACE_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(cuda::push_sparse_kernel<Program>),
                                            dim3(blocks), dim3(block_threads), arguments, 0, device_.main_stream()));
  device_.await_letter(letter);

  struct Letter {
    std::uint64_t supersteps;
    std::uint64_t numbers[max_supersteps][3];
  };
  const Letter read = device_.letter<Letter>();
  for (std::uint64_t i = 0; i < read.supersteps; ++i)
    counts.push_back({.edges = read.numbers[i][0], .joined = read.numbers[i][1], .joined_edges = read.numbers[i][2]});
  // Two queues take turns; the last superstep wrote to one of them.
  if (read.supersteps % 2 == 0) next.storage_->cuda_queue.swap(frontier.storage_->cuda_queue);
}

template <class Program, class Speaks>
PassCounts CudaExecutor::push_dense(const Frontier& frontier, const Program& program, const Speaks& speaks,
                                    Frontier& next, Superstep& step) {
  const std::size_t set = graph_.set(Orientation::out);
  make_bitmap(next);
  const cuda::PushBuffers<Program> buffers = push_buffers<Program>(next);
  const CudaPages::Launch launch = [&](const PageSpan& span, CUstream_st* stream) {
    if (span.num_hub_slices > 0)
      cuda::push_hubs_kernel<<<span.num_hub_slices * cuda::blocks_per_hub_slice, block_threads, 0, stream>>>(
          span, program, speaks, buffers);
    if (span.num_blocks > 0)
      cuda::push_dense_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, program, speaks, buffers);
    MILLRACE_CUDA(cudaGetLastError());
  };
  CudaPages& pages = graph_.cuda_pages();
  CudaPages::Traffic traffic;
  if (pages.placement().resident || frontier.form() == Frontier::Form::all) {
    traffic = pages.for_all(set, launch);
  } else {
    if (!push_pages_) find_push_pages(frontier);
    traffic = pages.for_some(set, *std::exchange(push_pages_, {}), launch);
  }
  step.loaded_bytes = traffic.loaded_bytes;
  step.cached_bytes = traffic.cached_bytes;
  forget_pages();
  const auto stay = static_cast<unsigned>(8 * device_.info().multiprocessors);
  cuda::deliver_kernel<<<stay, block_threads, 0, device_.main_stream()>>>(program, buffers);
  MILLRACE_CUDA(cudaGetLastError());
  return await_counts();
}

template <class Body>
void CudaExecutor::vertex_map(Body body) {
  const ProfileRange range("vertex_map");
  if (graph_.num_vertices() == 0) return;
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>((graph_.num_vertices() + cuda::map_threads - 1) / cuda::map_threads, 1u << 20));
  cuda::vertex_map_kernel<<<blocks, cuda::map_threads, 0, device_.main_stream()>>>(graph_.num_vertices(), body);
  MILLRACE_CUDA(cudaGetLastError());
}

template <class T, class Map, class CombineValues>
T CudaExecutor::reduce(T identity, Map map, CombineValues combine_values) {
  const ProfileRange range("reduce");
  if (parts_.bytes() < cuda::reduce_blocks * sizeof(T))
    parts_ = CudaArray<std::byte>(device_, cuda::reduce_blocks * sizeof(T), "parts of a reduction");
  const std::uint64_t letter = device_.next_letter();
  cuda::reduce_kernel<<<cuda::reduce_blocks, cuda::map_threads, 0, device_.main_stream()>>>(
      graph_.num_vertices(), identity, map, combine_values, reinterpret_cast<T*>(parts_.data()), blocks_done_.data(),
      device_.mailbox(), letter);
  MILLRACE_CUDA(cudaGetLastError());
  device_.await_letter(letter);
  return device_.letter<T>();
}

}  // namespace millrace
