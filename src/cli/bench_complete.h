// How an algorithm becomes a line of `millrace bench`: from what computes and what checks to a BenchWork.
#pragma once

#include <algorithm>
#include <memory>

#include "millrace/cli/bench_works.h"

namespace millrace {

// What a check has to go by, beside the result.
struct Evidence {
  const PageSet& pages;
  Orientation orientation;
  const Store& store;
  const WorkOptions& options;
};

// The result is kept for check(evidence, result). One that does not count edges looked at all of them, or might have.
template <class Result, class Check>
WorkDone done(Result found, Check check, const Store& store, const WorkOptions& options) {
  const auto result = std::make_shared<Result>(std::move(found));
  WorkDone done{.seconds = result->seconds,
                .edges = static_cast<double>(store.num_edges()),
                .check = [=, &store](const PageSet& pages, Orientation orientation) -> std::optional<std::string> {
                  return check(Evidence{pages, orientation, store, options}, *result);
                }};
  if constexpr (requires { result->edges; }) done.edges = static_cast<double>(result->edges);
  if constexpr (requires { result->iterations; }) done.units = std::max<double>(result->iterations, 1);
  return done;
}

// Adds what to run, compute(engine, options), to what is said of it.
template <class Needs, class Compute, class Check>
BenchWork complete(BenchWork work, Needs needs, Compute compute, Check check) {
  work.needs = [=](const Store& store, Direction direction) { return needs(direction, available_in(store)); };
  work.run = [=](Engine& engine, const Store& store, const WorkOptions& options) {
    return done(compute(engine, options), check, store, options);
  };
  return work;
}

}  // namespace millrace
