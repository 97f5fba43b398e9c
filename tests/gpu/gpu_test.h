// Shared by tests on a GPU: fixtures that skip if there is none, and budgets under which all pages of a graph are in
// its memory, half of them, or as few as possible, without room for a row index in host memory; the last one also with
// as few pages as possible there.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "millrace/engine/engine.h"
#include "millrace/stream/page_cache.h"
#include "support/graphs.h"

namespace millrace::test {

// Decided before the first test: a kernel that fails makes the GPU unusable, and later tests must fail then, not skip.
inline bool gpu_here() {
  static const bool here = !cuda_devices().empty();
  return here;
}

// After a kernel that failed no call of CUDA succeeds in this process.
inline bool gpu_lost() {
  try {
    return cuda_devices().empty();
  } catch (const Error&) {
    return true;
  }
}

// Where there has to be a GPU (MILLRACE_NEEDS_GPU is set), that there is none is a failure. A test that loses the GPU
// ends the process: the tests after it are for another one (house/run_shared.py).
template <class Base>
class OnGpu : public Base {
 protected:
  void SetUp() override {
    if (!gpu_here()) {
      if (std::getenv("MILLRACE_NEEDS_GPU")) FAIL() << "no GPU here";
      GTEST_SKIP() << "no GPU here";
    }
    Base::SetUp();
  }
  void TearDown() override {
    Base::TearDown();
    if (!this->HasFailure() || !gpu_here() || !gpu_lost()) return;
    fmt::print("the GPU cannot be used any more\n");
    std::fflush(stdout);
    std::_Exit(1);
  }
};
using GpuTest = OnGpu<testing::Test>;

// Where pages are. resident_without_rows: all pages fit, but not the row index with which a push looks up single rows.
enum class Place { resident, resident_without_rows, half, least, disk };
inline constexpr Place every_place[] = {Place::resident, Place::resident_without_rows, Place::half, Place::least,
                                        Place::disk};

inline const char* place_name(Place place) {
  static constexpr const char* names[] = {"resident", "resident_without_rows", "half", "least", "disk"};
  return names[static_cast<int>(place)];
}

inline std::uint64_t page_bytes_of(const Store& store, const GraphNeeds& needs) {
  return plan_memory(store, needs, DeviceKind::cuda).pages;
}

// A budget for a place, and whether all pages fit it: pages of tiny graphs always do.
struct Room {
  std::uint64_t limit = 0;
  bool resident = true;
  std::uint64_t host_limit = Budget::unlimited;
  bool from_disk = false;
};

// From disk, a test may need the small host memory for several results at a time.
inline GraphNeeds with_room_for_results(GraphNeeds needs) {
  needs.result_bytes_per_vertex += 64;
  return needs;
}

inline Room room_for(const Store& store, const GraphNeeds& needs, Place place) {
  const MemoryPlan plan = plan_memory(store, needs, DeviceKind::cuda);
  const std::uint64_t beside_pages = plan.attributes + plan.described;
  const std::uint64_t least = plan.least() - beside_pages;
  const std::uint64_t cache = place == Place::least || place == Place::disk ? least
                              : place == Place::half                        ? std::max(plan.pages / 2, least)
                                                                            : plan.pages;
  const std::uint64_t rows = place == Place::resident ? plan.rows : 0;
  Room room{.limit = beside_pages + cache + rows, .resident = cache == plan.pages};
  const std::uint64_t host = plan_memory(store, with_room_for_results(needs), DeviceKind::cuda).host;
  if (place == Place::least && !room.resident) room.host_limit = host + plan.pages + plan.rows;
  const std::uint64_t buffer = min_slot_memory(plan.largest_page);
  if (place == Place::disk && !room.resident && buffer < plan.pages) {
    room.host_limit = host + buffer;
    room.from_disk = true;
  }
  return room;
}

// A graph on a GPU with the memory that a room allows.
struct GpuRun {
  GpuRun(const Store& store, const GraphNeeds& needs, const Room& room)
      : host(room.host_limit),
        device({.memory = room.limit}, host),
        graph(store, room.host_limit == Budget::unlimited ? needs : with_room_for_results(needs), device) {
    EXPECT_EQ(graph.placement().from_disk, room.from_disk);
    EXPECT_EQ(graph.placement().resident, room.resident);
    EXPECT_EQ(graph.placement().page_bytes, page_bytes_of(store, needs));
    if (!room.resident) {
      EXPECT_GE(graph.placement().slots, 2u);
      EXPECT_LE(graph.placement().cache_bytes, graph.placement().page_bytes);
    }
  }
  GpuRun(const Store& store, const GraphNeeds& needs, Place place)
      : GpuRun(store, needs, room_for(store, needs, place)) {}
  ~GpuRun() {
    EXPECT_LE(device.memory().peak(), device.memory().limit());
    EXPECT_LE(host.peak(), host.limit());
  }

