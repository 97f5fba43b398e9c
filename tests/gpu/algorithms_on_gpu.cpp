// BFS and PageRank on a GPU give the results of the cpu with any amount of memory, and stay within it.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <optional>

#include "gpu/gpu_test.h"
#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

constexpr Direction every_direction[] = {Direction::push, Direction::pull, Direction::automatic};

void compare_bfs(const StoredGraph& stored, Direction direction, const Room& room,
                 const std::vector<VertexId>& sources) {
  SCOPED_TRACE(direction_name(direction));
  CpuDevice cpu_device({.threads = 2});
  const Graph cpu_graph(stored.store(), bfs_needs(Direction::automatic), cpu_device);
  Engine cpu_engine(cpu_device, cpu_graph);
  GpuRun gpu(stored.store(), bfs_needs(direction), room);
  Engine engine(gpu.device, gpu.graph, direction);  // one engine for all sources: a search must leave nothing behind
  for (const VertexId source : sources) {
    SCOPED_TRACE(fmt::format("source {}", source));
    const BfsResult found = bfs(engine, source), expected = bfs(cpu_engine, source);
    ASSERT_EQ(to_vector(found.level), to_vector(expected.level));
    ASSERT_EQ(to_vector(found.parent), to_vector(expected.parent));
    EXPECT_EQ(found.reached, expected.reached);
    EXPECT_EQ(found.edges, expected.edges);
    EXPECT_EQ(found.depth, expected.depth);
  }
  if (direction == Direction::automatic) return;
  for (const Superstep& step : engine.supersteps()) EXPECT_EQ(step.direction, direction);
}
void compare_bfs(const StoredGraph& stored, Direction direction, const Room& room) {
  compare_bfs(stored, direction, room, stored.sources());
}

class GpuBfs : public ShapeInPlace {};
TEST_P(GpuBfs, IsThatOfTheCpu) {
  const StoredGraph stored = stored_graph(shape());
  if (stored.graph().num_vertices() == 0) return;
  for (const Direction direction : every_direction)
    compare_bfs(stored, direction, room_for(stored.store(), bfs_needs(direction), place()));
}
MILLRACE_IN_EVERY_PLACE(GpuBfs);
MILLRACE_BLOCKED_IN_EVERY_PLACE(GpuBfs);

// Also from vertices that are on no page, and beyond them.
class GpuBfsOfGaps : public ShapeInPlace {};
TEST_P(GpuBfsOfGaps, IsThatOfTheCpu) {
  const StoredGraph stored = stored_graph(shape());
  for (const Direction direction : every_direction)
    compare_bfs(stored, direction, room_for(stored.store(), bfs_needs(direction), place()), {1, 2, 3, 50, 113, 114});
}
INSTANTIATE_TEST_SUITE_P(Streamed, GpuBfsOfGaps,
                         testing::Combine(testing::Values("gaps", "gaps_transposed"), testing::ValuesIn(every_place)),
                         shape_and_place);

// One launch continues with a frontier that makes more items than the edges of the first one suggest: in pages of 4 KiB
// a hub slice has 288 edges beside weights of 8 bytes, so a row of 577 takes three slices.
using GpuPushItems = GpuTest;
TEST_F(GpuPushItems, OfALaterSuperstepHaveRoom) {
  constexpr VertexId neighbours = 56, length = 577;
  for (const VertexId n : {1000u, 1200u}) {
    SCOPED_TRACE(n);
    Shape shape{.num_vertices = n, .weights = WeightType::f64};
    std::vector<VertexId> others;
    for (VertexId v = neighbours + 1; v < n; ++v) others.push_back(v);
    std::mt19937 random(5);
    for (VertexId v = 1; v <= neighbours; ++v) {
      shape.edges.push_back({0, v});
      std::shuffle(others.begin(), others.end(), random);
      for (VertexId i = 0; i < length; ++i) shape.edges.push_back({v, others[i]});
    }
    const StoredGraph stored(shape, {Order::natural, 4096});
    EXPECT_GE(num_hub_slices(stored, Orientation::out), 3 * neighbours);
    for (const Direction direction : {Direction::push, Direction::automatic})
      compare_bfs(stored, direction, room_for(stored.store(), bfs_needs(direction), Place::resident), {0, 1, 0});
  }
}

// Supersteps that are small for long run in one cluster of blocks (from compute capability 9.0 on); it ends where a
// frontier is too large for it, and others follow.
using GpuDeepSmall = GpuTest;
TEST_F(GpuDeepSmall, SearchesPassAWideLevel) {
  constexpr VertexId before = 150, wide = 9000, after = 150;
  Shape shape = chain(before);
  shape.num_vertices = before + wide + after;
  for (VertexId v = before; v < before + wide; ++v) {
    shape.edges.push_back({before - 1, v});
    shape.edges.push_back({v, before + wide});
  }
  for (VertexId v = before + wide; v + 1 < shape.num_vertices; ++v) shape.edges.push_back({v, v + 1});
  const StoredGraph stored(shape);
  for (const Direction direction : {Direction::push, Direction::automatic})
    compare_bfs(stored, direction, room_for(stored.store(), bfs_needs(direction), Place::resident), {0, before - 1, 0});
}

