// A push by several devices that compute in the memory of one GPU: all send to the inbox of the first, which then
// delivers. Only nvcc reads it.
#pragma once

#include <algorithm>

#include "millrace/core/stopwatch.h"
#include "millrace/engine/cuda_executor_sparse.cuh"
#include "millrace/engine/device_team.h"

namespace millrace {

namespace cuda {

// What several devices have queued; no target is in two queues.
struct TargetQueues {
  std::uint32_t count = 0;
  VertexId* queue[max_devices] = {};
  std::uint64_t size[max_devices] = {};

  std::uint64_t all() const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += size[i];
    return sum;
  }
};

// Those that join are queued. The cursor is zero before and after.
template <class Program>
__global__ void __launch_bounds__(block_threads)
    deliver_queues_kernel(Program program, PushBuffers<Program> buffers, TargetQueues targets, CountsSender counts) {
  __shared__ VertexId shared[warps_per_block][WarpWriter::room];
  WarpWriter next(shared[threadIdx.x / lanes], buffers.next, &buffers.cursors->joined);
  PassCounts mine;
  for (std::uint32_t i = 0; i < targets.count; ++i) {
    buffers.targets = targets.queue[i];
    deliver_queue(program, buffers, targets.size[i], next, mine);
  }
  if (add_and_send(counts, mine) && lane_id() == 0) buffers.cursors->joined = 0;
}

}  // namespace cuda

template <class Program>
Frontier CudaExecutor::deliver_queues(const Program& program, cuda::PushBuffers<Program> buffers,
                                      const cuda::TargetQueues& targets, Frontier next) {
  buffers.next = make_queue(next, targets.all()).data();
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::uint64_t>(targets.all() / block_threads, 1, 8 * gpu_.info().multiprocessors));
  cuda::deliver_queues_kernel<<<blocks, block_threads, 0, gpu_.main_stream()>>>(program, buffers, targets,
                                                                                counts_sender());
  MILLRACE_CUDA(cudaGetLastError());
  return with_counts(std::move(next));
}

template <class Program>
class PushTogether {
 public:
  // With the program as each device has it.
  PushTogether(DeviceTeam& team, const std::vector<Program>& programs) : team_(team), programs_(programs) {
    for (std::size_t i = 0; i < team.size(); ++i) all_.push_back(static_cast<CudaExecutor*>(&team[i]));
  }

  // Returns the next frontier, as the first device has it.
  Frontier run(const Frontier& frontier, Superstep& step) {
    if (frontier.empty()) return first().make_frontier(Frontier::Form::queue);
    bool sparse = true;
    for (std::size_t i = 0; i < all_.size(); ++i)
      sparse = sparse && all_[i]->template pushes_sparse<Program>(frontier.on(i));
    try {
      return sparse ? send_sparse(frontier, step) : send_dense(frontier, step);
    } catch (...) {
      team_.wait_after_error();  // others may still send
      first().forget_messages();
      throw;
    }
  }

 private:
  static constexpr bool at_once = receives_at_once<Program>;

  // Of the first device, for all to send to.
  cuda::PushBuffers<Program> open_inbox(Frontier& next) {
    first().device().select();
    const auto buffers = first().template open_chunk<Program>({0, first().graph().num_vertices()}, next);
    first().device().synchronize();  // it may have been filled just now
    return buffers;
  }
  Frontier deliver_by_bits(const cuda::PushBuffers<Program>& inbox, Frontier next) {
    first().device().select();
    first().close_chunk(programs_[0], inbox);
    first().count(next, first().await_counts());
    return next;
  }

  Frontier send_sparse(const Frontier& frontier, Superstep& step) {
    const bool by_bits = first().template finds_targets_by_bits<Program>(frontier);
    std::vector<Frontier> joined(all_.size());
    std::vector<std::uint64_t> letters(all_.size());
    team_.in_turn([&](Executor& on, std::size_t i) {
      if (i == 0 || at_once) joined[i] = on.make_frontier(by_bits ? Frontier::Form::bitmap : Frontier::Form::queue);
    });
    const cuda::PushBuffers<Program> inbox = open_inbox(joined[0]);
    team_.in_turn([&](Executor&, std::size_t i) {
      letters[i] = all_[i]->send_sparse(frontier.on(i), programs_[i], inbox, by_bits, joined[i]);
    });
    cuda::TargetQueues targets{.count = static_cast<std::uint32_t>(all_.size())};
    team_.in_turn([&](Executor& on, std::size_t i) {
      std::vector<PassCounts> counts;
      all_[i]->await_sparse(letters[i], counts);
      step.edges += counts[0].edges;
      targets.queue[i] = all_[i]->push_targets();
      targets.size[i] = counts[0].joined;
      if (at_once) on.count(joined[i], counts[0]);
    });
    first().device().select();
    if (by_bits) return deliver_by_bits(inbox, std::move(joined[0]));
    if constexpr (at_once) {
      PassCounts sum{.joined = joined[0].size(), .joined_edges = joined[0].num_edges()};
      for (std::size_t i = 1; i < all_.size(); ++i) {
        first().add_to(joined[0], joined[i]);
        sum += {.joined = joined[i].size(), .joined_edges = joined[i].num_edges()};
        first().count(joined[0], sum);
      }
      first().device().synchronize();  // before the memory of the others is used again
      return std::move(joined[0]);
    } else {
      return first().deliver_queues(programs_[0], inbox, targets, std::move(joined[0]));
    }
  }

  Frontier send_dense(const Frontier& frontier, Superstep& step) {
    first().device().select();
    Frontier next = first().make_frontier(Frontier::Form::bitmap);
    const cuda::PushBuffers<Program> inbox = open_inbox(next);
    std::vector<Superstep> parts(all_.size());
    std::vector<PassCounts> counts(all_.size());
    team_.each(first().graph().num_edges(), [&](Executor& on, std::size_t i) {
      const Stopwatch watch;
      counts[i] = all_[i]->send_dense(frontier.on(i), programs_[i], all_[i]->counting(inbox), parts[i], true);
      counts[i] += all_[i]->await_counts();
      parts[i].end(watch.seconds(), on.graph().take_times());
    });
    PassCounts sum;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      step += parts[i];
      sum += counts[i];
    }
    step.edges = sum.edges;
    step.bytes = sum.bytes;
    if (!at_once) return deliver_by_bits(inbox, std::move(next));
    first().count(next, sum);
    return next;
  }

  CudaExecutor& first() { return *all_[0]; }

  DeviceTeam& team_;
  const std::vector<Program>& programs_;
  std::vector<CudaExecutor*> all_;
};

}  // namespace millrace
