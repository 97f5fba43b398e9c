// What a GPU does with the messages that several devices keep for each other. Only nvcc reads it.
#pragma once

#include <algorithm>

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/engine/exchange_cuda.cuh"
#include "millrace/operators/frontier_cuda.h"

namespace millrace {

template <class Program>
Frontier CudaExecutor::absorb(const AbsorbKept<Program>& absorb) {
  const ProfileRange range("absorb");
  Frontier made = make_frontier(Frontier::Form::bitmap);
  const auto blocks = static_cast<unsigned>(8 * gpu_.info().multiprocessors);
  cuda::absorb_kernel<<<blocks, cuda::exchange_threads, 0, gpu_.main_stream()>>>(absorb, own_, words_of(*made.storage_),
                                                                                 counts_sender());
  MILLRACE_CUDA(cudaGetLastError());
  return with_counts(std::move(made));
}

template <class Program>
Frontier CudaExecutor::absorb_queues(const AbsorbKept<Program>& absorb) {
  const ProfileRange range("absorb");
  Frontier made = make_frontier(Frontier::Form::queue);
  std::uint64_t most = 1, all = 0;
  for (std::uint32_t i = 0; i < absorb.from.count; ++i) {
    most = std::max(most, absorb.from.size[i]);
    all += absorb.from.size[i];
  }
  const auto blocks =
      static_cast<unsigned>(std::min<std::uint64_t>((most + cuda::exchange_threads - 1) / cuda::exchange_threads,
                                                    static_cast<std::uint64_t>(8 * gpu_.info().multiprocessors)));
  cuda::absorb_queues_kernel<<<blocks, cuda::exchange_threads, 0, gpu_.main_stream()>>>(
      absorb, degrees(), make_queue(made, all).data(), &cursors_.data()->joined, counts_sender());
  MILLRACE_CUDA(cudaGetLastError());
  return with_counts(std::move(made));
}

template <class Combine, class Value>
void CudaExecutor::exchange(const Replicas<Value>& replicas, VertexRange slice) {
  cuda::combine_replicas<Combine>(replicas, slice, gpu_.info().multiprocessors, gpu_.main_stream());
}

template <class Value>
void CudaExecutor::show(const Frontier& frontier, Replicas<Value>& replicas, std::size_t i) {
  replicas.queue[i] = nullptr;
  replicas.bits[i] = reinterpret_cast<std::byte*>(words_of(*frontier.storage_));
  if (frontier.form() != Frontier::Form::queue) return;
  make_touched();
  replicas.queue[i] = make_queue(frontier, frontier.size(), frontier.size()).data();
  replicas.size[i] = frontier.size();
  replicas.bits[i] = reinterpret_cast<std::byte*>(touched_.data());
  cuda::bitmap_from_queue(replicas.queue[i], frontier.size(), touched_.data(), gpu_.main_stream());
}

template <class Value>
void CudaExecutor::clear_shown(const Frontier& frontier, Value* kept, Value nothing) {
  if (frontier.form() != Frontier::Form::queue || frontier.empty()) return;
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>((frontier.size() + cuda::exchange_threads - 1) / cuda::exchange_threads, 4096));
  cuda::clear_shown_kernel<<<blocks, cuda::exchange_threads, 0, gpu_.main_stream()>>>(
      frontier.storage_->queue.begin(), frontier.size(), touched_.data(), kept, nothing);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace
