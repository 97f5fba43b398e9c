// What an entry of the catalogue says of an algorithm, and how a run of it goes. Texts for people (help, remarks,
// notes) have the names of settings marked (core/error.h).
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/engine/needs.h"
#include "millrace/report/run_report.h"
#include "millrace/run/option.h"
#include "millrace/store/store.h"

namespace millrace {

// A value that every vertex has in the end.
struct ColumnInfo {
  std::string name;               // "level"
  std::string option = "output";  // of the command: the file that it is written to
  std::string option_help = {};   // of that option; one text serves for all that are "output"
  bool may_be_none = false;       // vertices, or none: which an array may have no number for
};

// How `bench` measures it.
struct BenchInfo {
  std::string unit;         // "iteration", "search", "run"
  std::string explanation;  // of its time and its GTEPS
  bool from_sources = false;
  bool reads_bits = false;  // per edge looked at, instead of a value
  bool weighted = false;    // its check reads weights
};

struct AlgorithmInfo {
  std::string name;
  std::string help;
  std::vector<ColumnInfo> columns = {};
  bool has_direction = true;  // it pushes or pulls; what gathers lists of rows does neither
  bool has_check = true;
  std::optional<BenchInfo> bench = {};  // nothing: it is not measured
};

struct ValueColumn {
  enum class Kind { numbers, levels, distances, vertices };
  std::string name;
  Kind kind;
  std::variant<std::span<const float>, std::span<const double>, std::span<const std::uint32_t>,
               std::span<const std::uint64_t>>
      values;
  // To be called once before values of the kind `vertices` are read, where they stand for vertices by other numbers
  // while they are computed; `order` has the vertices in ascending order of ids (empty: they are in that order).
  std::function<void(std::span<const VertexId> order, Budget& budget)> finish = {};
};

// What a run found.
struct Outcome {
  double seconds = 0;
  std::uint64_t edges = 0;  // for GTEPS
  double units = 1;         // such as iterations: what `bench` divides by
  double more_bytes = 0;    // beside what supersteps count: of lists written and read
  std::vector<Finding> findings = {};
  std::string shortfall = {};             // what is missing of what was asked for; mostly empty
  std::vector<ValueColumn> columns = {};  // those that were wanted, and maybe others
  // What is wrong with it, or nothing.
  std::function<std::optional<std::string>(const PageSet& pages, Orientation orientation)> check = {};
  std::shared_ptr<void> result = {};  // what columns and check refer to

  // The values of a column, by vertex, for as long as the outcome lives. Throws UsageError where there is none of that
  // name and type.
  template <class T>
  std::span<const T> values(const std::string& name) const {
    for (const ValueColumn& column : columns)
      if (const auto* const found = std::get_if<std::span<const T>>(&column.values); found && column.name == name)
        return *found;
    throw UsageError("there is no column {} of that type", name);
  }
};

// What is done with a result, so that no algorithm computes what nobody reads.
struct Wanted {
  std::set<std::string> columns;  // by name
  bool check = false;
  bool has(const std::string& column) const { return columns.contains(column); }
};

// Called with the path of a file that is complete.
using Finished = std::function<void(const std::filesystem::path&)>;

// An algorithm with its options. One object serves one run, or several with the same options.
class Described {
 public:
  virtual ~Described() = default;
  virtual const AlgorithmInfo& info() const = 0;
  // Their fields are those of this object.
  virtual std::vector<Option> options() { return {}; }
};

// One that runs on an engine.
class Algorithm : public Described {
 public:
  // The steps of a run, in this order (Session::run). First what options ask for is looked up: vertices by their ids,
  // the size of files. Nothing large is loaded. Throws UsageError where they contradict each other or the store.
  virtual void prepare(const Store& store, const Wanted& wanted) = 0;
  // The options, for the report.
  virtual std::vector<Finding> asked(const Store&) const { return {}; }
  // What whoever gave the options should know; mostly empty.
  virtual std::string remark() const { return {}; }
  // What a store without pages of one orientation would gain by them; may be empty.
  virtual std::string note(const Store&, Direction) const { return {}; }
  virtual GraphNeeds needs(const Store& store, Direction direction) const = 0;
  // What stays of a result when pages are gone, for every vertex; and what else finish() takes.
  virtual std::uint64_t kept_bytes_per_vertex() const = 0;
  virtual std::uint64_t finish_memory(const Store&) const { return 0; }
  // Input that is kept in host memory: what it takes there, and loading it.
  virtual TakenBefore input_memory(const Store&) const { return {}; }
  virtual void load_input(const Store&, Budget&) {}
  // Edges that it will look at, for a progress bar; 0 where nobody knows.
  virtual std::uint64_t expected_edges(const Store&) const { return 0; }
  virtual Outcome compute(Engine& engine, const Store& store) = 0;
  // With the pages out of memory: writes what is no column, and calls finished(path) for each file that is complete.
  virtual void finish(const Store&, Outcome&, Budget&, const Finished&) {}

  // For `bench`: instead of prepare(), with settings that it measures by. They stay.
  struct Measured {
    std::uint32_t iterations = 10;
    VertexId source = 0;
  };
  virtual void prepare_measurement(const Store&, const Measured&) {}
};

// One that reads a store on the host and loads no graph; `memory` is what it may take.
class HostAlgorithm : public Described {
 public:
  struct Report {
    std::string table, json;
    bool on_stdout = false;  // results are there: no report
  };
  // Calls finished(path) for each file that is complete.
  virtual Report run(const Store& store, bool check, Budget& memory, const Finished& finished) = 0;
  // For `bench`, where info() says how it is measured.
  virtual Outcome measure(const Store& store);
};

}  // namespace millrace
