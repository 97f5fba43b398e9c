// Programs, predicates, bodies and reductions as plain code has them: a pointer to the value, and a table of what can
// be done with it. A table has one half for each kind of processor. The half of the cpu is made where an algorithm
// gives the value to an engine (engine_programs.h); the half of GPUs by nvcc (on_gpus.cuh). So backends, executors and
// the choice of a plan are compiled once, and not for each program: a superstep takes microseconds, an indirect call
// nanoseconds.
#pragma once

#include <functional>
#include <typeinfo>
#include <vector>

#include "millrace/engine/compiled_by.h"
#include "millrace/engine/messages.h"
#include "millrace/operators/lists.h"
#include "millrace/operators/program.h"

struct CUstream_st;

namespace millrace {

class Executor;
class Frontier;
struct ChunkRoom;
struct HelperRoom;
struct ListPlan;
struct PageSpan;
struct PassCounts;
struct Superstep;
struct SuperstepPlan;
struct BoundProgram;
struct BoundReduction;
class Crew;
class PagePool;
class PageSet;
template <class T>
class DeviceArray;

namespace cuda {
struct OpenRows;
struct PushRoom;
struct TargetQueues;
}  // namespace cuda

// Maps the address of an attribute on the first device to its address on another device.
using Redirect = std::function<void*(const void*)>;

// The properties that every bound value has.
struct ValueType {
  std::size_t bytes;
  // Replaces every view of the value.
  void (*redirect)(void* value, const Redirect& to);
  bool writes_to_others;
};

// The value as another device has it.
class ValueCopy {
 public:
  static constexpr std::size_t most_bytes = 2048;
  ValueCopy(const void* value, const ValueType& type, const Redirect* to);
  const void* get() const { return bytes_; }
  void* get() { return bytes_; }

 private:
  alignas(16) std::byte bytes_[most_bytes];
};

// A table of two halves; that of GPUs is null where it was not compiled.
template <class CpuOperations, class CudaOperations>
struct BoundTable {
  ValueType type;
  const CpuOperations* cpu;
  const CudaOperations* cuda;
};

// ---- programs

// What an executor does with a program. What is null is not there: the program cannot be carried out that way.
struct EdgeOperations {
  // They carry out one superstep, or several if the plan says so, append the counts of each superstep to `counts`, and
  // add the bytes that were moved to `step`.
  using Run = void (*)(Executor&, const BoundProgram&, const SuperstepPlan&, const Frontier&, Frontier& next,
                       Superstep& step, std::vector<PassCounts>& counts);
  Run pull;
  Run push;
  // Returns the pages that have vertices which want a message, for streamed pages. Null if all vertices want one.
  std::vector<std::uint32_t> (*wanted_pages)(Executor&, const BoundProgram&);

  // Several devices. Targets absorb the messages that devices keep for them: those of the executor's own vertices that
  // have any, or all that are queued. `empties`: nobody else reads these messages.
  Frontier (*absorb)(Executor&, const BoundProgram&, const Messages&, bool empties);
  Frontier (*absorb_queues)(Executor&, const BoundProgram&, const Messages&, bool empties);
  // Combines the messages of a slice of the vertices, for all devices.
  void (*exchange)(Executor&, const Messages&, VertexRange slice);
  // Takes back what Executor::show() has shown of a frontier; where `kept` is given, the messages kept for it are
  // emptied.
  void (*clear_shown)(Executor&, const Frontier&, void* kept);

