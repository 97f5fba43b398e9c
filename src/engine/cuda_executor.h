// Carries out supersteps on a GPU. What it does with a program is in the files cuda_*.cuh, with the program's type, for
// nvcc alone.
#pragma once

#include <typeinfo>
#include <vector>

#include "millrace/core/stopwatch.h"
#include "millrace/devices/cuda.h"
#include "millrace/engine/cuda_lists.h"
#include "millrace/engine/cuda_planner.h"
#include "millrace/engine/executor.h"
#include "millrace/operators/scratch_cuda.h"

namespace millrace {

class CudaHelp;

class CudaExecutor final : public Executor {
 public:
  // The most supersteps in one launch.
  static constexpr std::uint32_t max_supersteps = 64;
  // The least room of a queue.
  static constexpr std::uint64_t least_room = 4096;
  // Edges of frontiers whose supersteps are done in one launch.
  static constexpr std::uint64_t small_frontier = 1 << 15;

  CudaExecutor(CudaDevice& device, const Graph& graph, VertexRange own, std::uint64_t chunk);
  ~CudaExecutor() override;

  // A plan for a push over pages, where another one would do as well.
  SuperstepPlan plan_push_of_pages(const Frontier& frontier, const BoundProgram& program);
  void reset() override;
  Frontier make_frontier(Frontier::Form form) override;
  Frontier frontier(std::span<const VertexId> vertices) override;
  std::uint64_t count_edges(const Frontier& frontier) override;
  void add_to(Frontier& frontier, const Frontier& more) override;
  void copy_vertices(const Frontier& frontier, VertexId* to) override;
  Frontier frontier_of(const VertexId* vertices, std::uint64_t count) override;
  std::vector<std::uint32_t> push_pages(const Frontier& frontier) override;
  void show(const Frontier& frontier, Messages& messages, std::size_t i) override;
  void clear_shown_bits() override { touched_.zero(); }
  PassCounts await_counts() override;
  std::uint64_t growths() const override { return growths_; }
  ListOperators& list_operators() override { return lists_; }
  CudaLists& lists() { return lists_; }
  // The cpu takes part in supersteps over pages that have to be loaded.
  void be_helped(const HelpOptions& options) override;

  // For devices that push to one memory (push_together.h). They send to the room of another device; what is counted,
  // and what a device queues, is its own.
  cuda::PushRoom counting(cuda::PushRoom room) const;
  bool finds_targets_by_bits(const Frontier& frontier, const ProgramFacts& facts) const;
  // Waits for the letter of a push by rows, appends the counts of its supersteps, and returns how many there were.
  std::uint64_t await_rows(std::uint64_t letter, std::vector<PassCounts>& counts);
  VertexId* push_targets() { return targets_.data(); }

 private:
  template <class Given>
  friend class CudaProgram;
  template <class Given>
  friend class CudaSearch;
  template <class Given>
  friend class CudaPushByRows;
  template <class Given>
  friend class CudaMessages;
  friend class CudaVertexWork;
  friend class CudaPlanner;

  SuperstepPlan choose_plan(const Frontier& frontier, const BoundProgram& program, Direction direction,
                            bool go_on) override;
  const char* refuses_here(const SuperstepPlan& plan, const Frontier& frontier,
                           const BoundProgram& program) const override;
  // If the link is slowed down for tests: waits until such a link would have brought these rows.
  void slow_down_rows(std::uint64_t rows, std::uint64_t edges, const Stopwatch& watch) const;
  // Warps that search stay until all is done: as many as the GPU holds.
  unsigned search_blocks() const { return static_cast<unsigned>(4 * gpu_.info().multiprocessors); }
  unsigned search_blocks(const PageSpan& span) const { return std::min(search_blocks(), (span.num_blocks + 3) / 4); }
  std::uint64_t queue_capacity() const { return millrace::queue_capacity(graph_.supersteps(), graph_.num_vertices()); }
  std::uint64_t max_items() const { return graph_.num_vertices() / 8 + 4096; }
  // Edges that any frontier may have for its items to fit.
  std::uint64_t max_item_edges() const;

  void make_inbox(std::uint64_t bytes);
  void make_touched();
  void turned() override;
  static std::uint32_t* words_of(const Frontier::Storage& storage) {
    return reinterpret_cast<std::uint32_t*>(storage.bitmap.data());
  }
  // Gives a frontier another form, before anyone joins it.
  void make_bitmap(Frontier& frontier);
  // With room for so many, of which the first `kept` stay.
  DeviceArray<VertexId>& make_queue(const Frontier& frontier, std::uint64_t room, std::uint64_t kept = 0);
  void grow(DeviceArray<VertexId>& queue, std::uint64_t room, std::uint64_t kept, const char* what);
  // For so many, or all vertices if these are fewer.
  bool has_room(const DeviceArray<VertexId>& queue, std::uint64_t room) const {
    return queue.size() >= std::min(std::max(room, least_room), graph_.num_vertices());
  }
  VertexId* queue_of(const Frontier& frontier);
  // A bit per vertex, also where the frontier is a queue.
  std::uint32_t* bitmap_of(const Frontier& frontier);
  // The pages whose flag is set.
  std::vector<std::uint32_t> flagged_pages(std::uint32_t num_pages);
  // With counts_sender() a kernel sends its counts itself; with_counts() waits for them and gives a frontier its size.
  cuda::CountsSender counts_sender();
  Frontier with_counts(Frontier made);

  CudaDevice& gpu_;
  CudaLists lists_;
  CudaPlanner planner_;
  CudaArray<cuda::CountsLine> counts_;
  CudaArray<cuda::HubPiece> pieces_;
  CudaArray<cuda::PushCursors> cursors_;
  CudaArray<std::uint8_t> flags_;  // by page
  CudaArray<std::byte> parts_;     // of a reduction
  CudaArray<std::uint32_t> blocks_done_;
  // Made at the first push. The inbox is refilled when another program comes.
  CudaArray<std::byte> inbox_;
  const std::type_info* inbox_program_ = nullptr;
  CudaArray<std::uint32_t> touched_;
  // The messages that a pull of blocked pages keeps for its targets; empty after each pull.
  CudaArray<std::byte> gathered_;
  const std::type_info* gathered_program_ = nullptr;
  CudaArray<cuda::RowItem> items_;
  DeviceArray<VertexId> targets_;
  CudaArray<std::byte> sent_;  // of far attributes that are pulled
  std::unique_ptr<CudaHelp> help_;
  std::uint64_t growths_ = 0;
  std::uint64_t small_in_a_row_ = 0;  // supersteps from few vertices since the last other one
};

}  // namespace millrace
