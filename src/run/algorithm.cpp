#include "millrace/run/algorithm.h"

#include "millrace/core/error.h"
#include "millrace/engine/memory_plan.h"

namespace millrace {

Outcome HostAlgorithm::measure(const Store&) { throw InternalError("{} is not measured", info().name); }

Direction direction_of(const Algorithm& algorithm, const Store& store, Strategy strategy, Direction asked) {
  if (!keeps_far(strategy) || asked == Direction::push) return asked;
  const GraphNeeds needs = algorithm.needs(store, asked);
  if (needs.gathers && !needs.supersteps.push) return Direction::pull;
  if (asked == Direction::pull)
    throw UsageError("@strategy@ {} pushes in {}: leave the direction to auto", strategy_name(strategy),
                     algorithm.info().name);
  return Direction::push;
}

}  // namespace millrace
