#include "millrace/run/ready_run.h"

#include <utility>

#include "millrace/core/timeline.h"
#include "millrace/run/graph_argument.h"

namespace millrace {
namespace {

ReadyRun prepared(const Store& store, Algorithm& algorithm, const Wanted& wanted, const RunSettings& settings) {
  ReadyRun ready{.session = nullptr, .algorithm = &algorithm, .wanted = wanted, .asked = settings};
  if (!std::exchange(ready.wanted.prepared, true)) algorithm.prepare(store, wanted);
  return ready;
}

}  // namespace

ReadyRun ready_run(const std::filesystem::path& graph, Algorithm& algorithm, const Wanted& wanted,
                   const RunSettings& settings) {
  return ready_run(open_to_run(graph, settings), algorithm, wanted, settings);
}

ReadyRun ready_run(std::shared_ptr<const Store> store, Algorithm& algorithm, const Wanted& wanted,
                   const RunSettings& settings) {
  const Timeline::Step step("plan");
  ReadyRun ready = prepared(*store, algorithm, wanted, settings);
  ready.plan = plan_run(store, algorithm, settings, !wanted.columns.empty());
  ready.session = std::make_shared<Session>(std::move(store), ready.plan.settings);
  ready.session->expect(ready.plan.predicted);
  return ready;
}

ReadyRun ready_run(std::shared_ptr<const Store> store, Algorithm& algorithm, const Wanted& wanted,
                   const RunSettings& settings, std::vector<ChosenDevice> devices) {
  ReadyRun ready = prepared(*store, algorithm, wanted, settings);
  ready.plan.settings = settings;
  use_calibration(ready.plan.settings, load_calibration());
  ready.session = std::make_shared<Session>(std::move(store), std::move(devices), ready.plan.settings);
  return ready;
}

}  // namespace millrace
