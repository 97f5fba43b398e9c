// Carries out supersteps on the cpu. What it does with a program is in cpu_program.h, with the program's type.
#pragma once

#include <optional>
#include <typeinfo>
#include <vector>

#include "millrace/engine/cpu_lists.h"
#include "millrace/engine/executor.h"
#include "millrace/operators/push_cpu.h"

namespace millrace {

class CpuExecutor final : public Executor {
 public:
  CpuExecutor(CpuDevice& device, const Graph& graph, VertexRange own, std::uint64_t chunk)
      : Executor(device, graph, own, chunk),
        cpu_(device),
        lists_(device, graph, chunk > 0 ? Where::far : Where::near) {}

  void reset() override;
  Frontier make_frontier(Frontier::Form form) override;
  Frontier frontier(std::span<const VertexId> vertices) override;
  std::uint64_t count_edges(const Frontier& frontier) override;
  void add_to(Frontier& frontier, const Frontier& more) override;
  void copy_vertices(const Frontier& frontier, VertexId* to) override;
  Frontier frontier_of(const VertexId* vertices, std::uint64_t count) override;
  std::vector<std::uint32_t> push_pages(const Frontier& frontier) override;
  void show(const Frontier& frontier, Messages& messages, std::size_t i) override;
  void clear_shown_bits() override;
  ListOperators& list_operators() override { return lists_; }
  CpuLists& lists() { return lists_; }
  int threads() const { return cpu_.threads(); }

 private:
  template <class Given>
  friend class CpuProgram;
  template <class Given>
  friend class CpuMessages;
  friend class CpuVertexWork;

  SuperstepPlan choose_plan(const Frontier& frontier, const BoundProgram& program, Direction direction,
                            bool go_on) override;
  const char* refuses_here(const SuperstepPlan& plan, const Frontier& frontier,
                           const BoundProgram& program) const override;
  Direction choose_by_edges(const Frontier& frontier, const ProgramFacts& facts) const;
  // Between directions that the edges find alike, by what either would read from disk.
  Direction choose_by_bytes(Direction by_edges, const std::vector<std::uint32_t>& push,
                            const std::vector<std::uint32_t>& pull) const;
  // Whether a push goes over the slices of all pages, rather than from row to row.
  bool pushes_pages(const Frontier& frontier, const ProgramFacts& facts) const;
  // Of a streamed pull: pages with vertices that want a message.
  std::vector<std::uint32_t> pull_pages(const BoundProgram& program);

  // Of term(i) for each i below `count`.
  template <class Term>
  std::uint64_t sum_of(std::uint64_t count, const Term& term) const;
  void clear_targets() {
    targets_.clear();
    collected_ = 0;
  }
  // `targets_` has the rows that a pull will go over, until they are cleared.
  void note_collected() { collected_ = ++collections_; }
  VertexQueue new_queue(std::uint64_t size, const std::string& what) {
    return VertexQueue(DeviceArray<VertexId>(device_, size, what));
  }
  void make_touched();
  std::uint64_t* bits_in(Frontier::Storage& storage);
  const std::uint64_t* bitmap_of(const Frontier& frontier);
  const VertexQueue& queue_of(const Frontier& frontier);
  // Room for so many values in a buffer. True if they are those of a program of this type already, and empty; else the
  // caller empties them.
  struct Values {
    Buffer buffer;
    const std::type_info* type = nullptr;
  };
  bool make_values(Values& values, std::uint64_t bytes, const std::type_info& type, const char* what);

  CpuDevice& cpu_;
  CpuLists lists_;
  // Scratch memory, made when it is first needed. Between supersteps values are empty and no bit is set.
  Values inbox_;     // of pushes
  Values gathered_;  // of pulls of blocked pages
  Buffer sent_;      // of far attributes that are pulled
  DeviceArray<std::uint64_t> touched_;
  VertexQueue targets_, joined_;
  // Of the collections of rows so far, which one is in `targets_`; 0: none.
  std::uint64_t collected_ = 0, collections_ = 0;
};

}  // namespace millrace
