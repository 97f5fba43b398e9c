// What an entry of the catalogue says about an algorithm, and the steps of a run. In texts for people (help, remarks,
// notes) the names of settings are marked (core/error.h).
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "millrace/catalogue/option.h"
#include "millrace/core/error.h"
#include "millrace/devices/kept_results.h"
#include "millrace/engine/needs.h"
#include "millrace/engine/strategy.h"
#include "millrace/report/answer.h"
#include "millrace/report/run_report.h"
#include "millrace/store/store.h"

namespace millrace {

// What a summary shows of a column.
enum class Shown { nothing, highest, distribution, groups };

// A value per vertex in the result.
struct ColumnInfo {
  std::string name;               // "level"
  std::string option = "output";  // option of the command for the file that it is written to
  std::string option_help = {};   // help of that option; options called "output" share one text
  bool may_be_none = false;       // values are vertices or none; an array may have no number for none
  Shown shown = Shown::highest;
};

// How `bench` measures the algorithm.
struct BenchInfo {
  std::string unit;         // "iteration", "search", "run"
  std::string explanation;  // of the time and the GTEPS
  bool from_sources = false;
  bool reads_bits = false;  // for each edge examined it reads a bit, not a value
  bool weighted = false;    // its check reads weights
};

struct AlgorithmInfo {
  std::string name;
  std::string help;
  std::string finds;       // for the table of docs/algorithms.md, in a few words
  std::string supersteps;  // the same: how many
  std::vector<ColumnInfo> columns = {};
  bool has_direction = true;  // it pushes or pulls; algorithms that gather lists do neither
  bool has_check = true;
  bool uses_weights = false;            // or writes edges with theirs
  std::optional<BenchInfo> bench = {};  // empty: it is not measured
  // Some uses, for help and manual: what follows "millrace run NAME". Settings are written @name@.
  std::vector<std::string> examples = {};
};

struct ValueColumn {
  enum class Kind { numbers, levels, distances, vertices };
  std::string name;
  Kind kind;
  std::variant<std::span<const float>, std::span<const double>, std::span<const std::uint32_t>,
               std::span<const std::uint64_t>>
      values;
  // For values of the kind `vertices` that are other numbers until the end: has to be called once before they are read.
  // `order` has the vertices in ascending order of ids (empty: that is their own order).
  std::function<void(std::span<const VertexId> order, Budget& budget)> finish = {};
  bool changed = false;  // on the host, after the values came from the device
};

// The result of a run.
struct Outcome {
  double seconds = 0;
  std::uint64_t edges = 0;  // for GTEPS
  double units = 1;         // `bench` divides by these, such as iterations
  double more_bytes = 0;    // bytes that supersteps do not count, of lists written and read
  std::vector<Finding> findings = {};
  std::string shortfall = {};              // which requested results are missing; mostly empty
  std::vector<ValueColumn> columns = {};   // the requested ones, and perhaps others
  std::vector<Answer::Chart> charts = {};  // to show beside what the columns say
  // Returns what is wrong with the result, or nothing.
  std::function<std::optional<std::string>(const PageSet& pages, Orientation orientation)> check = {};
  std::shared_ptr<void> result = {};  // owns what columns and check refer to
  KeptResults kept = {};              // if they were wanted: results that are on a GPU as well

  // The values of a column, by vertex, valid while the outcome lives. Throws UsageError if there is no column of that
  // name and type.
  template <class T>
  std::span<const T> values(const std::string& name) const {
    for (const ValueColumn& column : columns)
      if (const auto* const found = std::get_if<std::span<const T>>(&column.values); found && column.name == name)
        return *found;
    throw UsageError("there is no column {} of that type", name);
  }
};

// What the caller will do with a result, so that an algorithm computes only what is needed.
struct Wanted {
  std::set<std::string> columns;  // by name
  bool check = false;
  bool keep_on_device = false;  // results stay in the memory of their GPU as well; the session must outlive them
  bool prepared = false;        // algorithm.prepare() was called with this already
  bool has(const std::string& column) const { return columns.contains(column); }
};

// Called with the path of a file that is complete.
using Finished = std::function<void(const std::filesystem::path&)>;

// An algorithm with its options. One object is for one run, or for several runs with the same options.
class Described {
 public:
  virtual ~Described() = default;
  virtual const AlgorithmInfo& info() const = 0;
  // Their fields are members of this object.
  virtual std::vector<Option> options() { return {}; }
};

// An algorithm that runs on an engine.
class Algorithm : public Described {
 public:
  // The steps of a run, in this order (Session::run). The first one looks up what the options name: vertices by their
  // ids, the sizes of files. It loads nothing large. Throws UsageError if options contradict each other or the store.
  virtual void prepare(const Store& store, const Wanted& wanted) = 0;
  // The options, for the report.
  virtual std::vector<Finding> asked(const Store&) const { return {}; }
  // A remark for the user who gave the options; mostly empty.
  virtual std::string remark() const { return {}; }
  // How the missing pages of one orientation would speed up the run; may be empty.
  virtual std::string note(const Store&, Direction) const { return {}; }
  virtual GraphNeeds needs(const Store& store, Direction direction) const = 0;
  // The bytes of a result per vertex that stay after the pages are freed; and the other memory that finish() takes.
  virtual std::uint64_t kept_bytes_per_vertex() const = 0;
  virtual std::uint64_t finish_memory(const Store&) const { return 0; }
  // Input that is kept in host memory: how much it takes, and loading it.
  virtual TakenBefore input_memory(const Store&) const { return {}; }
  virtual void load_input(const Store&, Budget&) {}
  // How many edges it will examine, for the progress bar; 0 if unknown.
  virtual std::uint64_t expected_edges(const Store&) const { return 0; }
  // In how many of the units that `bench` measures: iterations, sources, batches. A guess where results decide.
  virtual double expected_units(const Store&) const { return 1; }
  virtual Outcome compute(Engine& engine, const Store& store) = 0;
  // After the pages are freed: writes files that are no columns, and calls finished(path) for each complete one.
  virtual void finish(const Store&, Outcome&, Budget&, const Finished&) {}

  // For `bench`, instead of prepare(): sets the options to measure with. They stay set.
  struct Measured {
    std::uint32_t iterations = 10;
    VertexId source = 0;
  };
  virtual void prepare_measurement(const Store&, const Measured&) {}
};

// The direction that an algorithm is run in: the one asked for. Supersteps on far attributes push, unless all of them
// gather and there are pages to pull.
Direction direction_of(const Algorithm& algorithm, const Store& store, Strategy strategy, Direction asked);

// Throws UsageError if the store lacks pages that this direction needs, where that was asked for or is the one of far
// attributes.
void require_pages(const Store& store, const GraphNeeds& needs, Strategy strategy, Direction asked,
                   Direction direction);

// What the algorithm needs, with the memory of its results: those that are written, or that it keeps.
GraphNeeds needs_of_run(const Algorithm& algorithm, const Store& store, Direction direction, bool wants_output);

// An algorithm that reads a store on the host and loads no graph; `memory` is its budget.
class HostAlgorithm : public Described {
 public:
  struct Report {
    std::string table, json;
    bool on_stdout = false;  // results were written to stdout: print no report
  };
  // Calls finished(path) for each file that is complete.
  virtual Report run(const Store& store, bool check, Budget& memory, const Finished& finished) = 0;
  // For `bench`, if info().bench is set.
  virtual Outcome measure(const Store& store);
};

}  // namespace millrace