  // Far attributes that are pushed to: sends to a chunk of targets of each executor, from the rows of some pages, and
  // lets the targets absorb.
  PassCounts (*push_chunks)(const std::vector<Executor*>&, const BoundProgram&, const Frontier&,
                            const std::vector<VertexRange>& chunks, const std::vector<std::uint32_t>& pages,
                            Frontier& next, Superstep& step);
  // Far attributes that are pulled: room for messages of so many sources and for a chunk of targets, which got nothing
  // yet; the messages of sources; what targets got in the end.
  ChunkRoom (*open_pull)(Executor&, VertexRange targets, std::uint64_t sources);
  void (*make_messages)(Executor&, const BoundProgram&, const ChunkRoom&, VertexRange sources);
  void (*absorb_got)(Executor&, const BoundProgram&, const ChunkRoom&, VertexRange targets);
};

struct CpuEdgeOperations : EdgeOperations {
  // Collects the rows that want a message; false, and none, if they are many. Null where all do.
  bool (*collect_wanting)(Executor&, const BoundProgram&);
  // Gathers from the rows of some pages of a segment, by so many threads.
  void (*pull_chunk)(Executor&, const ChunkRoom&, std::uint32_t segment, const std::vector<std::uint32_t>& pages,
                     const std::vector<std::uint32_t>& soon, int threads, Superstep& step);
  // What the cpu does beside a GPU: gathers for the rows of pages from the end of the pool, or sends along them.
  // `brought`: the program with views in host memory, if it takes weights. Null where it cannot help.
  PassCounts (*help_pull)(const HelperRoom&, const void* brought, const PageSet&, PagePool&, Crew&, double* busy);
  PassCounts (*help_push)(const HelperRoom&, const void* brought, const PageSet&, PagePool&, Crew&, double* busy);
};

struct CudaEdgeOperations : EdgeOperations {
  // Counts the rows that want a message.
  cuda::OpenRows (*count_open_rows)(Executor&, const BoundProgram&);
  void (*pull_chunk)(Executor&, const ChunkRoom&, const PageSpan&, CUstream_st*);
  // For devices that push to one memory (push_together.h). Sends from the active rows of all pages, or from a frontier
  // whose rows are found one by one: then the letter to await is returned.
  cuda::PushRoom (*open_inbox)(Executor&, VertexRange targets, Frontier& next);
  PassCounts (*send_pages)(Executor&, const BoundProgram&, const SuperstepPlan&, const Frontier&, const cuda::PushRoom&,
                           Superstep& step);
  std::uint64_t (*send_rows)(Executor&, const BoundProgram&, const Frontier&, const cuda::PushRoom&, bool by_bits,
                             Frontier& joined);
  void (*deliver)(Executor&, const BoundProgram&, const cuda::PushRoom&);
  Frontier (*deliver_queues)(Executor&, const BoundProgram&, const cuda::PushRoom&, const cuda::TargetQueues&,
                             Frontier next);
};

// What the choice of a plan has to know of a program.
struct ProgramFacts {
  const std::type_info* type;
  bool joins, takes_first, takes_weights, whole_weights, receives_at_once, searches, spreads, wants, sums_floats;
  bool pulls_chunks;
  bool adds;                    // a message that comes twice counts twice
  std::size_t message_bytes;    // of a pending message
  std::size_t view_bytes = 0;   // of all its attributes, for one vertex, where the cpu helps and it takes weights
  std::size_t inbox_bytes = 0;  // of a message that waits, where the cpu helps; 0 where it cannot
  std::uint64_t nothing = 0;    // the bytes of a pending message that is none

  // Whether a GPU can collect the rows that want a message, and gather for them alone.
  bool pulls_few() const { return wants && !takes_first && !takes_weights; }
};

struct EdgeTable : BoundTable<CpuEdgeOperations, CudaEdgeOperations> {
  ProgramFacts facts;
  void (*advance)(void* program);  // null where it has none
};
template <class Program, class By = CompiledBy>
const EdgeTable& edge_table();

struct BoundProgram {
  template <EdgeProgram Program>
  BoundProgram(const Program& program) : table(&edge_table<Program>()), value(&program) {}
  // The same program as another device has it. Where `keep` is given, messages are kept there, one for each target,
  // instead of absorbed.
  BoundProgram(const BoundProgram& program, const void* value, void* keep = nullptr)
      : table(program.table), value(value), kept(keep) {}

