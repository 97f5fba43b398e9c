// Carries out supersteps on the cpu. The templates are defined in cpu_executor_programs.h.
#pragma once

#include <optional>
#include <typeinfo>
#include <vector>

#include "millrace/engine/cpu_lists.h"
#include "millrace/engine/executor.h"
#include "millrace/operators/chunk_pull.h"
#include "millrace/operators/push_cpu.h"

namespace millrace {

template <class Program>
class HelpCopies;

class CpuExecutor final : public Executor {
 public:
  CpuExecutor(CpuDevice& device, const Graph& graph, VertexRange own, std::uint64_t chunk)
      : Executor(device, graph, own, chunk), cpu_(device), lists_(device, graph) {}

  Frontier make_frontier(Frontier::Form form) override;
  Frontier frontier(std::span<const VertexId> vertices) override;
  std::uint64_t count_edges(const Frontier& frontier) override;
  void add_to(Frontier& frontier, const Frontier& more) override;
  void copy_vertices(const Frontier& frontier, VertexId* to) override;
  Frontier frontier_of(const VertexId* vertices, std::uint64_t count) override;
  std::vector<std::uint32_t> push_pages(const Frontier& frontier) override;
  void clear_shown_bits() override;
  // Where pages are all here: stands for a GPU that is helped, in tests.
  void be_helped(const HelpOptions& options) override { help_ = options; }
  ListOperators& list_operators() override { return lists_; }
  CpuLists& lists() { return lists_; }
  const std::uint64_t* bitmap_of(const Frontier& frontier);

  // See RunsPrograms.
  template <class Program>
  Direction choose(const Frontier& frontier, const Program& program);
  template <class Program>
  void pull(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step,
            std::vector<PassCounts>& counts);
  template <class Program>
  void push(const Frontier& frontier, const Program& program, bool go_on, Frontier& next, Superstep& step,
            std::vector<PassCounts>& counts);
  template <class Predicate>
  Frontier filter(const Predicate& predicate);
  template <class Predicate>
  Frontier filter_in(const Frontier& frontier, const Predicate& predicate);
  template <class Body>
  void vertex_map(Body body);
  template <class T, class Map, class CombineValues>
  T reduce(T identity, Map map, CombineValues combine_values);
  template <class Program>
  Frontier absorb(const AbsorbKept<Program>& absorb) {
    return filter(absorb);
  }
  template <class Program>
  Frontier absorb_queues(const AbsorbKept<Program>& absorb);
  template <class Combine, class Value>
  void exchange(const Replicas<Value>& replicas, VertexRange slice) {
    combine_replicas<Combine>(replicas, slice, cpu_.threads());
  }
  template <class Value>
  void show(const Frontier& frontier, Replicas<Value>& replicas, std::size_t i);
  template <class Value>
  void clear_shown(const Frontier& frontier, Value* kept, Value nothing);

  // Where attributes are far: room for the messages of a chunk. Once they are there, the targets absorb them; those
  // that join are added to the bits of `next`.
  template <class Program>
  PushScratch<Program> open_chunk(VertexRange targets, Frontier& next);
  template <class Program>
  PassCounts close_chunk(const Program& program, const PushScratch<Program>& scratch, Frontier& next);
  // Sends along the edges of the frontier on some pages to all these parts of the targets, by so many threads.
  template <class Program>
  PassCounts send_to_chunks(const Frontier& frontier, const Program& program, const std::vector<std::uint32_t>& needed,
                            const std::vector<PushScratch<Program>>& parts, int threads, Superstep& step);
  // Where they are pulled: room for messages of so many sources and for a chunk of targets, which got nothing yet; work
  // on a range of vertices; and gathering from the rows of some pages of a segment, by so many threads.
  template <class Program>
  ChunkPull<Program> open_pull(VertexRange targets, std::uint64_t sources);
  template <class Body>
  void map_range(VertexRange range, const Body& body);
  template <class Program>
  void pull_pages(const ChunkPull<Program>& chunk, std::uint32_t segment, const std::vector<std::uint32_t>& needed,
                  const std::vector<std::uint32_t>& soon, int threads, Superstep& step);
  int threads() const { return cpu_.threads(); }

 private:
  template <class Program>
  PassCounts pull_here(const Frontier& frontier, const Program& program, Frontier& next);
  template <class Program>
  PassCounts push_here(const Frontier& frontier, const Program& program, Frontier& next);
  // See cpu_executor_help.h.
  template <class Program, class Active>
  PassCounts pull_with_help(const PageSet& pages, std::uint32_t segment, const Program& program, const Active& active,
                            std::uint64_t* next);
  template <class Program, class Active>
  PassCounts push_with_help(const PageSet& pages, const Program& program, const Active& active,
                            const PushScratch<Program>& scratch, VertexQueue& next);
  template <class Program>
  void take_sent(const Program& program, const PushScratch<Program>& scratch, const HelpCopies<Program>& copies) const;
  // Pulls of blocked pages keep what they gather of each segment; then the targets absorb it, unless it stays kept for
  // other devices.
  template <class Program, class Pull>
  PassCounts pull_segments(std::uint32_t segments, const Program& program, Frontier& next, const Pull& pull);
  template <class Program>
  PassCounts absorb_gathered(Program program, Pending<Program>* gathered, Frontier& next);
  template <class Program>
  PassCounts pull_from_disk(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);
  template <class Program>
  PassCounts push_from_disk(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);
  // Of term(i) for each i below `count`.
  template <class Term>
  std::uint64_t sum_of(std::uint64_t count, const Term& term) const;
  template <class Program>
  PushScratch<Program> push_scratch(const Frontier& frontier);
  void make_touched();
  VertexQueue new_queue(std::uint64_t size, const std::string& what) {
    return VertexQueue(DeviceArray<VertexId>(device_, size, what));
  }
  std::uint64_t* bits_in(Frontier::Storage& storage);
  Direction choose_by_edges(const Frontier& frontier, bool stops_early, bool along_edges) const;
  Direction choose_by_bytes(Direction by_edges) const;
  // What a streamed superstep would need: pages with active vertices, pages with vertices that want a message.
  std::vector<std::uint32_t> find_push_pages(const Frontier& frontier);
  template <class Program>
  std::vector<std::uint32_t> find_pull_pages(const Program& program);
  static void count(Superstep& step, const PageTraffic& traffic) {
    step.disk_bytes += traffic.load_bytes;
    step.cached_bytes += traffic.hit_bytes;
  }
  const VertexQueue& queue_of(const Frontier& frontier);

  CpuDevice& cpu_;
  CpuLists lists_;
  // Push scratch, made at the first push. The inbox is refilled when a program with another message type comes.
  Buffer inbox_;
  Buffer sent_;  // of far attributes that are pulled
  const std::type_info* inbox_type_ = nullptr;
  DeviceArray<std::uint64_t> touched_;
  // Of pulls of blocked pages; left empty after each.
  Buffer gathered_;
  const std::type_info* gathered_type_ = nullptr;
  VertexQueue targets_, joined_;
  HelpOptions help_;
  std::uint64_t helped_bytes_ = 0;  // of the present superstep
  // Where streamed: found for the choice of direction, used by the superstep that follows.
  std::optional<std::vector<std::uint32_t>> push_pages_, pull_pages_;
};

}  // namespace millrace
