// A GPU's pushes from few vertices, whose rows are found one by one. Only nvcc reads it.
#pragma once

#include "millrace/engine/cuda_executor.cuh"

namespace millrace {

template <class Program>
bool CudaExecutor::pushes_sparse(const Frontier& frontier) {
  // Many vertices are not worth a queue, unless they are one already.
  const bool few = frontier.form() == Frontier::Form::queue || receives_at_once<Program> ||
                   graph_.supersteps().long_queues > 0 || frontier.size() <= queue_capacity();
  if (frontier.form() == Frontier::Form::all || !few || !degrees() || far()) return false;
  return graph_.cuda_pages().can_find_rows() ? items_fit(frontier) : pushes_far_rows(frontier);
}

// Along so many edges, targets are delivered in order of vertices: with one target in 32 vertices, each cache line of
// an attribute has about one.
template <class Program>
bool CudaExecutor::finds_targets_by_bits(const Frontier& frontier) const {
  return !receives_at_once<Program> &&
         frontier.num_edges() > std::min(queue_capacity(), std::max(graph_.num_vertices() / lanes, small_frontier));
}

template <class Program>
void CudaExecutor::push_sparse(const Frontier& frontier, const Program& program, bool go_on, Frontier& next,
                               std::vector<PassCounts>& counts) {
  // More edges than these are worth asking whether to pull; later where messages are received at once, and a push is
  // cheaper.
  constexpr std::uint64_t small = receives_at_once<Program> ? 4 * small_frontier : small_frontier;
  const bool by_bits = finds_targets_by_bits<Program>(frontier);
  VertexId* queue = queue_of(frontier);
  if (by_bits) {
    make_bitmap(next);
    const cuda::PushBuffers<Program> buffers = push_buffers<Program>(next, everyone());
    const std::uint64_t letter =
        launch_sparse(queue, frontier, program, buffers, {.supersteps = 1, .edges = 0, .delivers = false}, by_bits);
    close_chunk(program, buffers);
    await_sparse(letter, counts);
    const PassCounts delivered = await_counts();
    counts.back().joined = delivered.joined;
    counts.back().joined_edges = delivered.joined_edges;
    return;
  }
  // Several supersteps overwrite the frontier they began with: not where someone else has it too.
  const bool several = go_on && frontier.num_edges() <= small && frontier.storage_.use_count() <= 2;
  const cuda::PushLimits limits{.supersteps = several ? max_supersteps : 1, .edges = std::min(small, max_item_edges())};
  // No superstep has more targets than edges, and it goes on from no frontier with more than the limit.
  const std::uint64_t room = several ? std::max(frontier.num_edges(), limits.edges) : frontier.num_edges();
  if (several) {
    // A queue that grows with its vertices takes the room of two: that of the other is given back before.
    if (!has_room(frontier.storage_->queue.storage(), room)) next.storage_->queue.storage() = {};
    queue = make_queue(frontier, room, frontier.size()).data();
  }
  make_queue(next, room);
  if (!receives_at_once<Program>) grow(targets_, room, 0, "push targets");
  const std::uint64_t letter =
      launch_sparse(queue, frontier, program, push_buffers<Program>(next, everyone()), limits, by_bits);
  // Two queues take turns; the last superstep wrote to one of them.
  if (await_sparse(letter, counts) % 2 == 0) next.storage_->queue.storage().swap(frontier.storage_->queue.storage());
}

template <class Program>
cuda::PushBuffers<Program> CudaExecutor::counting(cuda::PushBuffers<Program> buffers) {
  buffers.cursors = cursors_.data();
  buffers.counts = counts_.data();
  return buffers;
}

template <class Program>
std::uint64_t CudaExecutor::send_sparse(const Frontier& frontier, const Program& program,
                                        cuda::PushBuffers<Program> buffers, bool by_bits, Frontier& joined) {
  buffers = counting(buffers);
  if constexpr (receives_at_once<Program>) {
    buffers.next = make_queue(joined, frontier.num_edges()).data();
  } else if (!by_bits) {
    grow(targets_, frontier.num_edges(), 0, "push targets");
    buffers.targets = targets_.data();
  }
  return launch_sparse(queue_of(frontier), frontier, program, buffers, {.supersteps = 1, .edges = 0, .delivers = false},
                       by_bits);
}

template <class Program>
std::uint64_t CudaExecutor::launch_sparse(VertexId* queue, const Frontier& frontier, Program program,
                                          cuda::PushBuffers<Program> buffers, cuda::PushLimits limits, bool by_bits) {
  constexpr std::uint64_t small_blocks = receives_at_once<Program> ? 128 : 64;
  if (items_.empty()) items_ = CudaArray<cuda::RowItem>(gpu_, max_items(), "push items");
  buffers.items = items_.data();
  const std::size_t set = graph_.set(pushed());
  PageSpan span = graph_.cuda_pages().whole(set);
  cuda::RowPlaces rows = graph_.cuda_pages().rows(set);
  std::uint64_t size = frontier.size();
  Mailbox mailbox = gpu_.mailbox();
  std::uint64_t letter = gpu_.next_letter();

  const auto* kernel = reinterpret_cast<const void*>(cuda::push_sparse_kernel<Program, cuda::Delivery::by_queue>);
  if constexpr (!receives_at_once<Program>)
    if (by_bits) kernel = reinterpret_cast<const void*>(cuda::push_sparse_kernel<Program, cuda::Delivery::by_bits>);
  // A thread for each row, or a warp for some dozens of edges; no more blocks than can wait for each other.
  const std::uint64_t work = std::max(size * rows.segments, frontier.num_edges() / 2);
  std::uint64_t blocks = std::max((work + block_threads - 1) / block_threads, limits.supersteps > 1 ? small_blocks : 1);
  if (blocks > static_cast<std::uint64_t>(gpu_.info().multiprocessors)) {
    int resident = 0;  // per multiprocessor
    MILLRACE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_threads, 0));
    blocks = std::min(blocks, static_cast<std::uint64_t>(resident * gpu_.info().multiprocessors));
  }
  forget_pages();
  void* arguments[] = {&span, &rows, &queue, &size, &program, &buffers, &limits, &mailbox, &letter};
  MILLRACE_CUDA(cudaLaunchCooperativeKernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(block_threads), arguments,
                                            0, gpu_.main_stream()));
  return letter;
}

inline std::uint64_t CudaExecutor::await_sparse(std::uint64_t letter, std::vector<PassCounts>& counts) {
  struct Letter {
    std::uint64_t supersteps;
    std::uint64_t numbers[max_supersteps][3];
  };
  gpu_.await_letter(letter);
  const Letter read = gpu_.letter<Letter>();
  for (std::uint64_t i = 0; i < read.supersteps; ++i)
    counts.push_back({.edges = read.numbers[i][0], .joined = read.numbers[i][1], .joined_edges = read.numbers[i][2]});
  return read.supersteps;
}

}  // namespace millrace
