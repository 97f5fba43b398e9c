// A run that is over: the core of a Result in Python.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "millrace/catalogue/algorithm.h"
#include "millrace/core/timeline.h"
#include "millrace/plan/planner.h"
#include "millrace/report/run_report.h"
#include "millrace/run/session.h"

namespace millrace::python {

struct FinishedRun {
  std::shared_ptr<const Store> store;
  std::shared_ptr<Described> algorithm;
  std::shared_ptr<Session> session = {};    // whose device has results that were kept; it goes after them
  bool asked_to_keep = false;               // results on a GPU
  Outcome outcome = {};                     // of an algorithm that runs on an engine
  RunReport report = {};                    // the same
  HostAlgorithm::Report host = {};          // of one that does not
  std::optional<Plans> plans = {};          // that were compared
  std::shared_ptr<Timeline> timeline = {};  // if it was recorded
  std::vector<std::string> remarks = {};    // for the user
};

void bind_result(nanobind::module_& module);
void bind_run(nanobind::module_& module);
void bind_arrow(nanobind::module_& module);

}  // namespace millrace::python
