// Chooses how a GPU carries out a superstep (superstep_plan.h): the direction that costs less, whether rows are read
// one by one, which pages have to be loaded, and whether the cpu helps.
#pragma once

#include <limits>
#include <optional>
#include <typeinfo>
#include <vector>

#include "millrace/devices/cuda.h"
#include "millrace/engine/bound_program.h"
#include "millrace/engine/frontier.h"
#include "millrace/engine/graph.h"
#include "millrace/engine/superstep_plan.h"
#include "millrace/operators/scratch_cuda.h"

namespace millrace {

class CudaExecutor;

class CudaPlanner {
 public:
  explicit CudaPlanner(CudaExecutor& on);

  SuperstepPlan plan(const Frontier& frontier, const BoundProgram& program, Direction decided, bool go_on);
  // For a push over pages, where another plan would do as well.
  SuperstepPlan plan_push_of_pages(const Frontier& frontier, const BoundProgram& program);

  // Looks at the lengths of rows; once, before the first plan.
  void look_at_degrees();
  // A search begins: all rows are open to it. And nothing is known: supersteps go along other edges.
  void begin_search();
  void forget();
  // Forgets what earlier supersteps showed of open rows, if they were of another program or along other edges.
  bool knows_open_rows(const std::type_info& program);
  // Rows that may want a message, and their edges, as far as the last pull showed. A search notes them.
  std::uint64_t open_rows() const { return open_rows_; }
  void note_open_rows(std::uint64_t rows, std::uint64_t edges) { open_rows_ = rows, open_edges_ = edges; }
  void note_open_rows(std::uint64_t rows) { open_rows_ = rows; }
  void note_search(const std::type_info& program) { open_program_ = &program; }
  // Whether a search reads the rows alone that want a message, in so many segments that are left.
  bool searches_few(const Frontier& frontier, std::uint32_t segments, std::uint64_t open_rows) const;
  // Whether there is room for what the kernel of a push by rows draws.
  bool items_fit(const Frontier& frontier) const;
  // Whether the cpu helps in this run, and has room for the messages and attributes of this program.
  bool has_room_for_help(Direction direction, const ProgramFacts& facts) const;
  // Whether those that join are active at once. In graphs with hubs, the first-level cache holds the words of the hubs'
  // bits, but only if they do not change.
  bool may_spread(bool spreads) const {
    constexpr double skewed = 0.5;
    return spreads && hubs_ < skewed;
  }

 private:
  // What the choice of a plan has found out, each at most once.
  struct Found {
    std::optional<std::vector<std::uint32_t>> push_pages = std::nullopt, pull_pages = std::nullopt;
    // Seconds to read single rows in host memory; never where that is not possible, or does not pay.
    std::optional<double> push_far_seconds = std::nullopt, pull_far_seconds = std::nullopt;
    // Whether the rows that want a message are so few that a pull reads them alone.
    std::optional<bool> few_rows = std::nullopt;
  };
  static constexpr double never = std::numeric_limits<double>::infinity();
  struct AnyProgram {};  // a search has begun, and all rows are open

  Direction choose(const Frontier& frontier, const BoundProgram& program, Found& found, SuperstepPlan& plan);
  void plan_pull(const Frontier& frontier, const BoundProgram& program, Found& found, SuperstepPlan& plan);
  void plan_push(const Frontier& frontier, const BoundProgram& program, Found& found, bool go_on, SuperstepPlan& plan);
  void plan_pages_to_push(const Frontier& frontier, const BoundProgram& program, Found& found, SuperstepPlan& plan);
  const std::vector<std::uint32_t>& found_push_pages(const Frontier& frontier, Found& found);
  const std::vector<std::uint32_t>& found_pull_pages(const BoundProgram& program, Found& found);
  // Whether a push finds the rows of its vertices one by one.
  bool pushes_rows(const Frontier& frontier, const ProgramFacts& facts, Found& found);
  // Whether a pull that is no search collects the rows that want a message and reads them alone.
  bool gathers_few(const cuda::OpenRows& open) const;
  // Where pages stream: whether a push reads the rows of its vertices alone, in host memory, instead of loading their
  // pages; and whether a pull does so with the rows that want a message.
  bool pushes_far_rows(const Frontier& frontier, Found& found);
  bool pulls_far_rows(const Frontier& frontier, const BoundProgram& program, Found& found);
  // Lets the cpu take part in a superstep over pages, if there is room for what it needs, and if it pays.
  void plan_help(std::size_t set, const ProgramFacts& facts, SuperstepPlan& plan);
  // Counts the rows that want a message; and whether a pull is likely enough for that, and could read them alone.
  cuda::OpenRows count_open_rows(const BoundProgram& program);
  bool counts_open_rows(const Frontier& frontier) const;
  // Edges that a pull looks at when it stops at the first source of a frontier with so many edges.
  std::uint64_t expected_looks(std::uint64_t frontier_edges) const;
  void find_skew();
  void forget_open_rows();

  CudaExecutor& on_;
  const Graph& graph_;
  CudaDevice& gpu_;
  // The sum of all rows' lengths, each capped at 2^i.
  std::vector<std::uint64_t> capped_edges_;
  // The share of edges that rows have beyond twice the mean; and see CudaDirectionInputs.
  double hubs_ = 0, near_ = 1;
  // What a pull would look at next, as far as the last one showed.
  std::uint64_t open_rows_ = 0;
  std::uint64_t open_edges_ = 0;
  const std::type_info* open_program_ = nullptr;  // null: that was along other edges
};

}  // namespace millrace
