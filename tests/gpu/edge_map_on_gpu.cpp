// edge_map on a GPU gives the results of the cpu: for every way to combine, messages of 1, 4 and 8 bytes, from every
// form of frontier, in every direction, with all pages in its memory or few.
//   The suite GpuSmall is for compute-sanitizer: millrace_gpu_tests --gtest_filter='*Small*'; its racecheck is far
// slower and has the suite RaceCheck.
#include <gtest/gtest.h>

#include "gpu/listen.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {
namespace {

using namespace test;

void compare_all(const Setting& on) {
  compare<SumOfU32>(on, "sum of u32");
  compare<SumOfU64>(on, "sum of u64");
  compare<SumOfF32>(on, "sum of f32");
  compare<MinOfU32>(on, "min of u32");
  compare<MinOfF64>(on, "min of f64");
  compare<MaxOfI32>(on, "max of i32");
  compare<MaxOfI64>(on, "max of i64");
  compare<OrOfBool>(on, "or of bool");
  compare<OrOfU64>(on, "or of u64");
  compare<Select>(on, "first u32");
  compare<FirstF64>(on, "first f64");
}

class GpuEdgeMap : public ShapeInPlace {};
TEST_P(GpuEdgeMap, IsThatOfTheCpu) { on_both(stored_graph(shape()), place(), compare_all); }
MILLRACE_IN_EVERY_PLACE(GpuEdgeMap);

// Everything once, on tiny graphs.
class GpuSmall : public ShapeInPlace {};
TEST_P(GpuSmall, EdgeMapIsThatOfTheCpu) {
  on_both(stored_graph(shape()), place(), [](Setting on) {
    on.choices = {Choice::all, Choice::most, Choice::one};
    on.directions = {Direction::pull, Direction::push};
    compare_all(on);
  });
}
INSTANTIATE_TEST_SUITE_P(Some, GpuSmall,
                         testing::Combine(testing::ValuesIn(names_in(small_shapes)),
                                          testing::Values(Place::resident, Place::least)),
                         shape_and_place);

// Programs of different kinds on one engine: each finds an empty inbox, whatever the previous one left in those bytes.
using GpuEdgeMapTurns = GpuTest;
TEST_F(GpuEdgeMapTurns, OfDifferentProgramsDoNotDisturbEachOther) {
  on_both(stored_graph("rmat"), Place::resident, [](const Setting& on) {
    Engine cpu(on.cpu, on.cpu_graph, Direction::push), gpu(on.gpu, on.gpu_graph, Direction::push);
    const auto turn = [&]<class Program>(Program program, Device& device, Engine& engine) {
      using T = typename Program::Message;
      Attribute<T> says = engine.attribute<T>("says");
      upload(device, sayings<typename Program::Combine, T>(engine.num_vertices()), says);
      Attribute<Heard<T>> heard = engine.attribute<Heard<T>>("heard");
      program.says = says;
      program.heard = heard;
      engine.edge_map(engine.all_vertices(), program);
      return Outcome<T>{.heard = std::move(heard).take(), .steps = {}};
    };
    const auto compare_turns = [&](auto program) {
      ASSERT_NO_FATAL_FAILURE(expect_alike(turn(program, on.gpu, gpu), turn(program, on.cpu, cpu)));
    };
    for (int round = 0; round < 2; ++round) {
      compare_turns(OrOfBool{});
      compare_turns(MinOfU32{});
      compare_turns(MaxOfI32{});
      compare_turns(SumOfF32{});
      compare_turns(FirstF64{});
      compare_turns(SumOfU32{});
    }
  });
}

// A hub that wants a message and gets none, while few others want one and degrees are not loaded.
using GpuPull = GpuTest;
TEST_F(GpuPull, OfFewOpenRowsNeedsNoDegrees) {
  constexpr VertexId n = 42'200;
  static_assert(n / 2 % 211 == 0, "the hub is among the few");
  Shape shape = hub(n, 6'000);
  shape.undirected = true;
  const StoredGraph stored(shape, {Order::natural, 4096});
  VertexId source = 0;  // has no neighbour among the few
  const auto silent = [&](VertexId v) {
    const auto& row = stored.graph().out[v];
    return std::none_of(row.begin(), row.end(), [](VertexId w) { return is_chosen(Choice::few, w); });
  };
  while (!silent(source)) ++source;
  GraphNeeds needs = listening_needs();
  needs.out_degrees = false;
  GpuRun gpu(stored.store(), needs, Place::resident);
  Engine engine(gpu.device, gpu.graph, Direction::pull);
  Attribute<VertexId> says = engine.attribute<VertexId>("says");
  Attribute<Heard<VertexId>> heard = engine.attribute<Heard<VertexId>>("heard");
  const Frontier frontier = engine.frontier({source});
  for (int round = 0; round < 3; ++round)
    EXPECT_EQ(engine.edge_map(frontier, Select{says, heard, Choice::few, Choice::all}).size(), 0u);
  for (const Heard<VertexId>& each : std::move(heard).take()) ASSERT_EQ(each.times, 0u);
}

// Frontiers of vertices of which some are on no page, beside those on the next page. Without out-edges they send
// nothing; without in-edges they want a message and get none.
using GpuGaps = GpuTest;
std::pair<std::vector<VertexId>, std::vector<std::uint32_t>> heard_from(Device& device, Engine& engine,
                                                                        const Frontier& frontier) {
  Attribute<VertexId> says = engine.attribute<VertexId>("says");
  upload(device, sayings<First, VertexId>(engine.num_vertices()), says);
  Attribute<Heard<VertexId>> heard = engine.attribute<Heard<VertexId>>("heard", {no_vertex, 0});
  engine.edge_map(frontier, Select{says, heard, Choice::all, Choice::all});
  std::vector<VertexId> messages;
  std::vector<std::uint32_t> times;
  for (const Heard<VertexId>& each : std::move(heard).take()) {
    messages.push_back(each.message);
    times.push_back(each.times);
  }
  return {messages, times};
}
TEST_F(GpuGaps, InAFrontierHideNobody) {
  for (const char* const name : {"gaps", "gaps_transposed"})
    for (const Place place : every_place)
      on_both(stored_graph(name), place, [&](const Setting& on) {
        for (const Direction direction : on.directions) {
          Engine cpu(on.cpu, on.cpu_graph), gpu(on.gpu, on.gpu_graph, direction);
          const std::vector<VertexId> frontiers[] = {
              {1}, {1, 2}, {0, 1, 2}, {3}, {113, 114}, {3, 40, 113, 114, 115}, {1, 2, 50, 114, 15'999}};
          for (const auto& frontier : frontiers) {
            SCOPED_TRACE(fmt::format("{} {}, {}, a frontier of {} from {}", name, place_name(place),
                                     direction_name(direction), frontier.size(), frontier.front()));
            ASSERT_EQ(heard_from(on.gpu, gpu, gpu.frontier(frontier)), heard_from(on.cpu, cpu, cpu.frontier(frontier)));
          }
        }
      });
}

// Rows slightly longer than one thread or one slice takes make the most items per edge: a sparse push just within its
// room for items, and a dense push just beyond.
using GpuPushItems = GpuTest;
void push_from_rows_of(std::uint32_t length, std::uint32_t num_rows, std::uint32_t num_vertices,
                       WeightType weights = WeightType::none) {
  SCOPED_TRACE(fmt::format("{} rows of {}", num_rows, length));
  Shape shape{.num_vertices = num_vertices, .weights = weights};
  // A stride spreads the neighbours, so that pages hold few rows.
  for (VertexId v = 0; v < num_rows; ++v)
    for (VertexId i = 0; i < length; ++i)
      shape.edges.push_back(
          {v, static_cast<VertexId>((v + 1 + std::uint64_t{i} * (num_vertices - 1) / length) % num_vertices)});
  const StoredGraph stored(shape, {Order::natural, 4096});
  on_both(stored, Place::resident, [](Setting on) {
    on.choices = {Choice::most, Choice::some};
    on.directions = {Direction::push};
    compare<Select>(on, "first u32");
    compare<SumOfU32>(on, "sum of u32");
  });
}
TEST_F(GpuPushItems, OfRowsJustTooLongForOneThread) {
  for (const std::uint32_t length : {13u, 17u, 33u})
    for (const std::uint32_t num_rows : {5700u, 7000u}) push_from_rows_of(length, num_rows, 8000);
}
TEST_F(GpuPushItems, OfRowsThatJustTakeASecondSliceOfAHub) {
  // 4 KiB pages have hub slices of 864 edges.
  for (const std::uint32_t num_rows : {60u, 100u, 110u}) push_from_rows_of(870, num_rows, 2000);
  for (const std::uint32_t num_rows : {175u, 180u}) push_from_rows_of(512, num_rows, 2000);
}

TEST_F(GpuPushItems, OfShortRowsThatTakeAPageEach) {
  // With such weights a page has room for some twenty columns: longer rows are cut into 32 parts of an edge or two.
  for (const std::uint32_t length : {20u, 30u, 40u})
    for (const std::uint32_t num_rows : {100u, 150u, 400u}) push_from_rows_of(length, num_rows, 1000, WeightType::f64);
}

// For compute-sanitizer --tool racecheck: 300 edges. With weights, a row of 290 is too long for one lane in a small
// page, and takes two hub slices.
class RaceCheck : public GpuTest {
 protected:
  static Shape in_hub() {
    Shape shape = star_in(290);
    for (VertexId v = 1; v <= 10; ++v) shape.edges.push_back({0, 29 * v});
    shape.weights = WeightType::f64;
    return shape;
  }
  template <class Program>
  static void compare_on(const Shape& shape, Place place, Choice choice, std::vector<Direction> directions) {
    const StoredGraph stored(shape, {Order::natural, 4096});
    on_both(stored, place, [&](Setting on) {
      on.choices = {choice};
      on.directions = directions;
      compare<Program>(on, "on 300 edges");
    });
  }
};
TEST_F(RaceCheck, PullsASumIntoAHub) {
  EXPECT_EQ(num_hub_slices(StoredGraph(in_hub(), {Order::natural, 4096}), Orientation::in), 2u);
  compare_on<SumOfU32>(in_hub(), Place::resident, Choice::all, {Direction::pull});
}
TEST_F(RaceCheck, Searches) { compare_on<Select>(in_hub(), Place::resident, Choice::one, {Direction::pull}); }
TEST_F(RaceCheck, PushesFromAHub) {
  compare_on<Select>(transposed(in_hub()), Place::resident, Choice::one, {Direction::push});
  compare_on<SumOfU32>(transposed(in_hub()), Place::resident, Choice::one, {Direction::push});
}
TEST_F(RaceCheck, Streams) {
  compare_on<SumOfF32>(in_hub(), Place::least, Choice::all, {Direction::pull, Direction::push});
}

}  // namespace
}  // namespace millrace