  const ProgramFacts& facts() const { return table->facts; }
  // Throws if it was compiled for one device alone, whose memory all attributes fit.
  void require_several_devices() const;

  const EdgeTable* table;
  const void* value;  // which lives at least as long as this
  void* kept = nullptr;
};

// ---- what takes vertices

struct BodyOperations {
  void (*map)(Executor&, const void* body);
};
using BodyTable = BoundTable<BodyOperations, BodyOperations>;
template <class Body, class By = CompiledBy>
const BodyTable& body_table();

struct BoundBody {
  template <class Body>
  requires std::invocable<const Body&, VertexId> BoundBody(const Body& body)
      : table(&body_table<Body>()), value(&body) {}
  BoundBody(const BoundBody& body, const void* value) : table(body.table), value(value) {}
  const BodyTable* table;
  const void* value;
};

struct PredicateOperations {
  Frontier (*filter)(Executor&, const void* predicate);
  Frontier (*filter_in)(Executor&, const Frontier& among, const void* predicate);
};
using PredicateTable = BoundTable<PredicateOperations, PredicateOperations>;
template <class Predicate, class By = CompiledBy>
const PredicateTable& predicate_table();

struct BoundPredicate {
  template <std::predicate<VertexId> Predicate>
  BoundPredicate(const Predicate& predicate) : table(&predicate_table<Predicate>()), value(&predicate) {}
  BoundPredicate(const BoundPredicate& predicate, const void* value) : table(predicate.table), value(value) {}
  const PredicateTable* table;
  const void* value;
};

struct ReductionOperations {
  void (*reduce)(Executor&, const BoundReduction&, void* result);
};
struct ReductionTable : BoundTable<ReductionOperations, ReductionOperations> {
  std::size_t result_bytes;
  // a = combine(a, b).
  void (*add)(const void* combine, void* a, const void* b);
};
template <class T, class Map, class CombineValues, class By = CompiledBy>
const ReductionTable& reduction_table();

struct BoundReduction {
  const ReductionTable* table;
  const void* identity;
  const void* value;  // the map
  const void* combine;
};

// ---- attributes on which devices agree, and lists of rows

struct AgreementOperations {
  void (*exchange)(Executor&, const Messages&, VertexRange slice);
};
using AgreementTable = BoundTable<AgreementOperations, AgreementOperations>;
template <class Combine, class T, class By = CompiledBy>
const AgreementTable& agreement_table();

struct ListOperations {
  // `all`: the vertices that have lists.
  ListPlan (*plan)(Executor&, ListsOf, const void* program, VertexRange all, std::uint64_t room_bytes);
  // `of`: the vertices that have lists; null where all have.
  void (*gather)(Executor&, const ListPlan&, std::size_t range, const void* program, DeviceArray<std::byte>& room,
                 const Frontier* of, Superstep& step, Lists<std::uint32_t>& lists);
};
using ListTable = BoundTable<ListOperations, ListOperations>;
template <class Program, class By = CompiledBy>
const ListTable& list_table();

// ---- the half of GPUs

// Each of these types names a table that has a half for GPUs. cuda_half() is defined for nvcc alone, in on_gpus.cuh.
template <class Program>
struct OfProgram {
  using CudaHalf = CudaEdgeOperations;
};
template <class Body>
struct OfBody {
  using CudaHalf = BodyOperations;
};
template <class Predicate>
struct OfPredicate {
  using CudaHalf = PredicateOperations;
};
template <class T, class Map, class CombineValues>
struct OfReduction {
  using CudaHalf = ReductionOperations;
};
template <class Combine, class T>
struct OfAgreement {
  using CudaHalf = AgreementOperations;
};
template <class Program>
struct OfLists {
  using CudaHalf = ListOperations;
};
template <class Of>
const typename Of::CudaHalf* cuda_half();

}  // namespace millrace
