// Every allocation of every algorithm fails once, on every plan of a cpu; afterwards the same engine finds what is
// right.
#include "support/short_of_memory.h"

#include "support/cpu_devices.h"

namespace millrace {
namespace {

using namespace test;

class ShortOfMemory : public testing::TestWithParam<bool> {
 protected:
  // Calls body(work, what one device finds) for every algorithm.
  template <class Body>
  void for_each_work(const Body& body) {
    for (const Work& work : works_on(stored_.store(), stored_.sources().front())) {
      SCOPED_TRACE(work.name);
      body(work, on_one_device(stored_.store(), work));
      if (HasFailure()) return;
    }
  }
  static constexpr std::uint64_t plenty = std::uint64_t{1} << 34;

  StoredGraph stored_{weighted_rmat(8, GetParam()), {Order::degree, 4096}};
};
INSTANTIATE_TEST_SUITE_P(Undirected, ShortOfMemory, testing::Bool());

TEST_P(ShortOfMemory, IsHarmlessInMemory) {
  for_each_work([&](const Work& work, const std::vector<double>& expected) {
    for (const Direction direction : {Direction::automatic, Direction::push, Direction::pull}) {
      SCOPED_TRACE(direction_name(direction));
      CpuDevice device({.threads = 2, .memory = plenty});
      const Graph graph(stored_.store(), work.needs(direction), device);
      Engine engine(device, graph, direction);
      Device* const devices[] = {&device};
      EXPECT_GT(fail_then_succeed(work, engine, devices, expected), 1);
    }
  });
}

TEST_P(ShortOfMemory, IsHarmlessWherePagesStream) {
  for_each_work([&](const Work& work, const std::vector<double>& expected) {
    const GraphNeeds needs = work.needs(Direction::automatic);
    CpuDevice device({.threads = 2, .memory = plan_memory(stored_.store(), needs, DeviceKind::cpu).least()});
    const Graph graph(stored_.store(), needs, device);
    Engine engine(device, graph);
    Device* const devices[] = {&device};
    EXPECT_GT(fail_then_succeed(work, engine, devices, expected), 0);
  });
}

TEST_P(ShortOfMemory, IsHarmlessOnSeveralDevices) {
  for_each_work([&](const Work& work, const std::vector<double>& expected) {
    for (const Strategy strategy : {Strategy::performance, Strategy::partitioned})
      for (const std::size_t sharing : {0, 2}) {
        SCOPED_TRACE(fmt::format("{}, {} share a memory", strategy_name(strategy), sharing));
        const CpuDevices devices(2, plenty, sharing);
        const GraphParts parts(stored_.store(), work.needs(Direction::automatic), devices.all, strategy);
        Engine engine(parts.parts());
        EXPECT_GT(fail_then_succeed(work, engine, devices.all, expected), 1);
      }
  });
}

TEST_P(ShortOfMemory, IsHarmlessWhereAttributesAreFar) {
  for_each_work([&](const Work& work, const std::vector<double>& expected) {
    for (const GraphNeeds& needs : far_needs(work)) {
      SCOPED_TRACE(needs.supersteps.push ? "push" : "pull");
      const CpuDevices devices(2, least_with_far(stored_.store(), needs, 2));
      const GraphParts parts(stored_.store(), needs, devices.all, Strategy::chunked);
      Engine engine(parts.parts());
      fail_then_succeed(work, engine, devices.all, expected);
    }
  });
}

}  // namespace
}  // namespace millrace
