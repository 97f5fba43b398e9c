// Attributes under names: an engine makes them, and a dry run adds up what they take.
#include <gtest/gtest.h>

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/engine/engine.h"
#include "support/works.h"

namespace millrace {
namespace {

using namespace test;

struct Kept {
  explicit Kept(Registry& registry, std::uint32_t value = 5)
      : level(registry.attribute<std::uint32_t>("level", value)),
        parent(registry.vertex_numbers("parent", no_vertex)),
        sum(registry.attribute<double>("sum")) {}
  Attribute<std::uint32_t> level;
  Attribute<VertexId> parent;
  Attribute<double> sum;
};

struct Twice {
  explicit Twice(Registry& registry)
      : first(registry.attribute<int>("value")), second(registry.attribute<double>("value")) {}
  Attribute<int> first;
  Attribute<double> second;
};

TEST(Registry, CountsWithoutMakingAnything) {
  EXPECT_EQ(needs_of<Kept>(), (AttributeNeeds{16, 3}));
  EXPECT_EQ(needs_of<Kept>(7u), (AttributeNeeds{16, 3}));
  EXPECT_THROW(needs_of<Twice>(), InternalError) << "two attributes have one name";
}

class RegistryOfEngine : public testing::Test {
 protected:
  StoredGraph stored_{chain(200)};
  CpuDevice device_{{.threads = 2}};
  Graph graph_{stored_.store(), {}, device_};
  Engine engine_{device_, graph_};
};

TEST_F(RegistryOfEngine, MakesWhatIsCounted) {
  const std::uint64_t before = device_.memory().used();
  Kept kept(engine_, 9u);
  EXPECT_LE(device_.memory().used() - before, attribute_memory(needs_of<Kept>(), 200));
  EXPECT_EQ(to_vector(std::move(kept.level).take()), std::vector<std::uint32_t>(200, 9));
  EXPECT_EQ(to_vector(std::move(kept.parent).take()), std::vector<VertexId>(200, no_vertex));
  EXPECT_EQ(to_vector(std::move(kept.sum).take()), std::vector<double>(200, 0));
}

TEST_F(RegistryOfEngine, KnowsTheNamesOfWhatExists) {
  {
    const Kept kept(engine_);
    std::vector<std::string> names, numbers;
    for (const AttributeInfo& info : engine_.registered()) {
      names.push_back(info.name);
      if (info.vertex_numbers) numbers.push_back(info.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"level", "parent", "sum"}));
    EXPECT_EQ(numbers, std::vector<std::string>{"parent"});
    EXPECT_THROW(engine_.attribute<int>("level"), InternalError);
    EXPECT_THROW(Twice twice(engine_), InternalError);
  }
  EXPECT_TRUE(engine_.registered().empty());
  EXPECT_NO_THROW(engine_.attribute<int>("level")) << "the other one is gone";
}

TEST_F(RegistryOfEngine, TakesAsManyValuesAsThereAreVertices) {
  const std::vector<int> values(200, 3), fewer(199, 3);
  EXPECT_EQ(to_vector(engine_.attribute_from<int>("values", values).take()), values);
  EXPECT_THROW(engine_.attribute_from<int>("values", fewer), InternalError);
}

// Every algorithm can run twice on one engine: the names that it took are free again.
TEST_F(RegistryOfEngine, LeavesNothingBehind) {
  for (const Work& work : works_on(stored_.store(), 0)) {
    const Graph graph(stored_.store(), work.needs(Direction::automatic), device_);
    Engine engine(device_, graph);
    for (int round = 0; round < 2; ++round) EXPECT_FALSE(work.run(engine).empty()) << work.name;
    EXPECT_TRUE(engine.registered().empty()) << work.name;
  }
}

}  // namespace
}  // namespace millrace
