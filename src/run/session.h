// A store on devices: everything between settings and a result. The command, `bench`, `graphalytics` and programs that
// use the library run algorithms through it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "millrace/catalogue/algorithm.h"
#include "millrace/plan/run_settings.h"
#include "millrace/report/results.h"
#include "millrace/report/run_report.h"

namespace millrace {

class GraphParts;
class Progress;

// Writes a column that is finished (ValueColumn::finish).
void write_column(const ResultWriter& writer, const std::filesystem::path& path, const ValueColumn& column);

class Session {
 public:
  // Throws UsageError if settings contradict each other, BadInputError if there is no store, or a damaged one: a store
  // that was not made here is checked.
  Session(const std::filesystem::path& store, const RunSettings& settings);
  Session(std::shared_ptr<const Store> store, const RunSettings& settings);
  // With a store and devices that are open already.
  Session(std::shared_ptr<const Store> store, std::vector<ChosenDevice> devices, const RunSettings& settings);
  ~Session();

  const Store& store() const { return *store_; }
  const std::vector<ChosenDevice>& devices() const { return devices_; }
  // The direction of supersteps; automatic: they choose.
  Direction direction(const Algorithm& algorithm) const {
    return direction_of(algorithm, *store_, strategy(), settings_.direction);
  }
  // The budget of the first device, where results are collected.
  Budget& host_memory() { return devices_[0]->host_memory(); }

  // Prepares the algorithm, loads what it needs, computes, checks if requested (a failed check throws InternalError),
  // frees the pages and finishes. Calls finished(path) for each file that is complete. Throws UsageError for a wanted
  // column that the algorithm does not have.
  Outcome run(
      Algorithm& algorithm, const Wanted& wanted, const Finished& finished = [](const auto&) {});

  // From now on pages stay loaded after a run, and the next one computes on them if it needs the same of the graph; or
  // they are freed, now and after every run.
  void keep_pages(bool keep);

  // For callers that compute more than once with the same pages; they stay until the next load() or run().
  void load(Algorithm& algorithm, const Wanted& wanted);
  Outcome compute(Algorithm& algorithm);
  // The loaded graph, and the supersteps of the latest compute(). Both throw InternalError if nothing is loaded.
  const GraphParts& graph() const;
  const std::vector<SuperstepRecord>& supersteps() const;

  // A column and the file to write it to.
  struct Output {
    std::string column;
    std::filesystem::path path;
  };
  // Throws UsageError for a column that the outcome does not have.
  void write(
      Outcome& outcome, const std::vector<Output>& outputs, const Finished& finished = [](const auto&) {});

  // What was expected of the next run, for its report.
  void expect(const std::optional<Prediction>& predicted) { report_.predicted = predicted; }
  // The report of the latest run; peaks of memory are over all runs.
  RunReport report(const Outcome& outcome) const;

 private:
  Strategy strategy() const { return choose_strategy(settings_.strategy); }
  std::vector<Device*> all_devices() const;
  void load_graph(const GraphNeeds& needs);
  bool has_loaded(const Algorithm& algorithm, const Wanted& wanted) const;
  void unload();
  void check(const Outcome& outcome);
  bool elsewhere() const;
  std::uint64_t peak_of(const Budget& budget) const;
  void require_room_for_check() const;

  RunSettings settings_;
  std::shared_ptr<const Store> store_;
  std::vector<ChosenDevice> devices_;
  std::vector<std::uint64_t> peak_before_;  // of the memory of each device, in earlier parts of the run
  HelpOptions help_;
  std::unique_ptr<GraphParts> graph_;
  std::optional<GraphNeeds> loaded_;  // what graph_ was loaded for
  bool keeps_pages_ = false;
  std::unique_ptr<Progress> progress_;
  std::unique_ptr<Engine> engine_;
  With with_ = With::topology;  // which part of pages the run and its check read
  RunReport report_;
};

}  // namespace millrace
