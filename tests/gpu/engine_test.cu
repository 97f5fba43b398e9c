// Attributes, vertex_map and reduce on a GPU.
#include <gtest/gtest.h>

#include <limits>

#include "gpu/gpu_test.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {
namespace {

using namespace test;

// Near the sizes of warps, blocks and the grid of a reduction.
constexpr VertexId sizes[] = {0, 1, 31, 255, 256, 257, 300'000};

struct Totals {
  double sum = 0;
  double odd = 0;
  std::uint64_t count = 0;
};
struct AddTotals {
  MILLRACE_HD Totals operator()(const Totals& a, const Totals& b) const {
    return {a.sum + b.sum, a.odd + b.odd, a.count + b.count};
  }
};
// Whole numbers: exact in any order of addition.
struct TotalsOf {
  MILLRACE_HD Totals operator()(VertexId v) const {
    return {static_cast<double>(v % 1000), static_cast<double>(v % 2), v % 3 == 0 ? 1u : 0u};
  }
};
struct Scatter {
  MILLRACE_HD std::uint32_t operator()(VertexId v) const { return (v + 1) * 2654435761u; }
};
struct Lesser {
  MILLRACE_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? a : b; }
};
struct Add {
  template <class T>
  MILLRACE_HD T operator()(T a, T b) const {
    return a + b;
  }
};
struct DegreeOf {
  View<const std::uint32_t> degree;
  MILLRACE_HD std::uint64_t operator()(VertexId v) const { return degree[v]; }
};
// Rounded: the result depends on the order of addition.
struct Fraction {
  MILLRACE_HD double operator()(VertexId v) const { return 1.0 / (v + 1.0); }
};
struct Visit {
  View<std::uint32_t> visits;
  MILLRACE_HD void operator()(VertexId v) const { visits[v] += v + 1; }
};

class GpuEngine : public GpuTest {
 protected:
  template <class Body>
  static void on_each_size(const Body& body) {
    for (const VertexId n : sizes) {
      SCOPED_TRACE(n);
      const StoredGraph stored(Shape{.num_vertices = n});
      Budget host;
      CudaDevice device({.memory = std::uint64_t{64} << 20}, host);
      const Graph graph(stored.store(), {}, device);
      Engine engine(device, graph);
      body(engine);
    }
  }
};

TEST_F(GpuEngine, MapsOverEveryVertexOnce) {
  on_each_size([](Engine& engine) {
    Attribute<std::uint32_t> visits = engine.attribute<std::uint32_t>("visits");
    for (int round = 0; round < 2; ++round) engine.vertex_map(Visit{visits});
    const auto seen = std::move(visits).take();
    ASSERT_EQ(seen.size(), engine.num_vertices());
    for (VertexId v = 0; v < seen.size(); ++v) ASSERT_EQ(seen[v], 2 * (v + 1));
  });
}

TEST_F(GpuEngine, ReducesToSumsCountsAndTheLeast) {
  on_each_size([](Engine& engine) {
    Totals expected;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (VertexId v = 0; v < engine.num_vertices(); ++v) {
      expected = AddTotals{}(expected, TotalsOf{}(v));
      least = std::min(least, Scatter{}(v));
    }
    for (int again = 0; again < 3; ++again) {
      const Totals found = engine.reduce(Totals{}, TotalsOf{}, AddTotals{});
      EXPECT_EQ(found.sum, expected.sum);
      EXPECT_EQ(found.odd, expected.odd);
      EXPECT_EQ(found.count, expected.count);
      EXPECT_EQ(engine.reduce(std::numeric_limits<std::uint32_t>::max(), Scatter{}, Lesser{}), least);
    }
  });
}

TEST_F(GpuEngine, ReducesInOneOrder) {
  on_each_size([](Engine& engine) {
    const double once = engine.reduce(0.0, Fraction{}, Add{});
    double expected = 0;
    for (VertexId v = 0; v < engine.num_vertices(); ++v) expected += Fraction{}(v);
    EXPECT_NEAR(once, expected, 1e-12 * expected);
    for (int again = 0; again < 5; ++again) EXPECT_EQ(engine.reduce(0.0, Fraction{}, Add{}), once);
  });
}

TEST_F(GpuEngine, KnowsTheOutDegrees) {
  const StoredGraph stored(rmat(11), {Order::degree, 4096});
  GpuRun gpu(stored.store(), {}, Place::resident);
  Engine engine(gpu.device, gpu.graph);
  EXPECT_EQ(engine.reduce(std::uint64_t{0}, DegreeOf{engine.out_degree()}, Add{}), stored.graph().num_edges());
}

template <class T>
void check_values(Engine& engine, T value, T other) {
  const std::uint64_t n = engine.num_vertices();
  EXPECT_EQ(to_vector(engine.attribute<T>("zeros").take()), std::vector<T>(n, T{}));
  std::vector<T> expected(n, value);
  EXPECT_EQ(to_vector(engine.attribute<T>("values", value).take()), expected);
  if (n == 0) return;
  Attribute<T> changed = engine.attribute<T>("values", value);
  for (const std::uint64_t v : {std::uint64_t{0}, n / 2, n - 1}) {
    engine.set(changed, static_cast<VertexId>(v), other);
    expected[v] = other;
  }
  EXPECT_EQ(to_vector(std::move(changed).take()), expected);
}

TEST_F(GpuEngine, FillsAndSetsAttributesOfEveryWidth) {
  on_each_size([](Engine& engine) {
    check_values<std::uint8_t>(engine, 0xa5, 3);
    check_values<std::uint16_t>(engine, 0x1234, 0xffff);
    check_values<std::uint32_t>(engine, 0x01020304, 0x80000001);
    check_values<std::uint64_t>(engine, 0x0102030405060708, ~std::uint64_t{0});
    check_values<float>(engine, 0.1f, -0.0f);
    check_values<double>(engine, 0.1, 1e300);
  });
}

TEST_F(GpuEngine, ChargesAttributesToTheDeviceAndResultsToTheHost) {
  const StoredGraph stored(rmat(11), {Order::degree, 4096});
  GpuRun gpu(stored.store(), {.attributes = {.bytes = 64, .count = 64}}, Place::resident);
  Engine engine(gpu.device, gpu.graph);
  const std::uint64_t on_device = gpu.device.memory().used(), on_host = gpu.host.used();
  {
    Attribute<double> attribute = engine.attribute<double>("some");
    EXPECT_EQ(gpu.device.memory().used(), on_device + 2048 * sizeof(double));
    const Array<double> taken = std::move(attribute).take();
    EXPECT_EQ(gpu.device.memory().used(), on_device);
    EXPECT_EQ(gpu.host.used(), on_host + 2048 * sizeof(double));
  }
  EXPECT_EQ(gpu.host.used(), on_host);
}

}  // namespace
}  // namespace millrace
