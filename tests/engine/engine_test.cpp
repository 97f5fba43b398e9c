// Attributes, vertex_map and reduce as algorithms see them.
#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

TEST(Engine, MakesAttributesOfZerosOrOfAValue) {
  const StoredGraph stored(chain(200));
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), {}, device);
  Engine engine(device, graph);
  EXPECT_EQ(to_vector(engine.attribute<int>("zeros").take()), std::vector<int>(200, 0));
  EXPECT_EQ(to_vector(engine.attribute<int>("sevens", 7).take()), std::vector<int>(200, 7));
}

TEST(Engine, SetsOneValue) {
  const StoredGraph stored(chain(5));
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), {}, device);
  Engine engine(device, graph);
  Attribute<int> values = engine.attribute<int>("values", 1);
  engine.set(values, 3, 9);
  EXPECT_EQ(to_vector(std::move(values).take()), (std::vector<int>{1, 1, 1, 9, 1}));
}

TEST(Engine, ChargesAttributesToTheDevice) {
  const StoredGraph stored(rmat(11));
  CpuDevice device({.threads = 2, .memory = 1 << 20});
  const Graph graph(stored.store(), {}, device);
  Engine engine(device, graph);
  const std::uint64_t before = device.memory().used();
  {
    const Attribute<double> attribute = engine.attribute<double>("some");
    EXPECT_EQ(device.memory().used(), before + 2048 * sizeof(double));
  }
  EXPECT_EQ(device.memory().used(), before);
  struct Wide {
    std::byte bytes[1024];
  };
  EXPECT_THROW(engine.attribute<Wide>("too many"), DoesNotFitError);
}

TEST(Engine, MapsAndReducesOverAllVertices) {
  const StoredGraph stored(rmat(10));
  for (const int threads : {1, 2, 4}) {
    CpuDevice device({.threads = threads});
    const Graph graph(stored.store(), {}, device);
    Engine engine(device, graph);
    Attribute<std::uint32_t> visits = engine.attribute<std::uint32_t>("visits");
    engine.vertex_map([visits = View<std::uint32_t>(visits)](VertexId v) { ++visits[v]; });
    EXPECT_EQ(to_vector(std::move(visits).take()), std::vector<std::uint32_t>(1024, 1));
    const View<const std::uint32_t> degree = engine.out_degree();
    EXPECT_EQ(engine.reduce(
                  std::uint64_t{0}, [=](VertexId v) { return std::uint64_t{degree[v]}; }, std::plus<>{}),
              stored.graph().num_edges());
  }
}

}  // namespace
}  // namespace millrace
