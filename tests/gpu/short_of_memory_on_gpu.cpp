// Every allocation in the memory of a GPU fails once, of every algorithm; afterwards the same engine finds what is
// right.
#include "gpu/gpu_test.h"
#include "millrace/engine/graph_parts.h"
#include "support/short_of_memory.h"

namespace millrace {
namespace {

using namespace test;

class GpuSmallShortOfMemory : public OnGpu<testing::TestWithParam<bool>> {
 protected:
  // Calls body(work, what the cpu finds) for every algorithm.
  template <class Body>
  void for_each_work(const Body& body) {
    for (const Work& work : works_on(stored_.store(), stored_.sources().front())) {
      SCOPED_TRACE(work.name);
      CpuDevice cpu;
      const Graph graph(stored_.store(), work.needs(Direction::automatic), cpu);
      Engine engine(cpu, graph);
      body(work, work.run(engine));
      if (HasFailure()) return;
    }
  }

  StoredGraph stored_{weighted_rmat(9, GetParam()), {Order::degree, 4096}};
};
INSTANTIATE_TEST_SUITE_P(Undirected, GpuSmallShortOfMemory, testing::Bool());

TEST_P(GpuSmallShortOfMemory, IsHarmless) {
  for_each_work([&](const Work& work, const std::vector<double>& expected) {
    for (const Place place : {Place::resident, Place::least}) {
      SCOPED_TRACE(place_name(place));
      GpuRun gpu(stored_.store(), work.needs(Direction::automatic), place);
      Engine engine(gpu.device, gpu.graph);
      Device* const devices[] = {&gpu.device};
      EXPECT_GT(fail_then_succeed(work, engine, devices, expected), 1);
    }
  });
}

TEST_P(GpuSmallShortOfMemory, IsHarmlessOnTwoDevices) {
  for_each_work([&](const Work& work, const std::vector<double>& expected) {
    for (const bool sharing : {false, true}) {
      SCOPED_TRACE(sharing ? "one memory" : "two memories");
      Budget host;
      CudaDevice first({.memory = std::uint64_t{1} << 28, .shares_memory = sharing}, host);
      CudaDevice second({.memory = std::uint64_t{1} << 28, .shares_memory = sharing}, host);
      Device* const devices[] = {&first, &second};
      const GraphParts parts(stored_.store(), work.needs(Direction::automatic), {&first, &second},
                             Strategy::performance);
      Engine engine(parts.parts());
      EXPECT_GT(fail_then_succeed(work, engine, devices, expected), 1);
    }
  });
}

}  // namespace
}  // namespace millrace
