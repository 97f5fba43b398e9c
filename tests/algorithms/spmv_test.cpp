// Products with the adjacency matrix on every shape, with weights of every type, under every plan.
#include "millrace/algorithms/spmv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "millrace/checks/check_spmv.h"
#include "millrace/engine/engine.h"
#include "support/plans.h"
#include "support/products.h"
#include "support/weighted.h"

namespace millrace {
namespace {

using namespace test;

template <class Real>
void expect_product(const StoredGraph& stored, const SpmvOptions& options) {
  const ExpectedProduct<Real> expected(stored, options);
  on_every_plan(stored.store(), expected, [&](Engine& engine) { expected.expect(engine); });
}

class Spmv : public ShapeTest {};
TEST_P(Spmv, IsThatOfALoopOverEdgesUnderEveryPlan) {
  Shape weighted = shape();
  weighted.weights = WeightType::f32;
  const StoredGraph stored(weighted, {Order::degree, 4096});
  expect_product<double>(stored, {});
  expect_product<float>(stored, {.transpose = true});
  expect_product<float>(stored, {.weighted = false});
  expect_product<double>(stored, {.transpose = true, .weighted = false});
}
INSTANTIATE_TEST_SUITE_P(EveryShape, Spmv, testing::ValuesIn(shape_names()), name_of);

TEST(SpmvWeights, OfEveryTypeCount) {
  for (const WeightType type : every_weight_type) {
    SCOPED_TRACE(weight_type_name(type));
    Shape shape = rmat(9);
    shape.weights = type;
    expect_product<double>(StoredGraph(shape, {Order::degree, 4096}), {.transpose = true});
  }
}

// 0 -> 1 twice: A = ((0, 2), (0, 0)).
TEST(SpmvByHand, ParallelEdgesAddUp) {
  const StoredGraph stored({.num_vertices = 2, .edges = {{0, 1}, {0, 1}}, .duplicates = Duplicates::keep});
  CpuDevice device({.threads = 1});
  const Graph graph(stored.store(), {.in_pages = true, .out_pages = true, .weights = true}, device);
  Engine engine(device, graph);
  const VertexId from = stored.vertex(0), to = stored.vertex(1);
  std::vector<double> x(2);
  x[from] = 5, x[to] = 7;
  EXPECT_EQ(spmv<double>(engine, x, {}).y[from], 14);
  EXPECT_EQ(spmv<double>(engine, x, {}).y[to], 0);
  EXPECT_EQ(spmv<double>(engine, x, {.transpose = true}).y[from], 0);
  EXPECT_EQ(spmv<double>(engine, x, {.transpose = true}).y[to], 10);
}

// Infinities and NaN come where they belong, with every plan, and pass the check there alone.
TEST(SpmvExtremes, AreThoseOfTheProductUnderEveryPlan) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const StoredGraph stored({.num_vertices = 5,
                            .edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 0}, {3, 1}, {4, 1}},
                            .weights = WeightType::f64,
                            .given_weights = {2, 1, 1, 1, -3, 1, 1e308}},
                           {Order::natural, 4096});
  const std::vector<double> x{infinity, 5, nan, -infinity, 0}, y{10, nan, nan, -infinity, infinity};
  const auto needs = [](Direction direction, Available available) {
    return spmv_needs<double>({}, direction, available);
  };
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  on_every_plan(stored.store(), needs, [&](Engine& engine) {
    const auto found = spmv<double>(engine, x, {});
    for (VertexId v = 0; v < 5; ++v) EXPECT_TRUE(same(found.y[v], y[v])) << v << ": " << found.y[v];
  });
  const PageSet pages = stored.store().load_pages(Orientation::out, With::weights, unlimited_budget());
  const auto check = [&](const std::vector<double>& claimed) {
    return check_spmv<double>(pages, Orientation::out, x, claimed, {});
  };
  EXPECT_EQ(check(y), std::nullopt);
  for (VertexId v = 0; v < 5; ++v)
    for (const double wrong : {infinity, -infinity, nan, 7.0}) {
      std::vector<double> claimed = y;
      claimed[v] = wrong;
      EXPECT_EQ(check(claimed).has_value(), !same(wrong, y[v])) << v << ": " << wrong;
    }
  // A product that overflows f32 is infinite; a sum of finite products of both signs that may overflow is anything.
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> large{3e38f, 2e38f, 3e38f, 3e38f, 0}, sums{infinite, 3e38f, infinite, -infinite, infinite};
  EXPECT_EQ(check_spmv<float>(pages, Orientation::out, large, sums, {}), std::nullopt);
  for (VertexId v = 0; v < 5; ++v) {
    std::vector<float> claimed = sums;
    claimed[v] = 7;
    EXPECT_TRUE(check_spmv<float>(pages, Orientation::out, large, claimed, {}).has_value()) << v;
  }
}

// Finite products of one sign that add up past the type are an infinity in every order; of both signs they are
// anything.
TEST(SpmvCheck, DemandsAnInfinityWhereNothingElseCanBe) {
  const double most = std::numeric_limits<double>::max(), infinity = std::numeric_limits<double>::infinity();
  const StoredGraph stored({.num_vertices = 3, .edges = {{0, 1}, {0, 2}}}, {Order::natural, 4096});
  const auto passes = [&](std::vector<double> x, double y) {
    const std::vector<double> claimed{y, 0, 0};
    return !check_spmv<double>(stored.pages(Orientation::out), Orientation::out, x, claimed, {.weighted = false});
  };
  EXPECT_TRUE(passes({0, most, most}, infinity));
  EXPECT_FALSE(passes({0, most, most}, most));
  EXPECT_FALSE(passes({0, most, most}, -infinity));
  EXPECT_FALSE(passes({0, most, most}, std::nan("")));
  EXPECT_TRUE(passes({0, -most, -most}, -infinity));
  EXPECT_FALSE(passes({0, -most, -most}, 7));
  EXPECT_TRUE(passes({0, most, 0}, most));
  EXPECT_FALSE(passes({0, most, 0}, most / 2));
  EXPECT_TRUE(passes({0, most, -most}, 0));
}

TEST(CheckSpmv, AcceptsTheProductAlone) {
  Shape shape = rmat(9);
  shape.weights = WeightType::u8;
  const StoredGraph stored(shape, {Order::degree, 4096});
  const ExpectedProduct<double> expected(stored, {});
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const PageSet pages = stored.store().load_pages(o, With::weights, unlimited_budget());
    const auto check = [&](const std::vector<double>& y, const SpmvClaim& claim) {
      return check_spmv<double>(pages, o, expected.x, y, claim);
    };
    EXPECT_EQ(check(expected.y, {.tolerance = 1e-12}), std::nullopt);
    EXPECT_TRUE(check(expected.y, {.transpose = true}));
    EXPECT_TRUE(check(expected.y, {.weighted = false}));
    std::vector<double> wrong = expected.y;
    const VertexId busiest = stored.sources().back();
    wrong[busiest] += 1e-3 * expected.size[busiest] + 1e-3;
    EXPECT_TRUE(check(wrong, {}));
    wrong[busiest] = std::nan("");
    EXPECT_TRUE(check(wrong, {}));
    // A product that only counts edges needs no weights.
    const ExpectedProduct<double> counted(stored, {.weighted = false});
    EXPECT_EQ(check_spmv<double>(stored.pages(o), o, counted.x, counted.y, {.weighted = false}), std::nullopt);
  }
}

}  // namespace
}  // namespace millrace
