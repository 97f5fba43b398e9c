// What a GPU does with predicates, bodies and reductions. Only nvcc reads it.
#pragma once

#include <algorithm>

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/operators/vertex_map_cuda.cuh"

namespace millrace {

class CudaVertexWork {
 public:
  static CudaExecutor& at(Executor& executor) { return static_cast<CudaExecutor&>(executor); }

  template <class Body>
  static void map(Executor& on, const Body& body) {
    const ProfileRange range("vertex_map");
    map_range(on, on.own(), body);
  }
  template <class Body>
  static void map_range(Executor& executor, VertexRange range, const Body& body) {
    if (range.size() == 0) return;
    const auto blocks = static_cast<unsigned>(
        std::min<std::uint64_t>((range.size() + cuda::map_threads - 1) / cuda::map_threads, 1u << 20));
    cuda::vertex_map_kernel<<<blocks, cuda::map_threads, 0, at(executor).gpu_.main_stream()>>>(range, body);
    MILLRACE_CUDA(cudaGetLastError());
  }

  // Over the executor's own vertices, or over others.
  template <class T, class Map, class CombineValues>
  static T reduce(Executor& executor, VertexRange over, const T& identity, const Map& map,
                  const CombineValues& combine_values) {
    const ProfileRange range("reduce");
    CudaExecutor& on = at(executor);
    if (on.parts_.bytes() < cuda::reduce_blocks * sizeof(T))
      on.parts_ = CudaArray<std::byte>(on.gpu_, cuda::reduce_blocks * sizeof(T), "parts of a reduction");
    const std::uint64_t letter = on.gpu_.next_letter();
    cuda::reduce_kernel<<<cuda::reduce_blocks, cuda::map_threads, 0, on.gpu_.main_stream()>>>(
        over, identity, map, combine_values, reinterpret_cast<T*>(on.parts_.data()), on.blocks_done_.data(),
        on.gpu_.mailbox(), letter);
    MILLRACE_CUDA(cudaGetLastError());
    on.gpu_.await_letter(letter);
    return on.gpu_.letter<T>();
  }

  template <class Predicate>
  static Frontier filter(Executor& executor, const Predicate& predicate) {
    const ProfileRange range("filter");
    CudaExecutor& on = at(executor);
    Frontier made = on.make_frontier(Frontier::Form::bitmap);
    cuda::filter_kernel<<<blocks(on), cuda::map_threads, 0, on.gpu_.main_stream()>>>(
        on.own(), predicate, on.degrees(), on.words_of(made.storage()), on.counts_sender());
    MILLRACE_CUDA(cudaGetLastError());
    return on.with_counts(std::move(made));
  }

  template <class Predicate>
  static Frontier filter_in(Executor& executor, const Frontier& among, const Predicate& predicate) {
    const ProfileRange range("filter");
    CudaExecutor& on = at(executor);
    if (on.far()) {
      const std::uint32_t* const bits = on.bitmap_of(among);
      Frontier made = on.make_frontier(Frontier::Form::bitmap);
      filter_bits(on, bits, on.own(), predicate, on.words_of(made.storage()));
      return on.with_counts(std::move(made));
    }
    const VertexId* const queue = on.queue_of(among);
    Frontier made = on.make_frontier(Frontier::Form::queue);
    const auto few = static_cast<unsigned>(
        std::clamp<std::uint64_t>(among.size() / cuda::map_threads, 1, std::uint64_t{blocks(on)}));
    cuda::filter_queue_kernel<<<few, cuda::map_threads, 0, on.gpu_.main_stream()>>>(
        queue, among.size(), predicate, on.degrees(), on.make_queue(made, among.size()).data(),
        &on.cursors_.data()->joined, on.counts_sender());
    MILLRACE_CUDA(cudaGetLastError());
    return on.with_counts(std::move(made));
  }

  // Of the vertices whose bits are set in `among`, those for which it is true: their bits, which may be the same array;
  // the counts are sent.
  template <class Predicate>
  static void filter_bits(CudaExecutor& on, const std::uint32_t* among, VertexRange over, const Predicate& predicate,
                          std::uint32_t* bits) {
    cuda::filter_bits_kernel<<<blocks(on), cuda::map_threads, 0, on.gpu_.main_stream()>>>(
        among, over, predicate, on.degrees(), bits, on.counts_sender());
    MILLRACE_CUDA(cudaGetLastError());
  }

  static const std::uint32_t* bitmap_of(Executor& on, const Frontier& frontier) { return at(on).bitmap_of(frontier); }

 private:
  static unsigned blocks(const CudaExecutor& on) { return static_cast<unsigned>(8 * on.gpu_.info().multiprocessors); }
};

}  // namespace millrace
