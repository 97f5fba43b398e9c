// Algorithms on a GPU stay within the budgets of the GPU and of the host; what is refused is told what would be enough.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "gpu/compare_bfs.h"
#include "gpu/gpu_test.h"
#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

// The limit that an error says would be enough.
std::uint64_t remedy_in(const std::string& complaint) {
  const std::string words = "allow at least ";
  const std::size_t at = complaint.find(words);
  return at == std::string::npos ? 0 : parse_size(complaint.substr(at + words.size()));
}

class GpuBudget : public GpuTest {
 protected:
  const StoredGraph stored_{rmat(13), {Order::degree, 4096}};
  const GraphNeeds needs_ = bfs_needs(Direction::automatic);
};

TEST_F(GpuBudget, BelowTheLeastIsRefusedBeforeAnythingIsLoaded) {
  const std::uint64_t least = room_for(stored_.store(), needs_, Place::least).limit;
  for (const std::uint64_t limit : {std::uint64_t{1}, least / 2, least - 1}) {
    SCOPED_TRACE(limit);
    Budget host;
    CudaDevice device({.memory = limit}, host);
    std::string complaint;
    try {
      const Graph graph(stored_.store(), needs_, device);
    } catch (const DoesNotFitError& error) {
      complaint = error.what();
    }
    EXPECT_EQ(device.memory().peak(), 0u);
    EXPECT_EQ(host.peak(), 0u);
    EXPECT_NE(complaint.find("device-memory"), std::string::npos) << complaint;
    const std::uint64_t allowed = remedy_in(complaint);
    EXPECT_GE(allowed, least);
    EXPECT_LE(allowed, least + least / 10);
    // The amount in the message is enough.
    compare_bfs(stored_, Direction::automatic, {allowed, false});
  }
}

TEST_F(GpuBudget, IsGivenBackInTheEnd) {
  for (const Place place : every_place) {
    SCOPED_TRACE(place_name(place));
    Budget host;
    CudaDevice device({.memory = room_for(stored_.store(), needs_, place).limit}, host);
    {
      const Graph graph(stored_.store(), needs_, device);
      Engine engine(device, graph);
      const BfsResult result = bfs(engine, 0);
      EXPECT_GT(device.memory().used(), 0u);
      EXPECT_GT(host.used(), 0u);
      const std::uint64_t peak = device.memory().peak();
      for (int again = 0; again < 3; ++again) bfs(engine, 0);
      EXPECT_EQ(device.memory().peak(), peak) << "a second search takes no more";
    }
    EXPECT_EQ(device.memory().used(), 0u);
    EXPECT_EQ(host.used(), 0u);
    EXPECT_LE(device.memory().peak(), device.memory().limit());
  }
}

TEST_F(GpuBudget, HoldsForAttributes) {
  GpuRun gpu(stored_.store(), needs_, Place::resident);
  Engine engine(gpu.device, gpu.graph);
  struct Wide {
    std::byte bytes[4096];
  };
  const std::uint64_t used = gpu.device.memory().used();
  EXPECT_THROW(engine.attribute<Wide>("too many"), DoesNotFitError);
  EXPECT_EQ(gpu.device.memory().used(), used);
  EXPECT_EQ(bfs(engine, 0).level.size(), stored_.graph().num_vertices());
}

TEST_F(GpuBudget, IsWhatIsFreeWhereNoneIsGiven) {
  Budget host;
  CudaDevice device({}, host);
  EXPECT_GT(device.memory().limit(), std::uint64_t{1} << 28);
  EXPECT_LE(device.memory().limit(), device.info().memory);
  const Graph graph(stored_.store(), needs_, device);
  EXPECT_TRUE(graph.placement().resident);
}

// Host memory for pages and for results being copied: with what the error asks for the run completes; with one byte
// less than it takes nothing starts.
class GpuHostBudget : public OnGpu<testing::TestWithParam<Place>> {
 protected:
  // Loads a graph under a limit, and calls body(engine). Returns the error message, if there is one.
  template <class Body>
  std::string run(const GraphNeeds& needs, std::uint64_t limit, const Body& body) const {
    Budget host(limit);
    const Room room = room_for(stored_.store(), needs, GetParam());
    CudaDevice device({.memory = room.limit}, host);
    std::optional<Graph> graph;
    try {
      graph.emplace(stored_.store(), needs, device);
    } catch (const DoesNotFitError& error) {
      EXPECT_EQ(host.peak(), 0u) << limit;
      EXPECT_EQ(device.memory().peak(), 0u) << limit;
      EXPECT_NE(std::string(error.what()).find("host-memory"), std::string::npos) << error.what();
      return error.what();
    }
    EXPECT_EQ(graph->placement().resident, room.resident);
    Engine engine(device, *graph);
    EXPECT_NO_THROW(body(engine)) << "under a limit of " << limit;
    EXPECT_LE(host.peak(), limit);
    return "";
  }

  template <class Body>
  void expect_a_promise(const GraphNeeds& needs, const Body& body) const {
    const auto only_load = [](Engine&) {};
    std::uint64_t refused = 1, let_in = remedy_in(run(needs, refused, only_load));
    ASSERT_GT(let_in, refused);
    EXPECT_EQ(run(needs, let_in, body), "");
    while (let_in - refused > 1) {
      const std::uint64_t limit = refused + (let_in - refused) / 2;
      (run(needs, limit, only_load).empty() ? let_in : refused) = limit;
    }
    EXPECT_EQ(run(needs, let_in, body), "");
    EXPECT_NE(run(needs, let_in - 1, body), "");
  }

  const StoredGraph stored_{rmat(13), {Order::degree, 4096}};
};
TEST_P(GpuHostBudget, SufficesForBfs) {
  const std::uint64_t n = stored_.graph().num_vertices();
  expect_a_promise(bfs_needs(Direction::automatic), [n](Engine& engine) {
    const BfsResult result = bfs(engine, 0);
    EXPECT_EQ(result.level.size(), n);
    EXPECT_EQ(result.parent.size(), n);
  });
}
TEST_P(GpuHostBudget, SufficesForPageRank) {
  const std::uint64_t n = stored_.graph().num_vertices();
  expect_a_promise(pagerank_needs<float>(Direction::automatic),
                   [n](Engine& engine) { EXPECT_EQ(pagerank<float>(engine, {.iterations = 3}).rank.size(), n); });
  expect_a_promise(pagerank_needs<double>(Direction::automatic),
                   [n](Engine& engine) { EXPECT_EQ(pagerank<double>(engine, {.iterations = 3}).rank.size(), n); });
}
INSTANTIATE_TEST_SUITE_P(InPlace, GpuHostBudget, testing::Values(Place::resident, Place::half, Place::least),
                         [](const auto& info) { return std::string(place_name(info.param)); });

}  // namespace
}  // namespace millrace