  Budget host;
  CudaDevice device;
  Graph graph;
};

// Calls body(engine) in every place and direction; `needs(direction, available)` as in algorithms.
template <class Needs, class Body>
void on_every_gpu_plan(const Store& store, const Needs& needs, const Body& body) {
  for (const Place place : every_place)
    for (const Direction direction : {Direction::push, Direction::pull, Direction::automatic}) {
      SCOPED_TRACE(fmt::format("{}, {}", place_name(place), direction_name(direction)));
      GpuRun run(store, needs(direction, available_in(store)), place);
      Engine engine(run.device, run.graph, direction);
      body(engine);
      if (testing::Test::HasFatalFailure()) return;
    }
}

// A shape by name, in pages of 4 KiB: so hubs span several pages, and all but the smallest shapes can be streamed.
struct GpuShape {
  const char* name;
  Shape (*make)();
  std::uint32_t page_bytes = 4096;
  Order order = Order::degree;
  bool blocked = false;
  Layout layout() const { return {order, page_bytes, blocked}; }
};

inline constexpr GpuShape streamed_shapes[] = {
    {"rmat", [] { return rmat(13); }},
    {"rmat_in_16k_pages", [] { return rmat(13); }, 16384},
    {"rmat_undirected", [] { return rmat(12, true); }},
    {"grid", [] { return from_generator({.kind = GenerateOptions::Kind::grid, .scale = 13, .weights = {}}, true); }},
    {"star_out", [] { return star_out(100'000); }},
    {"star_in", [] { return star_in(100'000); }},
    // In degree order the neighbours of the hub would be consecutive, and its row would fit a page.
    {"hub_of_pages", [] { return hub(20'000, 12'000); }, 4096, Order::natural},
    {"hub_undirected",
     [] {
       Shape shape = hub(40'000, 6'000);
       shape.undirected = true;
       return shape;
     },
     4096, Order::natural},
    {"gaps", gaps, 4096, Order::natural},
    {"gaps_transposed", [] { return transposed(gaps()); }, 4096, Order::natural},
    {"parallel_edges",
     [] {
       Shape shape = rmat(11);
       shape.duplicates = Duplicates::keep;
       shape.keep_self_loops = true;
       const std::size_t once = shape.edges.size();
       for (std::size_t i = 0; i < once; i += 2) shape.edges.insert(shape.edges.end(), i % 3 + 1, shape.edges[i]);
       return shape;
     }},
};
inline constexpr GpuShape tiny_shapes[] = {
    {"empty", [] { return Shape{}; }},
    {"one_vertex", [] { return Shape{.num_vertices = 1}; }},
    {"two_isolated", [] { return Shape{.num_vertices = 2}; }},
    {"self_loop",
     [] {
       return Shape{.num_vertices = 1, .edges = {{0, 0}}, .keep_self_loops = true};
     }},
    {"chain", [] { return chain(200); }},
    {"two_components", two_components},
    {"binary_tree", [] { return binary_tree(1023); }},
    {"sparse_ids", sparse_ids},  // most vertices are isolated
    {"complete", [] { return complete(40); }},
    {"hub", [] { return hub(1500, 600); }},
};
// In segments: short rows and hubs, one set of pages for both directions, hubs of several pages, rows that few have.
inline constexpr GpuShape blocked_shapes[] = {
    {"blocked_rmat", [] { return rmat(13); }, 4096, Order::degree, true},
    {"blocked_rmat_undirected", [] { return rmat(12, true); }, 4096, Order::degree, true},
    {"blocked_uniform",
     [] { return from_generator({.kind = GenerateOptions::Kind::uniform, .scale = 13, .weights = {}}); }, 16384,
     Order::natural, true},
    {"blocked_hub", [] { return hub(160'000, 90'000); }, 4096, Order::natural, true},
    {"blocked_gaps", gaps, 4096, Order::natural, true},
    {"blocked_parallel_edges", parallel_edges, 4096, Order::natural, true},
};
// For compute-sanitizer: one shape with short rows and small hubs, one with a hub in large pages.
inline constexpr GpuShape small_shapes[] = {
    {"small_rmat", [] { return rmat(9); }},
    {"small_undirected_rmat", [] { return rmat(9, true); }},
    {"small_parallel_edges", parallel_edges},
    {"small_hub", [] { return hub(20'000, 12'000); }, 4096, Order::natural},
};
inline constexpr GpuShape small_blocked_shapes[] = {
    {"small_blocked_rmat", [] { return rmat(9); }, 4096, Order::degree, true},
    {"small_blocked_undirected_rmat", [] { return rmat(9, true); }, 4096, Order::degree, true},
};

inline const GpuShape& gpu_shape(std::string_view name) {
  for (const GpuShape& shape : streamed_shapes)
    if (shape.name == name) return shape;
  for (const GpuShape& shape : tiny_shapes)
    if (shape.name == name) return shape;
  for (const GpuShape& shape : small_shapes)
    if (shape.name == name) return shape;
  for (const GpuShape& shape : blocked_shapes)
    if (shape.name == name) return shape;
  for (const GpuShape& shape : small_blocked_shapes)
    if (shape.name == name) return shape;
  throw std::runtime_error("no shape " + std::string(name));
}

inline StoredGraph stored_graph(const std::string& name) {
  const GpuShape& shape = gpu_shape(name);
  return StoredGraph(shape.make(), shape.layout());
}

inline std::uint32_t num_hub_slices(const StoredGraph& stored, Orientation orientation) {
  const PageSet pages = stored.pages(orientation);
  std::uint32_t sum = 0;
  for (std::uint32_t p = 0; p < pages.table().size(); ++p) sum += pages.page(p).header().hub_slices;
  return sum;
}

template <std::size_t n>
std::vector<std::string> names_in(const GpuShape (&shapes)[n]) {
  std::vector<std::string> names;
  for (const GpuShape& shape : shapes) names.push_back(shape.name);
  return names;
}

// A test of a shape in a place.
class ShapeInPlace : public OnGpu<testing::TestWithParam<std::tuple<std::string, Place>>> {
 protected:
  static std::string shape() { return std::get<0>(GetParam()); }
  static Place place() { return std::get<1>(GetParam()); }
};
inline std::string shape_and_place(const testing::TestParamInfo<ShapeInPlace::ParamType>& info) {
  return std::get<0>(info.param) + "_" + place_name(std::get<1>(info.param));
}

}  // namespace millrace::test

// Blocked pages in every place.
#define MILLRACE_BLOCKED_IN_EVERY_PLACE(Suite)                                                                       \
  INSTANTIATE_TEST_SUITE_P(                                                                                          \
      Blocked, Suite, testing::Combine(testing::ValuesIn(names_in(blocked_shapes)), testing::ValuesIn(every_place)), \
      shape_and_place)

// Every shape that can be streamed in every place, the others only where they fit.
#define MILLRACE_IN_EVERY_PLACE(Suite)                                                                                 \
  INSTANTIATE_TEST_SUITE_P(                                                                                            \
      Streamed, Suite, testing::Combine(testing::ValuesIn(names_in(streamed_shapes)), testing::ValuesIn(every_place)), \
      shape_and_place);                                                                                                \
  INSTANTIATE_TEST_SUITE_P(                                                                                            \
      Tiny, Suite, testing::Combine(testing::ValuesIn(names_in(tiny_shapes)), testing::Values(Place::resident)),       \
      shape_and_place)