template <class Real>
struct Ranks {
  std::vector<Real> rank;
  double change = 0;
};

template <class Real>
Ranks<Real> gpu_ranks(const Store& store, Direction direction, Place place) {
  GpuRun gpu(store, pagerank_needs<Real>(direction), place);
  Engine engine(gpu.device, gpu.graph, direction);
  const PageRankResult<Real> result = pagerank<Real>(engine, {.iterations = 7});
  EXPECT_EQ(result.iterations, 7u);
  for (const Superstep& step : engine.supersteps()) EXPECT_EQ(step.edges, store.num_edges());
  return {to_vector(result.rank), result.change};
}

template <class Real>
void compare_ranks(const Store& store, Place place) {
  const double tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-11;
  CpuDevice device({.threads = 2});
  const Graph graph(store, pagerank_needs<double>(Direction::pull), device);
  Engine engine(device, graph, Direction::pull);
  const PageRankResult<double> expected = pagerank<double>(engine, {.iterations = 7});
  for (const Direction direction : every_direction) {
    SCOPED_TRACE(direction_name(direction));
    const Ranks<Real> found = gpu_ranks<Real>(store, direction, place);
    EXPECT_NEAR(found.change, expected.change, tolerance);
    ASSERT_EQ(found.rank.size(), expected.rank.size());
    for (VertexId v = 0; v < found.rank.size(); ++v)
      ASSERT_NEAR(found.rank[v], expected.rank[v], tolerance * expected.rank[v]) << "vertex " << v;
  }
}

class GpuPageRank : public ShapeInPlace {
 protected:
  // A pull adds in an order that depends on neither timing nor memory, so even rounding is the same.
  template <class Real>
  static void compare_bits() {
    const StoredGraph stored = stored_graph(shape());
    const Ranks<Real> resident = gpu_ranks<Real>(stored.store(), Direction::pull, Place::resident);
    for (int again = 0; again < 3; ++again) {
      const Ranks<Real> found = gpu_ranks<Real>(stored.store(), Direction::pull, place());
      EXPECT_EQ(found.change, resident.change);
      ASSERT_EQ(found.rank.size(), resident.rank.size());
      for (VertexId v = 0; v < found.rank.size(); ++v)
        ASSERT_EQ(std::memcmp(&found.rank[v], &resident.rank[v], sizeof(Real)), 0) << "vertex " << v;
    }
  }
};
TEST_P(GpuPageRank, InSinglePrecisionIsThatOfTheCpu) { compare_ranks<float>(stored_graph(shape()).store(), place()); }
TEST_P(GpuPageRank, InDoublePrecisionIsThatOfTheCpu) { compare_ranks<double>(stored_graph(shape()).store(), place()); }
TEST_P(GpuPageRank, PulledHasTheSameBitsInAnyPlaceAtAnyTime) {
  compare_bits<float>();
  compare_bits<double>();
}
MILLRACE_IN_EVERY_PLACE(GpuPageRank);
MILLRACE_BLOCKED_IN_EVERY_PLACE(GpuPageRank);

// For compute-sanitizer.
class GpuAlgorithmsSmall : public ShapeInPlace {};
TEST_P(GpuAlgorithmsSmall, AreThoseOfTheCpu) {
  const StoredGraph stored = stored_graph(shape());
  for (const Direction direction : every_direction)
    compare_bfs(stored, direction, room_for(stored.store(), bfs_needs(direction), place()));
  compare_ranks<float>(stored.store(), place());
}
INSTANTIATE_TEST_SUITE_P(Some, GpuAlgorithmsSmall,
                         testing::Combine(testing::ValuesIn(names_in(small_shapes)),
                                          testing::Values(Place::resident, Place::least)),
                         shape_and_place);
INSTANTIATE_TEST_SUITE_P(Blocked, GpuAlgorithmsSmall,
                         testing::Combine(testing::ValuesIn(names_in(small_blocked_shapes)),
                                          testing::Values(Place::resident, Place::least)),
                         shape_and_place);

// Bytes that are copied over the link, and bytes found in the memory of the GPU.
using GpuTraffic = GpuTest;
TEST_F(GpuTraffic, OfADensePassIsEveryPageOnce) {
  const StoredGraph stored(rmat(15), {Order::degree, 4096});
  const GraphNeeds needs = pagerank_needs<float>(Direction::pull);
  const std::uint64_t bytes = page_bytes_of(stored.store(), needs);
  for (const Place place : every_place) {
    SCOPED_TRACE(place_name(place));
    GpuRun gpu(stored.store(), needs, place);
    Engine engine(gpu.device, gpu.graph, Direction::pull);
    pagerank<float>(engine, {.iterations = 4});
    ASSERT_EQ(engine.supersteps().size(), 4u);
    const Placement& placed = gpu.graph.placement();
    for (std::size_t i = 0; i < 4; ++i) {
      const Superstep& step = engine.supersteps()[i];
      EXPECT_EQ(step.loaded_bytes + step.cached_bytes, bytes);
      if (placed.resident) {
        EXPECT_EQ(step.loaded_bytes, 0u);
      } else if (i == 0) {
        EXPECT_EQ(step.cached_bytes, 0u);
      } else {
        // Cached pages are used before they are overwritten; slots are not quite full.
        EXPECT_GE(step.cached_bytes, placed.cache_bytes * 6 / 10);
        EXPECT_LE(step.cached_bytes, placed.cache_bytes);
      }
    }
  }
}

