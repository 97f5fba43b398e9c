// Supersteps and vertex work on one device, whichever kind it is: what the three backends of an engine are made of.
#pragma once

#include "millrace/core/stopwatch.h"
#include "millrace/engine/on_executor.h"
#include "millrace/engine/run_log.h"

namespace millrace {

// The direction that was asked for, or the only one that there are pages for, or the one for all vertices; automatic
// where the frontier has to tell.
inline Direction decide_direction(const Graph& graph, Direction asked, const Frontier& frontier, Along along) {
  if (asked != Direction::automatic) return asked;
  if (!graph.has(opposite(along))) return Direction::push;
  if (!graph.has(along)) return Direction::pull;
  if (frontier.form() == Frontier::Form::all) return Direction::pull;  // reads instead of atomics
  return Direction::automatic;
}

template <class Program>
Direction choose_direction_on(Executor& executor, Direction asked, const Frontier& frontier, const Program& program,
                              Along along) {
  executor.go_along(along);
  const Direction decided = decide_direction(executor.graph(), asked, frontier, along);
  if (decided != Direction::automatic) return decided;
  return with_executor(executor, [&](auto& on) { return on.choose(frontier, program); });
}

// One superstep along the executor's edges, or where it may go on some; then the caller's frontier is used up.
// Calls done(superstep, how many of them come later) for each.
template <class Program, class Done>
Frontier edge_map_on(Executor& executor, const Frontier& frontier, const Program& program, Direction direction,
                     bool go_on, const Done& done) {
  const Stopwatch watch;
  const bool pulls = direction == Direction::pull;
  Frontier next = executor.make_frontier(pulls ? Frontier::Form::bitmap : Frontier::Form::queue);
  Superstep step{.direction = direction, .active = frontier.size()};
  std::vector<PassCounts> passes;
  if (frontier.empty())
    passes.emplace_back();  // nobody speaks
  else
    with_executor(executor, [&](auto& on) {
      if (pulls)
        on.pull(frontier, program, next, step, passes);
      else
        on.push(frontier, program, go_on, next, step, passes);
    });
  executor.count(next, passes.back());
  step.end(watch.seconds() / static_cast<double>(passes.size()), executor.graph().take_times());
  std::size_t later = passes.size();
  for (const PassCounts& pass : passes) {
    step.edges = pass.edges;
    step.bytes = pass.bytes;
    done(step, --later);
    step.active = pass.joined;
  }
  return next;
}

template <class Predicate>
Frontier filter_on(Executor& executor, const Predicate& predicate) {
  return with_executor(executor, [&](auto& on) { return on.filter(predicate); });
}

template <class Predicate>
Frontier filter_in_on(Executor& executor, const Frontier& frontier, const Predicate& predicate) {
  return with_executor(executor, [&](auto& on) { return on.filter_in(frontier, predicate); });
}

template <class Body>
void vertex_map_on(Executor& executor, const Body& body) {
  with_executor(executor, [&](auto& on) { on.vertex_map(body); });
}

template <class T, class Map, class CombineValues>
T reduce_on(Executor& executor, T identity, const Map& map, const CombineValues& combine_values) {
  return with_executor(executor, [&](auto& on) { return on.reduce(identity, map, combine_values); });
}

}  // namespace millrace
