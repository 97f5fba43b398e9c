#include "millrace/catalogue/algorithm.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/engine/memory_plan.h"

namespace millrace {

Outcome HostAlgorithm::measure(const Store&) { throw InternalError("{} is not measured", info().name); }

GraphNeeds needs_of_run(const Algorithm& algorithm, const Store& store, Direction direction, bool wants_output) {
  constexpr std::uint64_t rounding = 4 * 4096;  // some arrays are rounded up to whole pages of memory
  GraphNeeds needs = algorithm.needs(store, direction);
  std::uint64_t afterwards = algorithm.finish_memory(store);
  if (wants_output) afterwards = std::max(afterwards, store.id_memory() + store.order_memory() + store.name_memory());
  if (wants_output || afterwards > 0)
    needs.output_bytes = store.num_vertices() * algorithm.kept_bytes_per_vertex() + rounding + afterwards;
  return needs;
}

Direction direction_of(const Algorithm& algorithm, const Store& store, Strategy strategy, Direction asked) {
  if (!keeps_far(strategy) || asked == Direction::push) return asked;
  const GraphNeeds needs = algorithm.needs(store, asked);
  if (needs.gathers && !needs.supersteps.push) return Direction::pull;
  if (asked == Direction::pull)
    throw UsageError("@strategy@ {} pushes in {}: leave the direction to auto", strategy_name(strategy),
                     algorithm.info().name);
  return Direction::push;
}

// With a fixed direction, pages of an orientation that the store lacks cannot be replaced by the other.
void require_pages(const Store& store, const GraphNeeds& needs, Strategy strategy, Direction asked,
                   Direction direction) {
  if (direction == Direction::automatic) return;
  for (const auto& [wanted, o] : {std::pair(needs.in_pages, Orientation::in), {needs.out_pages, Orientation::out}}) {
    if (!wanted || store.has(o)) continue;
    const bool by_strategy = asked == Direction::automatic;
    const std::string fixed = setting(by_strategy ? "strategy" : "direction");
    throw UsageError(
        "{} has {} pages alone, and with {} {} this run needs {} pages: leave {} to auto, or make the store "
        "again with @orientation@ both",
        store.path().string(), orientation_name(opposite(o)), fixed,
        by_strategy ? strategy_name(strategy) : direction_name(direction), orientation_name(o), fixed);
  }
}

}  // namespace millrace
