// A GPU's pushes from few vertices, whose rows are found one by one: one superstep, or while frontiers stay small many
// of them in one launch. Only nvcc reads it.
#pragma once

#include <algorithm>

#include "millrace/engine/cuda_messages.cuh"
#include "millrace/operators/push_sparse_cuda.cuh"

namespace millrace {

template <class Given>
class CudaPushByRows {
 public:
  using Program = Carried<Given>;
  using Chunks = CudaMessages<Given>;

  static void push(CudaExecutor& on, const BoundProgram& bound, const SuperstepPlan& plan, const Frontier& frontier,
                   Frontier& next, std::vector<PassCounts>& counts) {
    if (on.finds_targets_by_bits(frontier, bound.facts())) {
      on.small_in_a_row_ = 0;
      push_by_bits(on, bound, frontier, next, counts);
    } else {
      push_by_queue(on, bound, plan, frontier, next, counts);
    }
  }

  // If several devices push to one memory: launches the sending and returns the number of its letter, which has the
  // counts of edges and queued targets. If messages are received at once, it has the count of targets that joined.
  static std::uint64_t send(Executor& executor, const BoundProgram& bound, const Frontier& frontier,
                            const cuda::PushRoom& inbox, bool by_bits, Frontier& joined) {
    auto& on = static_cast<CudaExecutor&>(executor);
    cuda::PushRoom room = on.counting(inbox);
    if constexpr (receives_at_once<Program>) {
      room.next = on.make_queue(joined, frontier.num_edges()).data();
    } else if (!by_bits) {
      on.grow(on.targets_, frontier.num_edges(), 0, "push targets");
      room.targets = on.targets_.data();
    }
    return launch(on, bound, on.queue_of(frontier), frontier, room, {.supersteps = 1, .edges = 0, .delivers = false},
                  by_bits);
  }

 private:
  static void push_by_bits(CudaExecutor& on, const BoundProgram& bound, const Frontier& frontier, Frontier& next,
                           std::vector<PassCounts>& counts) {
    VertexId* const queue = on.queue_of(frontier);
    on.make_bitmap(next);
    const cuda::PushRoom room = Chunks::open_inbox(on, on.everyone(), next);
    const std::uint64_t letter =
        launch(on, bound, queue, frontier, room, {.supersteps = 1, .edges = 0, .delivers = false}, true);
    Chunks::deliver(on, bound, room);
    on.await_rows(letter, counts);
    const PassCounts delivered = on.await_counts();
    counts.back().joined = delivered.joined;
    counts.back().joined_edges = delivered.joined_edges;
  }

  static void push_by_queue(CudaExecutor& on, const BoundProgram& bound, const SuperstepPlan& plan,
                            const Frontier& frontier, Frontier& next, std::vector<PassCounts>& counts) {
    constexpr std::uint64_t small =
        receives_at_once<Program> ? 4 * CudaExecutor::small_frontier : CudaExecutor::small_frontier;
    VertexId* queue = on.queue_of(frontier);
    // Several supersteps overwrite the frontier they began with: not where someone else has it too.
    const bool several = plan.supersteps > 1 && frontier.owns_storage();
    cuda::PushLimits limits{.supersteps = several ? plan.supersteps : 1, .edges = std::min(small, on.max_item_edges())};
    // No superstep has more targets than edges, and it goes on from no frontier with more than the limit.
    const std::uint64_t room = several ? std::max(frontier.num_edges(), limits.edges) : frontier.num_edges();
    const std::uint64_t rows =
        frontier.size() * on.graph().cuda_pages().table(on.graph().set(on.pushed())).num_segments();
    if (several && on.small_in_a_row_ >= calm && std::max(rows, frontier.num_edges()) <= cluster_edges &&
        runs_in_cluster(on)) {
      limits.in_cluster = true;
      limits.edges = std::min(limits.edges, cluster_edges);
    }
    if (several) {
      // A queue that grows with its vertices takes the room of two: that of the other is given back before.
      if (!on.has_room(frontier.storage().queue.storage(), room)) next.storage().queue.storage() = {};
      queue = on.make_queue(frontier, room, frontier.size()).data();
    }
    on.make_queue(next, room);
    if (!receives_at_once<Program>) on.grow(on.targets_, room, 0, "push targets");
    const std::uint64_t letter =
        launch(on, bound, queue, frontier, Chunks::open_inbox(on, on.everyone(), next), limits, false);
    // Two queues take turns; the last superstep wrote to one of them.
    const std::uint64_t done = on.await_rows(letter, counts);
    for (std::size_t i = counts.size() - done; i < counts.size(); ++i)
      on.small_in_a_row_ = counts[i].edges <= cluster_edges ? on.small_in_a_row_ + 1 : 0;
    if (done % 2 == 0) next.storage().queue.storage().swap(frontier.storage().queue.storage());
  }

