// Binds programs, predicates, bodies and reductions to their tables: to be included where they are given to an engine.
// The cpu's half of a table is compiled here; for the GPU's see compiled_by.h.
#pragma once

#include "millrace/engine/cpu_help.h"
#include "millrace/engine/cpu_messages.h"
#include "millrace/engine/cpu_program.h"
#include "millrace/engine/cpu_vertex_work.h"
#include "millrace/engine/engine.h"
#include "millrace/operators/fields.h"
#include "millrace/version.h"
#ifdef __CUDACC__
#include "millrace/engine/on_gpus.cuh"
#endif

namespace millrace {
namespace bound_detail {

template <class Value>
constexpr ValueType value_type() {
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= ValueCopy::most_bytes && alignof(Value) <= 16,
                "a program is copied byte by byte");
  return {.bytes = sizeof(Value),
          .redirect =
              [](void* value, const Redirect& to) {
                visit_views(*static_cast<Value*>(value), [&](auto& view) {
                  if (view.data) view.data = static_cast<decltype(view.data)>(to(view.data));
                });
              },
          .writes_to_others = writes_to_others<Value>};
}

template <class Of, class By>
const typename Of::CudaHalf* half_of_gpus() {
#if defined(__CUDACC__) || defined(MILLRACE_GPU_HALVES)
  return cuda_half<Of>();
#else
  return nullptr;
#endif
}

template <class Program>
inline constexpr bool has_wants = requires(const Program program) {
  program.wants(VertexId{});
};

template <class Program>
constexpr CpuEdgeOperations cpu_half() {
  CpuEdgeOperations made{};
  made.pull = CpuProgram<Program>::pull;
  made.push = CpuProgram<Program>::push;
  if constexpr (has_wants<Program>) {
    made.wanted_pages = CpuProgram<Program>::wanted_pages;
    made.collect_wanting = CpuProgram<Program>::collect_wanting;
  }
  if constexpr (!for_one_device<Program>) {
    made.absorb = CpuMessages<Program>::absorb;
    if constexpr (can_join<Program>) made.absorb_queues = CpuMessages<Program>::absorb_queues;
    made.exchange = CpuMessages<Program>::exchange;
    made.clear_shown = CpuMessages<Program>::clear_shown;
    made.push_chunks = CpuMessages<Program>::push;
    if constexpr (pulls_chunks<Program>) {
      made.open_pull = CpuMessages<Program>::open_pull;
      made.make_messages = CpuMessages<Program>::make_messages;
      made.absorb_got = CpuMessages<Program>::absorb_got;
      made.pull_chunk = CpuMessages<Program>::pull;
    }
  }
#if MILLRACE_WITH_CUDA
  if constexpr (may_be_helped<Program>) {
    made.help_pull = CpuHelp<Program>::pull;
    made.help_push = CpuHelp<Program>::push;
  }
#endif
  return made;
}

template <class Program>
ProgramFacts facts_of() {
  ProgramFacts facts{.type = &typeid(Program),
                     .joins = can_join<Program>,
                     .takes_first = takes_first<Program>,
                     .takes_weights = takes_weights<Program>,
                     .whole_weights = std::is_integral_v<WeightOf<Program>>,
                     .receives_at_once = receives_at_once<Program>,
                     .searches = searches<Program>,
                     .spreads = spreads<Program>,
                     .wants = has_wants<Program>,
                     .sums_floats = sums_floats<Program>,
                     .pulls_chunks = pulls_chunks<Program> && !for_one_device<Program>,
                     .adds = std::is_same_v<typename Program::Combine, Sum>,
                     .message_bytes = sizeof(Pending<Program>)};
  if constexpr (may_be_helped<Program>) {
    if constexpr (takes_weights<Program>) facts.view_bytes = views_of_type<Program>().bytes;
    facts.inbox_bytes = sizeof(Inbox<HelperOf<Program>>);
  }
  const Pending<Program> nothing = nothing_pending<Program>();
  static_assert(sizeof nothing <= sizeof facts.nothing);
  std::memcpy(&facts.nothing, &nothing, sizeof nothing);
  return facts;
}

}  // namespace bound_detail

