// HITS, Katz and eigenvector centrality on one engine, against their references.
#pragma once

#include <gtest/gtest.h>

#include "millrace/algorithms/eigenvector.h"
#include "millrace/algorithms/hits.h"
#include "millrace/algorithms/katz.h"
#include "millrace/checks/check_centrality.h"
#include "millrace/checks/compare_values.h"
#include "millrace/engine/engine.h"
#include "support/graphs.h"

namespace millrace::test {

template <class Real>
inline constexpr double centrality_tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-11;

// The expected results after `iterations` iterations.
struct ExpectedCentralities {
  ExpectedCentralities(const StoredGraph& stored, std::uint32_t count, double alpha_used)
      : iterations(count), alpha(alpha_used) {
    const std::uint64_t n = stored.graph().num_vertices();
    const PageSet pages = stored.pages(Orientation::out);
    hits = reference_hits(pages, Orientation::out, n, iterations);
    katz = reference_katz(pages, Orientation::out, n, {.alpha = alpha, .iterations = iterations});
    eigenvector = reference_eigenvector(pages, Orientation::out, n, iterations);
  }
  std::uint32_t iterations;
  double alpha;
  PlainHits hits;
  std::vector<double> katz, eigenvector;
};

template <class Real>
void expect_hits(Engine& engine, const ExpectedCentralities& expected) {
  constexpr double tolerance = centrality_tolerance<Real>;
  const auto found = hits<Real>(engine, {.iterations = expected.iterations, .tolerance = 0});
  EXPECT_EQ(found.iterations, expected.iterations);
  EXPECT_EQ(found.edges, 2 * engine.num_edges() * expected.iterations);
  ASSERT_EQ(compare_values<Real>("authority", found.authority, expected.hits.authority, tolerance), std::nullopt);
  ASSERT_EQ(compare_values<Real>("hub value", found.hub, expected.hits.hub, tolerance), std::nullopt);
}

template <class Real>
void expect_katz(Engine& engine, const ExpectedCentralities& expected) {
  const auto found = katz<Real>(engine, {.alpha = expected.alpha, .iterations = expected.iterations, .tolerance = 0});
  EXPECT_EQ(found.iterations, expected.iterations);
  ASSERT_EQ(compare_values<Real>("centrality", found.centrality, expected.katz, centrality_tolerance<Real>),
            std::nullopt);
}

template <class Real>
void expect_eigenvector(Engine& engine, const ExpectedCentralities& expected) {
  const auto found = eigenvector<Real>(engine, {.iterations = expected.iterations, .tolerance = 0});
  EXPECT_EQ(found.iterations, expected.iterations);
  ASSERT_EQ(compare_values<Real>("centrality", found.centrality, expected.eigenvector, centrality_tolerance<Real>),
            std::nullopt);
}

}  // namespace millrace::test
