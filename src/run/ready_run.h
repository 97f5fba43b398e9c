// A graph, an algorithm and settings become a run: the front door of the command, of Python and of programs that use
// the library.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "millrace/run/plan_run.h"
#include "millrace/run/session.h"

namespace millrace {

// A session on the devices and with the strategy of the best plan.
struct ReadyRun {
  std::shared_ptr<Session> session;
  Algorithm* algorithm = nullptr;  // has to live as long
  Wanted wanted = {};
  RunSettings asked = {};
  PlannedRun plan = {};

  Outcome run(const Finished& finished = [](const auto&) {}) const {
    return session->run(*algorithm, wanted, finished);
  }
  // What the run says about this machine, for later plans. Never fails.
  void learn(const Outcome& outcome, const RunReport& report) const {
    learn_from_run(plan, session->store(), *algorithm, asked, outcome, report);
  }
};

// Opens a store or a graph file (graph_argument.h), prepares the algorithm, plans, and opens the devices. Throws what
// these do: UsageError, BadInputError, DoesNotFitError where no plan fits.
ReadyRun ready_run(const std::filesystem::path& graph, Algorithm& algorithm, const Wanted& wanted,
                   const RunSettings& settings);
// Of a store that is open. The algorithm is prepared, unless the caller says that it is (Wanted).
ReadyRun ready_run(std::shared_ptr<const Store> store, Algorithm& algorithm, const Wanted& wanted,
                   const RunSettings& settings);
// On devices that the caller has opened: they are the plan. What was measured of this machine is used.
ReadyRun ready_run(std::shared_ptr<const Store> store, Algorithm& algorithm, const Wanted& wanted,
                   const RunSettings& settings, std::vector<ChosenDevice> devices);

}  // namespace millrace
