// A store on devices: everything between settings and a result. The command, `bench`, `graphalytics` and programs that
// use the library all run algorithms by it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "millrace/report/results.h"
#include "millrace/report/run_report.h"
#include "millrace/run/algorithm.h"
#include "millrace/run/devices.h"

namespace millrace {

class GraphParts;
class Progress;

// Sizes are texts such as "16G"; what is empty is left to Millrace.
struct RunSettings {
  DeviceOptions on = {};
  Direction direction = Direction::automatic;
  Strategy strategy = Strategy::automatic;
  bool progress = false;  // a bar on a terminal
  bool learns = false;    // remembers with the store what such runs take of memory, and plans by it
  std::function<void(const std::string&)> remark = {};  // is told what whoever gave the options should know
};

class Session {
 public:
  // Throws UsageError where settings contradict each other, BadInputError where there is no store.
  Session(const std::filesystem::path& store, const RunSettings& settings);
  // A store and devices that are open already.
  Session(std::shared_ptr<const Store> store, std::vector<ChosenDevice> devices, const RunSettings& settings);
  ~Session();

  const Store& store() const { return *store_; }
  const std::vector<ChosenDevice>& devices() const { return devices_; }
  // The direction that supersteps are left to choose, or have to take.
  Direction direction() const { return keeps_far(strategy()) ? Direction::push : settings_.direction; }
  // That of the first device, where results come together.
  Budget& host_memory() { return devices_[0]->host_memory(); }

  // Prepares the algorithm, loads what it needs, computes, checks if that is wanted (a failed check throws
  // InternalError), and finishes with the pages out of memory. Calls finished(path) for each file that is complete.
  // Throws UsageError for a wanted column that the algorithm does not have.
  Outcome run(
      Algorithm& algorithm, const Wanted& wanted, const Finished& finished = [](const auto&) {});

  // For callers that compute more than once with what is loaded; pages stay until the next load() or run().
  void load(Algorithm& algorithm, const Wanted& wanted);
  Outcome compute(Algorithm& algorithm);
  // What is loaded, and the supersteps since. They throw InternalError where nothing is.
  const GraphParts& graph() const;
  const std::vector<Superstep>& supersteps() const;

  // Where columns go, by their names.
  struct Output {
    std::string column;
    std::filesystem::path path;
  };
  // Throws UsageError for a column that the outcome does not have.
  void write(
      Outcome& outcome, const std::vector<Output>& outputs, const Finished& finished = [](const auto&) {});

  // Of the latest run; peaks of memory are of all.
  RunReport report(const Outcome& outcome) const;

 private:
  Session(std::shared_ptr<const Store> store, const RunSettings& settings);
  Strategy strategy() const { return choose_strategy(settings_.strategy); }
  GraphNeeds with_output(const Algorithm& algorithm, bool wants_output);
  std::vector<Device*> all_devices() const;
  void load_graph(const GraphNeeds& needs);
  std::uint64_t planned_beside_pages(const GraphNeeds& needs) const;
  Outcome attempt(Algorithm& algorithm);
  void unload();
  void check(const Outcome& outcome);
  bool elsewhere() const;
  std::uint64_t peak_of(const Budget& budget) const;
  void require_pages_of(const GraphNeeds& needs) const;
  void require_room_for_check() const;

  RunSettings settings_;
  std::shared_ptr<const Store> store_;
  std::vector<ChosenDevice> devices_;
  std::unique_ptr<GraphParts> graph_;
  std::unique_ptr<Progress> progress_;
  std::unique_ptr<Engine> engine_;
  With with_ = With::topology;  // what the run and its check read of pages
  GraphNeeds needs_;
  std::string kind_;  // by which sizes are learned; empty where they are not
  std::uint64_t peak_before_ = 0;
  RunReport report_;
};

}  // namespace millrace
