// A memory limit is a promise in both directions: a run that is accepted finishes within it, and a run that would not
// is refused before anything is loaded.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/algorithms/sssp.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine.h"
#include "support/environment.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

constexpr Direction directions[] = {Direction::push, Direction::pull, Direction::automatic};

bool is_let_in(const Store& store, const GraphNeeds& needs, std::uint64_t limit) {
  const Environment reader("MILLRACE_READER", "threads");  // threads start and end faster than a ring
  CpuDevice device({.threads = 2, .memory = limit});
  try {
    const Graph graph(store, needs, device);
    return true;
  } catch (const DoesNotFitError&) {
    EXPECT_EQ(device.memory().used(), 0u);
    EXPECT_EQ(device.memory().peak(), 0u) << "something was loaded before the refusal at " << limit;
    return false;
  }
}

// The smallest limit under which a run may start.
std::uint64_t smallest_limit(const Store& store, const GraphNeeds& needs) {
  std::uint64_t refused = 0, let_in = std::uint64_t{1} << 26;
  EXPECT_TRUE(is_let_in(store, needs, let_in));
  // Buffers take whole pages of memory.
  while (let_in - refused > 4096) {
    const std::uint64_t limit = (refused + (let_in - refused) / 2) / 4096 * 4096;
    (is_let_in(store, needs, limit) ? let_in : refused) = limit;
  }
  return let_in;
}

// Runs `algorithm` under the smallest limit that Graph accepts.
template <class Algorithm>
void expect_to_finish(const StoredGraph& stored, const GraphNeeds& needs, Direction direction, Algorithm algorithm) {
  const std::uint64_t limit = smallest_limit(stored.store(), needs);
  CpuDevice device({.threads = 4, .memory = limit});
  const Graph graph(stored.store(), needs, device);
  Engine engine(device, graph, direction);
  try {
    algorithm(engine);
    EXPECT_LE(device.memory().peak(), limit);
  } catch (const DoesNotFitError& error) {
    CpuDevice unlimited({.threads = 4});
    const Graph same(stored.store(), needs, unlimited);
    Engine other(unlimited, same, direction);
    algorithm(other);
    ADD_FAILURE() << "let in under " << limit << " bytes, but " << error.what() << "; it takes "
                  << unlimited.memory().peak();
  }
}

// The shapes, and two graphs so large that the sum over vertices counts, not the rounding of small buffers.
class MemoryLimit : public testing::TestWithParam<std::string> {
 protected:
  static Shape shape() {
    return GetParam() == "rmat_13"              ? rmat(13)
           : GetParam() == "rmat_12_undirected" ? rmat(12, true)
                                                : shape_named(GetParam());
  }
};

TEST_P(MemoryLimit, LetsBfsInOnlyWhereItFinishes) {
  if (GetParam() == "empty") return;  // there is no vertex to start from
  for (const Layout& layout : layouts()) {
    const StoredGraph stored(shape(), layout);
    for (const Direction direction : directions) {
      SCOPED_TRACE(fmt::format("{}, {}", layout.name(), direction_name(direction)));
      expect_to_finish(stored, bfs_needs(direction), direction, [&](Engine& engine) {
        for (const VertexId source : stored.sources()) bfs(engine, source);
      });
    }
  }
}

template <class Distance>
void expect_sssp_to_finish(Shape shape, WeightType type, bool parents) {
  shape.weights = type;
  const StoredGraph stored(shape, {Order::degree, 4096});
  for (const Direction direction : directions) {
    SCOPED_TRACE(fmt::format("{}, {}", weight_type_name(type), direction_name(direction)));
    expect_to_finish(stored, sssp_needs<Distance>({.parents = parents}, direction), direction,
                     [&](Engine& engine) { sssp<Distance>(engine, stored.sources().front(), {.parents = parents}); });
  }
}
TEST_P(MemoryLimit, LetsSsspInOnlyWhereItFinishes) {
  if (GetParam() == "empty") return;  // there is no vertex to start from
  expect_sssp_to_finish<std::uint32_t>(shape(), WeightType::u8, true);
  expect_sssp_to_finish<double>(shape(), WeightType::f64, false);
}

template <class Real>
void expect_pagerank_to_finish(const Shape& shape) {
  for (const Layout& layout : layouts()) {
    const StoredGraph stored(shape, layout);
    for (const Direction direction : directions) {
      SCOPED_TRACE(fmt::format("{}, {}, {} bytes", layout.name(), direction_name(direction), sizeof(Real)));
      expect_to_finish(stored, pagerank_needs<Real>(direction), direction,
                       [](Engine& engine) { pagerank<Real>(engine, {.iterations = 3}); });
    }
  }
}

TEST_P(MemoryLimit, LetsPageRankInOnlyWhereItFinishes) {
  expect_pagerank_to_finish<float>(shape());
  expect_pagerank_to_finish<double>(shape());
}

INSTANTIATE_TEST_SUITE_P(EveryShape, MemoryLimit, testing::ValuesIn(shape_names()), name_of);
INSTANTIATE_TEST_SUITE_P(LargeGraphs, MemoryLimit, testing::Values("rmat_13", "rmat_12_undirected"), name_of);

// The estimate is not far too large either: with slightly more than a run takes, it is accepted.
TEST(MemoryEstimate, IsCloseToWhatARunTakes) {
  const StoredGraph stored(rmat(13), {Order::degree});
  const auto expect_close = [&](const GraphNeeds& needs, Direction direction, auto algorithm) {
    CpuDevice device({.threads = 2});
    const Graph graph(stored.store(), needs, device);
    Engine engine(device, graph, direction);
    algorithm(engine);
    EXPECT_LT(smallest_limit(stored.store(), needs), device.memory().peak() * 5 / 4 + (64 << 10))
        << direction_name(direction);
  };
  for (const Direction direction : directions) {
    expect_close(bfs_needs(direction), direction, [&](Engine& engine) { bfs(engine, stored.sources().back()); });
    expect_close(pagerank_needs<float>(direction), direction,
                 [](Engine& engine) { pagerank<float>(engine, {.iterations = 2}); });
  }
}

TEST(MemoryRefusal, NamesTheOptionAndWhatWouldFit) {
  const StoredGraph stored(rmat(11));
  CpuDevice device({.threads = 2, .memory = 10000});
  try {
    const Graph graph(stored.store(), bfs_needs(Direction::automatic), device);
    FAIL() << "should not fit";
  } catch (const DoesNotFitError& error) {
    EXPECT_NE(std::string(error.what()).find("but host-memory allows 9.7 KiB; allow at least "), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace millrace