TEST_F(GpuTraffic, OfASearchIsOnlyPagesThatItTouches) {
  // Two components: a search in one does not need the pages of the other.
  Shape shape = rmat(13);
  const VertexId half = static_cast<VertexId>(shape.num_vertices);
  const std::size_t edges = shape.edges.size();
  for (std::size_t i = 0; i < edges; ++i)
    shape.edges.push_back({shape.edges[i].source + half, shape.edges[i].target + half});
  shape.num_vertices *= 2;
  const StoredGraph stored(shape, {Order::natural, 4096});
  const GraphNeeds needs = bfs_needs(Direction::push);
  GpuRun gpu(stored.store(), needs, Place::half);
  Engine engine(gpu.device, gpu.graph, Direction::push);
  bfs(engine, 0);
  ASSERT_FALSE(engine.supersteps().empty());
  for (const Superstep& step : engine.supersteps())
    EXPECT_LE(step.loaded_bytes + step.cached_bytes, page_bytes_of(stored.store(), needs) / 2 + 2 * 4096);
}

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

using GpuErrors = GpuTest;
TEST_F(GpuErrors, NameADeviceThatIsNotThere) {
  Budget host;
  for (const int ordinal : {4096, static_cast<int>(cuda_devices().size())}) {
    try {
      CudaDevice device({.ordinal = ordinal}, host);
      FAIL() << "made device " << ordinal;
    } catch (const DeviceError& error) {
      EXPECT_NE(std::string(error.what()).find(fmt::format("cuda:{}", ordinal)), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(CudaDevice({.ordinal = -1}, host), DeviceError);
  EXPECT_NO_THROW(CudaDevice({.ordinal = 0}, host));  // the device works again afterwards
}

TEST_F(GpuErrors, FindBadPagesWhereverTheyGo) {
  const StoredGraph stored(rmat(13), {Order::degree, 4096});
  const GraphNeeds needs = bfs_needs(Direction::automatic);
  const Store& store = stored.store();
  const PageTable& table = store.table(Orientation::in);
  const std::filesystem::path file =
      store.path() / store.manifest().pages(Orientation::in)->files.at(table[table.size() / 2].file);
  {
    std::fstream pages(file, std::ios::in | std::ios::out | std::ios::binary);
    const auto at = static_cast<std::streamoff>(table[table.size() / 2].offset + 300);
    pages.seekg(at);
    const char flipped = static_cast<char>(pages.get() ^ 4);
    pages.seekp(at);
    pages.put(flipped);
    ASSERT_TRUE(pages.good());
  }
  for (const Place place : {Place::resident, Place::half}) {
    SCOPED_TRACE(place_name(place));
    Budget host;
    CudaDevice device({.memory = room_for(store, needs, place).limit}, host);
    EXPECT_THROW(Graph(store, needs, device), BadInputError);
    EXPECT_EQ(device.memory().used(), 0u);
    EXPECT_EQ(host.used(), 0u);
  }
  // From disk the damage is found when the page is read.
  GpuRun gpu(store, pagerank_needs<float>(Direction::pull), Place::disk);
  ASSERT_TRUE(gpu.graph.placement().from_disk);
  Engine engine(gpu.device, gpu.graph, Direction::pull);
  EXPECT_THROW(pagerank<float>(engine, {.iterations = 1}), BadInputError);
}

// Only pages that neither the GPU nor the host holds are read.
TEST_F(GpuTraffic, FromDiskIsWhatNobodyHolds) {
  const StoredGraph stored(rmat(15), {Order::degree, 4096});
  const GraphNeeds needs = pagerank_needs<float>(Direction::pull);
  const MemoryPlan plan = plan_memory(stored.store(), with_room_for_results(needs), DeviceKind::cuda);
  Room room = room_for(stored.store(), needs, Place::disk);
  room.host_limit = plan.host + plan.pages / 2;
  GpuRun gpu(stored.store(), needs, room);
  Engine engine(gpu.device, gpu.graph, Direction::pull);
  pagerank<float>(engine, {.iterations = 4});
  const Placement& placed = gpu.graph.placement();
  EXPECT_EQ(engine.supersteps()[0].disk_bytes, plan.pages);
  for (std::size_t i = 1; i < 4; ++i) {
    const Superstep& step = engine.supersteps()[i];
    EXPECT_LE(step.disk_bytes, step.loaded_bytes - placed.host_bytes / 2) << "the host's buffer is hardly used";
  }
}

}  // namespace
}  // namespace millrace