template <class Program, class By>
const EdgeTable& edge_table() {
  static constexpr CpuEdgeOperations cpu = bound_detail::cpu_half<Program>();
  static const EdgeTable table = [] {
    EdgeTable made{{bound_detail::value_type<Program>(), &cpu, bound_detail::half_of_gpus<OfProgram<Program>, By>()},
                   bound_detail::facts_of<Program>(),
                   nullptr};
    if constexpr (requires(Program program) { program.advance(); })
      made.advance = [](void* program) { static_cast<Program*>(program)->advance(); };
    return made;
  }();
  return table;
}

template <class Body, class By>
const BodyTable& body_table() {
  static constexpr BodyOperations cpu{
      .map = [](Executor& on, const void* body) { CpuVertexWork::map(on, *static_cast<const Body*>(body)); }};
  static const BodyTable table{bound_detail::value_type<Body>(), &cpu, bound_detail::half_of_gpus<OfBody<Body>, By>()};
  return table;
}

template <class Predicate, class By>
const PredicateTable& predicate_table() {
  static constexpr PredicateOperations cpu{
      .filter =
          [](Executor& on, const void* predicate) {
            return CpuVertexWork::filter(on, *static_cast<const Predicate*>(predicate));
          },
      .filter_in =
          [](Executor& on, const Frontier& among, const void* predicate) {
            return CpuVertexWork::filter_in(on, among, *static_cast<const Predicate*>(predicate));
          }};
  static const PredicateTable table{bound_detail::value_type<Predicate>(), &cpu,
                                    bound_detail::half_of_gpus<OfPredicate<Predicate>, By>()};
  return table;
}

template <class T, class Map, class CombineValues, class By>
const ReductionTable& reduction_table() {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr ReductionOperations cpu{.reduce = [](Executor& on, const BoundReduction& bound, void* result) {
    *static_cast<T*>(result) =
        CpuVertexWork::reduce(on, *static_cast<const T*>(bound.identity), *static_cast<const Map*>(bound.value),
                              *static_cast<const CombineValues*>(bound.combine));
  }};
  static const ReductionTable table{
      {bound_detail::value_type<Map>(), &cpu, bound_detail::half_of_gpus<OfReduction<T, Map, CombineValues>, By>()},
      sizeof(T),
      [](const void* combine, void* a, const void* b) {
        T& sum = *static_cast<T*>(a);
        sum = (*static_cast<const CombineValues*>(combine))(sum, *static_cast<const T*>(b));
      }};
  return table;
}

template <class Combine, class T, class By>
const AgreementTable& agreement_table() {
  static constexpr AgreementOperations cpu{.exchange = [](Executor& on, const Messages& values, VertexRange slice) {
    combine_messages<Combine>(MessagesOf<T>(values), slice, static_cast<CpuExecutor&>(on).threads());
  }};
  static const AgreementTable table{{}, &cpu, bound_detail::half_of_gpus<OfAgreement<Combine, T>, By>()};
  return table;
}

template <class Program, class By>
const ListTable& list_table() {
  static constexpr ListOperations cpu{
      .plan =
          [](Executor& on, ListsOf of, const void* program, VertexRange all, std::uint64_t room_bytes) {
            return static_cast<CpuExecutor&>(on).lists().plan(of, *static_cast<const Program*>(program), all,
                                                              room_bytes);
          },
      .gather =
          [](Executor& on, const ListPlan& plan, std::size_t range, const void* program, ListRoom& room,
             const Frontier* of, Superstep& step, Lists<std::uint32_t>& lists) {
            lists =
                static_cast<CpuExecutor&>(on).lists().gather(plan, range, *static_cast<const Program*>(program), room,
                                                             of ? CpuVertexWork::bitmap_of(on, *of) : nullptr, step);
          }};
  static const ListTable table{bound_detail::value_type<Program>(), &cpu,
                               bound_detail::half_of_gpus<OfLists<Program>, By>()};
  return table;
}

}  // namespace millrace
