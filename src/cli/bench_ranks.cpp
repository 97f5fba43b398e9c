// Ranks, centralities and the product that they are made of: all edges in every iteration, in f32.
#include "millrace/algorithms/eigenvector.h"
#include "millrace/algorithms/hits.h"
#include "millrace/algorithms/katz.h"
#include "millrace/algorithms/ppr.h"
#include "millrace/algorithms/spmv.h"
#include "millrace/checks/check_centrality.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/checks/check_spmv.h"
#include "millrace/checks/compare_values.h"
#include "millrace/cli/bench_complete.h"

namespace millrace {
namespace {

constexpr double tolerance = 1e-4;  // of checks; rounding adds up over iterations
constexpr auto per_iteration = "f32, time per iteration, median of repeats; GTEPS count all edges";

BenchWork pagerank_work() {
  return complete(
      {.name = "pagerank", .unit = "iteration", .explanation = per_iteration}, pagerank_needs<float>,
      [](Engine& engine, const WorkOptions& options) {
        return pagerank<float>(engine, {.iterations = options.iterations});
      },
      [](const Evidence& by, const auto& result) {
        return check_pagerank<float>(by.pages, by.orientation, result.rank,
                                     {.iterations = by.options.iterations, .relative_tolerance = tolerance});
      });
}

// Whatever the seed, all edges are looked at: vertex 0 will do, where there is one.
BenchWork ppr_work() {
  const auto seeds = [](std::uint64_t num_vertices) {
    return std::vector<VertexId>(std::min<std::uint64_t>(num_vertices, 1), 0);
  };
  return complete(
      {.name = "ppr", .unit = "iteration", .explanation = per_iteration}, ppr_needs<float>,
      [=](Engine& engine, const WorkOptions& options) {
        return ppr<float>(engine, seeds(engine.num_vertices()), {.iterations = options.iterations});
      },
      [=](const Evidence& by, const auto& result) {
        const std::vector<VertexId> from = seeds(by.store.num_vertices());
        return check_pagerank<float>(
            by.pages, by.orientation, result.rank,
            {.iterations = by.options.iterations, .seeds = from, .relative_tolerance = tolerance});
      });
}

// A tolerance of 0, here and below, is never met: all iterations are done.
BenchWork hits_work() {
  return complete(
      {.name = "hits",
       .unit = "iteration",
       .explanation = "f32, time per iteration, median of repeats; GTEPS count all edges twice"},
      hits_needs<float>,
      [](Engine& engine, const WorkOptions& options) {
        return hits<float>(engine, {.iterations = options.iterations, .tolerance = 0});
      },
      [](const Evidence& by, const auto& result) {
        const PlainHits expected =
            reference_hits(by.pages, by.orientation, by.store.num_vertices(), by.options.iterations);
        const auto problem = compare_values<float>("authority", result.authority, expected.authority, tolerance);
        return problem ? problem : compare_values<float>("hub value", result.hub, expected.hub, tolerance);
      });
}

// Values may grow past all bounds, which ends a repeat early: that changes nothing about an iteration.
BenchWork katz_work() {
  return complete(
      {.name = "katz", .unit = "iteration", .explanation = per_iteration}, katz_needs<float>,
      [](Engine& engine, const WorkOptions& options) {
        return katz<float>(engine, {.iterations = options.iterations, .tolerance = 0});
      },
      [](const Evidence& by, const auto& result) {
        const auto expected =
            reference_katz(by.pages, by.orientation, by.store.num_vertices(), {.iterations = result.iterations});
        return compare_values<float>("centrality", result.centrality, expected, tolerance);
      });
}

BenchWork eigenvector_work() {
  return complete(
      {.name = "eigenvector", .unit = "iteration", .explanation = per_iteration}, eigenvector_needs<float>,
      [](Engine& engine, const WorkOptions& options) {
        return eigenvector<float>(engine, {.iterations = options.iterations, .tolerance = 0});
      },
      [](const Evidence& by, const auto& result) {
        const auto expected =
            reference_eigenvector(by.pages, by.orientation, by.store.num_vertices(), by.options.iterations);
        return compare_values<float>("centrality", result.centrality, expected, tolerance);
      });
}

bool has_weights(const Store& store) { return store.manifest().weight_type != WeightType::none; }

std::vector<float> some_vector(const Store& store) {
  std::vector<float> x(store.num_vertices());
  for (std::size_t v = 0; v < x.size(); ++v) x[v] = static_cast<float>(v % 8) - 3;
  return x;
}

BenchWork spmv_work() {
  BenchWork work{.name = "spmv",
                 .unit = "product",
                 .explanation = "f32, with weights where there are some, median of repeats; GTEPS count all edges",
                 .weighted = true};
  work.needs = [](const Store& store, Direction direction) {
    return spmv_needs<float>({.weighted = has_weights(store)}, direction, available_in(store));
  };
  work.run = [](Engine& engine, const Store& store, const WorkOptions& options) {
    const auto check = [](const Evidence& by, const auto& result) {
      return check_spmv<float>(by.pages, by.orientation, some_vector(by.store), result.y,
                               {.weighted = has_weights(by.store), .tolerance = tolerance});
    };
    return done(spmv<float>(engine, some_vector(store), {.weighted = has_weights(store)}), check, store, options);
  };
  return work;
}

}  // namespace

std::vector<BenchWork> rank_works() {
  return {pagerank_work(), ppr_work(), hits_work(), katz_work(), eigenvector_work(), spmv_work()};
}

}  // namespace millrace
