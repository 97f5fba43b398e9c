// The neighbourhood function: its sketches under every plan, and its estimates against exact searches.
#include "millrace/algorithms/radius.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <queue>

#include "millrace/checks/check_radius.h"
#include "millrace/core/hyperloglog.h"
#include "millrace/engine/engine.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

RadiusClaim claim_of(const RadiusOptions& options) {
  return {.log2_registers = options.log2_registers,
          .seed = options.seed,
          .undirected = options.undirected,
          .hops = options.hops};
}

void expect_the_reference(const StoredGraph& stored, const RadiusOptions& options) {
  const PlainRadius expected = reference_radius(stored.pages(Orientation::out), Orientation::out,
                                                stored.graph().num_vertices(), claim_of(options));
  const auto needs = [&](Direction direction, Available available) {
    return radius_needs(options, direction, available);
  };
  on_every_plan(stored.store(), needs, [&](Engine& engine) {
    const RadiusResult found = radius(engine, options);
    ASSERT_EQ(to_vector(found.radius), expected.radius);
    ASSERT_EQ(found.neighbourhood.size(), expected.neighbourhood.size());
    for (std::size_t h = 0; h < expected.neighbourhood.size(); ++h)
      ASSERT_NEAR(found.neighbourhood[h], expected.neighbourhood[h], 1e-9 * expected.neighbourhood[h]) << h;
  });
}

class Radius : public ShapeTest {};
TEST_P(Radius, IsThatOfPlainRegistersUnderEveryPlan) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  // Chains and grids take very many hops.
  expect_the_reference(stored, {.log2_registers = 4, .hops = 20});
  expect_the_reference(stored, {.seed = 7, .undirected = true, .hops = 4});
}
INSTANTIATE_TEST_SUITE_P(EveryShape, Radius, testing::ValuesIn(shape_names()), name_of);

RadiusResult run(const StoredGraph& stored, const RadiusOptions& options) {
  static CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), radius_needs(options, Direction::automatic), device);
  Engine engine(device, graph);
  return radius(engine, options);
}

// Pairs at most h hops apart along out-edges, and the eccentricity of every vertex within its reach.
struct Exact {
  std::vector<double> neighbourhood;
  std::vector<std::uint32_t> eccentricity;
};
Exact search_from_everywhere(const Adjacency& graph, bool undirected) {
  Exact exact{.neighbourhood = {}, .eccentricity = std::vector<std::uint32_t>(graph.num_vertices())};
  for (VertexId source = 0; source < graph.num_vertices(); ++source) {
    std::vector<std::uint32_t> level(graph.num_vertices(), ~0u);
    std::queue<VertexId> waiting({source});
    level[source] = 0;
    while (!waiting.empty()) {
      const VertexId v = waiting.front();
      waiting.pop();
      exact.eccentricity[source] = level[v];
      if (level[v] >= exact.neighbourhood.size()) exact.neighbourhood.resize(level[v] + 1);
      ++exact.neighbourhood[level[v]];
      for (const auto* rows : {&graph.out, &graph.in})
        if (rows == &graph.out || undirected)
          for (const VertexId w : (*rows)[v])
            if (level[w] == ~0u) level[w] = level[v] + 1, waiting.push(w);
    }
  }
  std::partial_sum(exact.neighbourhood.begin(), exact.neighbourhood.end(), exact.neighbourhood.begin());
  return exact;
}

// Within three standard errors of a single estimate: the errors in a sum are correlated, but not larger.
TEST(RadiusEstimate, IsWithinItsErrorOfExactSearches) {
  for (const bool undirected : {false, true})
    for (const char* name : {"rmat", "binary_tree", "grid", "chain", "cycle", "two_components", "sparse_ids"}) {
      SCOPED_TRACE(fmt::format("{}{}", name, undirected ? ", both ways" : ""));
      const StoredGraph stored(shape_named(name));
      const Exact exact = search_from_everywhere(stored.graph(), undirected);
      const RadiusOptions options{.log2_registers = 8, .undirected = undirected};
      const RadiusResult found = run(stored, options);
      EXPECT_TRUE(found.complete);
      for (std::size_t h = 0; h < found.neighbourhood.size(); ++h)
        ASSERT_NEAR(found.neighbourhood[h], exact.neighbourhood[std::min(h, exact.neighbourhood.size() - 1)],
                    3 * hyperloglog_error(8) * found.neighbourhood[h])
            << h << " hops";
      EXPECT_LE(found.hops(), exact.neighbourhood.size() - 1);
      for (VertexId v = 0; v < exact.eccentricity.size(); ++v)
        ASSERT_LE(found.radius[v], exact.eccentricity[v]) << "vertex " << v;
      const double diameter = effective_diameter(exact.neighbourhood);
      EXPECT_NEAR(found.effective_diameter, diameter, 3 * hyperloglog_error(8) * diameter + 0.5);
    }
}

// In a complete graph every sketch has all vertices after one hop.
TEST(RadiusByHand, OfACompleteGraphIsOne) {
  const RadiusResult found = run(StoredGraph(complete(40)), {});
  EXPECT_EQ(found.hops(), 1u);
  EXPECT_EQ(to_vector(found.radius), std::vector<std::uint32_t>(40, 1));
  EXPECT_NEAR(found.neighbourhood[1], 1600, 3 * hyperloglog_error(6) * 1600);
}

TEST(RadiusByHand, WithoutEdgesIsZero) {
  const RadiusResult found = run(StoredGraph({.num_vertices = 5}), {});
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.neighbourhood, (std::vector<double>{5}));
  EXPECT_EQ(found.effective_diameter, 0);
  EXPECT_EQ(to_vector(found.radius), std::vector<std::uint32_t>(5, 0));
}

TEST(RadiusHops, StopWhereTheyAreToldTo) {
  const RadiusResult found = run(StoredGraph(chain(200)), {.hops = 3});
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.hops(), 3u);
}

TEST(EffectiveDiameter, LiesBetweenHops) {
  EXPECT_EQ(effective_diameter(std::vector<double>{10}), 0);
  EXPECT_DOUBLE_EQ(effective_diameter(std::vector<double>{10, 80, 100}), 1.5);
  EXPECT_DOUBLE_EQ(effective_diameter(std::vector<double>{10, 90, 100}), 1);
  EXPECT_DOUBLE_EQ(effective_diameter(std::vector<double>{10, 60, 110}, 0.5), 0.9);
}

TEST(CheckRadius, RejectsWhatIsWrong) {
  const StoredGraph stored(rmat(8), {Order::degree, 4096});
  const RadiusResult found = run(stored, {});
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const PageSet pages = stored.pages(o);
    std::vector<std::uint32_t> radius = to_vector(found.radius);
    std::vector<double> neighbourhood = found.neighbourhood;
    EXPECT_EQ(check_radius(pages, o, radius, neighbourhood, {}), std::nullopt);
    EXPECT_TRUE(check_radius(pages, o, radius, neighbourhood, {.seed = 2}));
    EXPECT_TRUE(check_radius(pages, o, radius, neighbourhood, {.undirected = true}));
    ++radius[100];
    EXPECT_TRUE(check_radius(pages, o, radius, neighbourhood, {}));
    --radius[100];
    neighbourhood[2] *= 1.001;
    EXPECT_TRUE(check_radius(pages, o, radius, neighbourhood, {}));
  }
}

}  // namespace
}  // namespace millrace
