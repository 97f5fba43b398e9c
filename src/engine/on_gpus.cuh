// The GPU's halves of tables (bound_program.h). A file of src/algorithms/ that nvcc compiles names the programs,
// predicates, bodies, reductions and lists that the algorithms give to an engine, each by one of the macros below. Only
// nvcc reads it.
#pragma once

#include "millrace/engine/cuda_lists.cuh"
#include "millrace/engine/cuda_messages.cuh"
#include "millrace/engine/cuda_program.cuh"
#include "millrace/engine/cuda_vertex_work.cuh"

namespace millrace {
namespace on_gpus_detail {

template <class Program>
constexpr CudaEdgeOperations half_of(OfProgram<Program>) {
  CudaEdgeOperations made{};
  made.pull = CudaProgram<Program>::pull;
  made.push = CudaProgram<Program>::push;
  if constexpr (requires(const Program program) { program.wants(VertexId{}); })
    made.wanted_pages = CudaProgram<Program>::wanted_pages;
  made.count_open_rows = CudaProgram<Program>::count_open_rows;
  if constexpr (!for_one_device<Program>) {
    using Chunks = CudaMessages<Program>;
    made.absorb = Chunks::absorb;
    if constexpr (can_join<Program>) made.absorb_queues = Chunks::absorb_queues;
    made.exchange = Chunks::exchange;
    made.clear_shown = Chunks::clear_shown;
    made.push_chunks = Chunks::push;
    if constexpr (pulls_chunks<Program>) {
      made.open_pull = Chunks::open_pull;
      made.make_messages = Chunks::make_messages;
      made.absorb_got = Chunks::absorb_got;
      made.pull_chunk = Chunks::pull;
    }
    made.open_inbox = Chunks::open_inbox;
    made.send_pages = CudaProgram<Program>::send_pages;
    made.send_rows = CudaPushByRows<Program>::send;
    made.deliver = Chunks::deliver;
    made.deliver_queues = Chunks::deliver_queues;
  }
  return made;
}

template <class Body>
constexpr BodyOperations half_of(OfBody<Body>) {
  return {.map = [](Executor& on, const void* body) { CudaVertexWork::map(on, *static_cast<const Body*>(body)); }};
}

template <class Predicate>
constexpr PredicateOperations half_of(OfPredicate<Predicate>) {
  return {.filter =
              [](Executor& on, const void* predicate) {
                return CudaVertexWork::filter(on, *static_cast<const Predicate*>(predicate));
              },
          .filter_in =
              [](Executor& on, const Frontier& among, const void* predicate) {
                return CudaVertexWork::filter_in(on, among, *static_cast<const Predicate*>(predicate));
              }};
}

template <class T, class Map, class CombineValues>
constexpr ReductionOperations half_of(OfReduction<T, Map, CombineValues>) {
  return {.reduce = [](Executor& on, const BoundReduction& bound, void* result) {
    *static_cast<T*>(result) = CudaVertexWork::reduce(on, on.own(), *static_cast<const T*>(bound.identity),
                                                      *static_cast<const Map*>(bound.value),
                                                      *static_cast<const CombineValues*>(bound.combine));
  }};
}

template <class Combine, class T>
constexpr AgreementOperations half_of(OfAgreement<Combine, T>) {
  return {.exchange = [](Executor& executor, const Messages& values, VertexRange slice) {
    CudaDevice& gpu = static_cast<CudaDevice&>(executor.device());
    cuda::combine_messages<Combine>(MessagesOf<T>(values), slice, gpu.info().multiprocessors, gpu.main_stream());
  }};
}

template <class Program>
constexpr ListOperations half_of(OfLists<Program>) {
  return {.plan =
              [](Executor& on, ListsOf of, const void* program, VertexRange all, std::uint64_t room_bytes) {
                return static_cast<CudaExecutor&>(on).lists().plan(of, *static_cast<const Program*>(program), all,
                                                                   room_bytes);
              },
          .gather =
              [](Executor& on, const ListPlan& plan, std::size_t range, const void* program, ListRoom& room,
                 const Frontier* of, Superstep& step, Lists<std::uint32_t>& lists) {
                lists = static_cast<CudaExecutor&>(on).lists().gather(
                    plan, range, *static_cast<const Program*>(program), room,
                    of ? CudaVertexWork::bitmap_of(on, *of) : nullptr, step);
              }};
}

}  // namespace on_gpus_detail

template <class Of>
const typename Of::CudaHalf* cuda_half() {
  static constexpr typename Of::CudaHalf half = on_gpus_detail::half_of(Of{});
  return &half;
}

#define MILLRACE_GPU_HALF(...) template const typename __VA_ARGS__::CudaHalf* cuda_half<__VA_ARGS__>()
#define MILLRACE_GPU_PROGRAM(...) MILLRACE_GPU_HALF(OfProgram<__VA_ARGS__>)
#define MILLRACE_GPU_BODY(...) MILLRACE_GPU_HALF(OfBody<__VA_ARGS__>)
#define MILLRACE_GPU_PREDICATE(...) MILLRACE_GPU_HALF(OfPredicate<__VA_ARGS__>)
#define MILLRACE_GPU_REDUCTION(...) MILLRACE_GPU_HALF(OfReduction<__VA_ARGS__>)
#define MILLRACE_GPU_AGREE(...) MILLRACE_GPU_HALF(OfAgreement<__VA_ARGS__>)
#define MILLRACE_GPU_LISTS(...) MILLRACE_GPU_HALF(OfLists<__VA_ARGS__>)

}  // namespace millrace