  static std::uint64_t launch(CudaExecutor& on, const BoundProgram& bound, VertexId* queue, const Frontier& frontier,
                              const cuda::PushRoom& room, cuda::PushLimits limits, bool by_bits) {
    constexpr std::uint64_t small_blocks = receives_at_once<Program> ? 128 : 64;
    if (on.items_.empty()) on.items_ = CudaArray<cuda::RowItem>(on.gpu_, on.max_items(), "push items");
    Program program{*static_cast<const Given*>(bound.value), static_cast<Pending<Given>*>(bound.kept)};
    cuda::PushBuffers<Program> buffers{room};
    buffers.items = on.items_.data();
    CudaPages& pages = on.graph().cuda_pages();
    const std::size_t set = on.graph().set(on.pushed());
    PageSpan span = pages.whole(set);
    cuda::RowPlaces rows = pages.rows(set);
    std::uint64_t size = frontier.size();
    Mailbox mailbox = on.gpu_.mailbox();
    std::uint64_t letter = on.gpu_.next_letter();

    const auto* kernel = reinterpret_cast<const void*>(cuda::push_sparse_kernel<Program, cuda::Delivery::by_queue>);
    if constexpr (!receives_at_once<Program>)
      if (by_bits) kernel = reinterpret_cast<const void*>(cuda::push_sparse_kernel<Program, cuda::Delivery::by_bits>);
    // A thread for each row, or a warp for some dozens of edges; no more blocks than can wait for each other.
    const std::uint64_t work = std::max(size * rows.segments, frontier.num_edges() / 2);
    std::uint64_t blocks =
        std::max((work + block_threads - 1) / block_threads, limits.supersteps > 1 ? small_blocks : 1);
    if (blocks > static_cast<std::uint64_t>(on.gpu_.info().multiprocessors)) {
      int resident = 0;  // per multiprocessor
      MILLRACE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_threads, 0));
      blocks = std::min(blocks, static_cast<std::uint64_t>(resident * on.gpu_.info().multiprocessors));
    }
    void* arguments[] = {&span, &rows, &queue, &size, &program, &buffers, &limits, &mailbox, &letter};
    if (limits.in_cluster) {
      const ClusterLaunch launch(on.gpu_.main_stream());
      MILLRACE_CUDA(cudaLaunchKernelExC(&launch.config, kernel, arguments));
    } else {
      MILLRACE_CUDA(cudaLaunchCooperativeKernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(block_threads),
                                                arguments, 0, on.gpu_.main_stream()));
    }
    return letter;
  }

  // Blocks of a cluster meet faster than those of a grid, but a larger frontier wants more blocks than a cluster has,
  // and to launch again takes as long as several barriers. So clusters are for frontiers that have been small for a
  // while.
  static constexpr unsigned cluster_blocks = 8;
  static constexpr std::uint64_t cluster_edges = 4096, calm = 16;

  // One cluster of blocks. The arguments of cudaLaunchKernelExC have to stay where they are until it is called.
  struct ClusterLaunch {
    explicit ClusterLaunch(CUstream_st* stream) {
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim.x = cluster_blocks;
      attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
      config.gridDim = dim3(cluster_blocks);
      config.blockDim = dim3(block_threads);
      config.stream = stream;
      config.attrs = &attribute;
      config.numAttrs = 1;
    }
    cudaLaunchAttribute attribute{};
    cudaLaunchConfig_t config{};
  };

  // From compute capability 9.0 on, if the kernel was compiled for it and the GPU, or the part of it that is ours, has
  // room for a cluster. Asked before every such launch: a process may have GPUs of several kinds.
  static bool runs_in_cluster(const CudaExecutor& on) {
    const auto* kernel = reinterpret_cast<const void*>(cuda::push_sparse_kernel<Program, cuda::Delivery::by_queue>);
    cudaFuncAttributes attributes{};
    MILLRACE_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    if (attributes.ptxVersion < 90) return false;
    const ClusterLaunch launch(on.gpu_.main_stream());
    int clusters = 0;
    if (cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch.config) == cudaSuccess) return clusters > 0;
    cudaGetLastError();  // so that no later call reports it
    return false;
  }
};

}  // namespace millrace
