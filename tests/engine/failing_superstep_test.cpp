// A superstep that fails half-way, on every plan: an exception from a program, from memory that is not there, from a
// page that cannot be read. The same session then carries out the next superstep as if nothing had happened.
#include <gtest/gtest.h>

#include <fstream>

#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/engine/graph_parts.h"
#include "support/cpu_devices.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

// The source or target at which programs fail; no_vertex: none.
struct Fault {
  VertexId at = no_vertex;
  void maybe(VertexId v) const {
    if (v == at) throw InternalError("a program failed");
  }
};

// Adds up numbers of sources; some targets join.
struct AddUp {
  using Message = std::uint64_t;
  using Combine = Sum;
  const Fault* fault;
  View<std::uint64_t> sum;
  Message message(VertexId source) const {
    fault->maybe(source);
    return source + 1;
  }
  bool absorb(VertexId target, Message message) {
    sum[target] = message;
    return target % 3 != 1;
  }
};
// The same; nobody joins, and the place of sums is known.
struct AddUpInPlace {
  using Message = std::uint64_t;
  using Combine = Sum;
  const Fault* fault;
  View<std::uint64_t> sum;
  Message message(VertexId source) const {
    fault->maybe(source);
    return source + 1;
  }
  void absorb(VertexId target, Message message) { sum[target] = message; }
};
// Finds the lowest active neighbour of targets that have none yet.
struct Find {
  using Message = VertexId;
  using Combine = First;
  const Fault* fault;
  View<std::uint64_t> found;
  bool wants(VertexId target) const { return found[target] == 0; }
  Message message(VertexId source) const { return source; }
  bool absorb(VertexId target, Message source) {
    fault->maybe(target);
    found[target] = source + 1;
    return true;
  }
};
// Messages are added one by one while they are sent.
struct AddAtOnce {
  using Message = std::uint64_t;
  using Combine = Sum;
  const Fault* fault;
  View<std::uint64_t> sum;
  Message message(VertexId source) const {
    fault->maybe(source);
    return source + 1;
  }
  bool absorb(VertexId target, Message message) { return add_shared(sum[target], message) == 0; }
  bool receive(VertexId target, Message message) const { return add_shared(sum[target], message) == 0; }
  void join(VertexId) const {}
};
// Along edges with weights.
struct Nearest {
  using Message = std::uint64_t;
  using Combine = Min;
  using Weight = std::uint32_t;
  const Fault* fault;
  View<std::uint64_t> least;
  Message message(VertexId source, VertexId, Weight weight) const {
    fault->maybe(source);
    return source + weight;
  }
  bool absorb(VertexId target, Message message) {
    least[target] = message;
    return true;
  }
};

enum class From { all, most, few };

struct Outcome {
  std::vector<std::uint64_t> values;
  std::uint64_t joined = 0;
  bool operator==(const Outcome&) const = default;
};

template <class Program>
Outcome run(Engine& engine, const Fault& fault, From from) {
  std::vector<VertexId> some;
  for (VertexId v = 0; v < engine.num_vertices(); ++v)
    if (v % (from == From::most ? 2 : 97) == 0) some.push_back(v);
  Attribute<std::uint64_t> values = engine.attribute<std::uint64_t>("values");
  const Frontier frontier = from == From::all ? engine.all_vertices() : engine.frontier(some);
  Outcome outcome;
  outcome.joined = engine.edge_map(frontier, Program{&fault, values}).size();
  const Array<std::uint64_t> taken = std::move(values).take();
  outcome.values.assign(taken.begin(), taken.end());
  return outcome;
}

// A vertex whose failure a superstep from these vertices meets.
VertexId met(const StoredGraph& stored, From from, bool target) {
  const Adjacency& graph = stored.graph();
  for (VertexId v = static_cast<VertexId>(graph.num_vertices()); v-- > 0;) {
    const auto active = [&](VertexId u) { return from == From::all || u % (from == From::most ? 2 : 97) == 0; };
    if (!target && active(v) && !graph.out[v].empty()) return v;
    if (target && std::ranges::any_of(graph.in[v], active)) return v;
  }
  return no_vertex;
}

template <class Program>
void fail_then_succeed(Engine& engine, const StoredGraph& stored, const char* name) {
  SCOPED_TRACE(name);
  CpuDevice plain({.threads = 1});
  const GraphNeeds needs{.in_pages = true, .out_pages = true, .row_index = true, .out_degrees = true, .weights = true};
  const Graph graph(stored.store(), needs, plain);
  for (const From from : {From::all, From::most, From::few}) {
    const VertexId vertex = met(stored, from, std::is_same_v<Program, Find>);
    ASSERT_NE(vertex, no_vertex);
    Engine one(plain, graph, Direction::push);
    Fault fault;
    const Outcome expected = run<Program>(one, fault, from);
    for (int round = 0; round < 2; ++round) {
      fault.at = vertex;
      EXPECT_THROW(run<Program>(engine, fault, from), InternalError) << static_cast<int>(from);
      fault.at = no_vertex;
      EXPECT_EQ(run<Program>(engine, fault, from), expected) << static_cast<int>(from);
    }
  }
}

void all_programs(Engine& engine, const StoredGraph& stored) {
  fail_then_succeed<AddUp>(engine, stored, "sums");
  fail_then_succeed<AddAtOnce>(engine, stored, "sums at once");
  fail_then_succeed<Find>(engine, stored, "first");
  fail_then_succeed<Nearest>(engine, stored, "nearest");
  fail_then_succeed<AddUpInPlace>(engine, stored, "sums in place");
}

GraphNeeds all_needs(Direction direction, bool both_ways) {
  const bool push = direction != Direction::pull, pull = direction != Direction::push;
  GraphNeeds needs{.in_pages = pull || both_ways,
                   .out_pages = push || both_ways,
                   .row_index = push,
                   .out_degrees = true,
                   .weights = true,
                   .attributes = attributes_of<std::uint64_t>()};
  needs.supersteps =
      supersteps_of<AddUp, AddAtOnce, Find, Nearest, AddUpInPlace>({.push = push, .frontiers = 3, .queues = 1});
  return needs;
}

Shape with_weights(bool undirected) {
  Shape shape = rmat(9);
  shape.undirected = undirected;
  shape.weights = WeightType::u8;
  return shape;
}

class FailingSuperstep : public testing::TestWithParam<std::tuple<Direction, bool, bool>> {
 protected:
  Direction direction() const { return std::get<0>(GetParam()); }
  StoredGraph stored() const {
    const auto [direction, undirected, blocked] = GetParam();
    return StoredGraph(with_weights(undirected), {Order::natural, 4096, blocked});
  }
};

TEST_P(FailingSuperstep, LeavesNothingInMemory) {
  const StoredGraph graph_file = stored();
  for (const int threads : {1, 3}) {
    CpuDevice device({.threads = threads});
    const Graph graph(graph_file.store(), all_needs(direction(), false), device);
    Engine engine(device, graph, direction());
    all_programs(engine, graph_file);
  }
}

TEST_P(FailingSuperstep, LeavesNothingWhereItStreams) {
  const StoredGraph graph_file = stored();
  const GraphNeeds needs = all_needs(direction(), false);
  const MemoryPlan plan = plan_memory(graph_file.store(), needs, DeviceKind::cpu);
  ASSERT_LT(plan.least(), plan.resident());
  CpuDevice device({.threads = 2, .memory = plan.least()});
  const Graph graph(graph_file.store(), needs, device);
  ASSERT_FALSE(graph.placement().resident);
  Engine engine(device, graph, direction());
  all_programs(engine, graph_file);
}

TEST_P(FailingSuperstep, LeavesNothingOnSeveralDevices) {
  const StoredGraph graph_file = stored();
  for (const std::size_t sharing : {0, 3})
    for (const Strategy strategy : {Strategy::performance, Strategy::partitioned}) {
      const CpuDevices devices(3, Budget::unlimited, sharing);
      const GraphParts parts(graph_file.store(), all_needs(direction(), false), devices.all, strategy);
      Engine engine(parts.parts(), direction());
      all_programs(engine, graph_file);
    }
}

std::string name_of_case(const testing::TestParamInfo<std::tuple<Direction, bool, bool>>& info) {
  const auto [direction, undirected, blocked] = info.param;
  return std::string(direction_name(direction)) + (undirected ? "Undirected" : "") + (blocked ? "Blocked" : "");
}
INSTANTIATE_TEST_SUITE_P(EveryDirection, FailingSuperstep,
                         testing::Combine(testing::Values(Direction::automatic, Direction::push, Direction::pull),
                                          testing::Bool(), testing::Bool()),
                         name_of_case);

TEST(FailingSupersteps, LeaveNothingWhereAttributesAreFar) {
  const StoredGraph stored(with_weights(false), {Order::natural, 4096});
  const GraphNeeds needs = all_needs(Direction::push, false);
  const CpuDevices devices(2, least_with_far(stored.store(), needs, 2));
  const GraphParts parts(stored.store(), needs, devices.all, Strategy::chunked);
  Engine engine(parts.parts());
  all_programs(engine, stored);
}

// A run that declared no pushes has no room for their inbox.
TEST(FailingSupersteps, LeaveNothingWhereThereIsNoMemory) {
  const StoredGraph stored(with_weights(false), {Order::natural, 4096});
  GraphNeeds needs = all_needs(Direction::pull, true);
  needs.supersteps.push = false;
  CpuDevice device({.threads = 2, .memory = plan_memory(stored.store(), needs, DeviceKind::cpu).resident()});
  const Graph graph(stored.store(), needs, device);
  Engine push(device, graph, Direction::push);
  const Fault none;
  // Takes what is left, so that the push finds nothing.
  const std::uint64_t left = device.memory().limit() - device.memory().used();
  for (int round = 0; round < 2; ++round) {
    {
      const Buffer taken(left > 16 * graph.num_vertices() ? left - 16 * graph.num_vertices() : 0, device.memory(),
                         "a test");
      EXPECT_THROW(run<AddUp>(push, none, From::all), DoesNotFitError);
    }
    Engine pull(device, graph, Direction::pull);
    CpuDevice plain({.threads = 1});
    const Graph whole(stored.store(), all_needs(Direction::push, false), plain);
    Engine one(plain, whole, Direction::push);
    EXPECT_EQ(run<AddUp>(pull, none, From::all), run<AddUp>(one, none, From::all));
  }
}

// A byte of a page is changed while the graph is open, and then changed back.
TEST(FailingSupersteps, LeaveNothingWhereAPageCannotBeRead) {
  const StoredGraph stored(with_weights(false), {Order::natural, 4096});
  for (const Direction direction : {Direction::push, Direction::pull}) {
    const GraphNeeds needs = all_needs(direction, false);
    const MemoryPlan plan = plan_memory(stored.store(), needs, DeviceKind::cpu);
    CpuDevice device({.threads = 2, .memory = plan.least()});
    const Graph graph(stored.store(), needs, device);
    ASSERT_FALSE(graph.placement().resident);
    Engine engine(device, graph, direction);
    const auto file = stored.path() / (direction == Direction::push ? "out.pages" : "in.pages");
    const auto place = static_cast<std::streamoff>(std::filesystem::file_size(file) / 2);
    const auto flip = [&] {
      std::fstream pages(file, std::ios::in | std::ios::out | std::ios::binary);
      pages.seekg(place);
      const char byte = static_cast<char>(pages.get());
      pages.seekp(place);
      pages.put(static_cast<char>(byte ^ 0x55));
    };
    const Fault none;
    const Outcome expected = run<AddUp>(engine, none, From::all);
    flip();
    EXPECT_THROW(run<AddUp>(engine, none, From::all), BadInputError);
    flip();
    EXPECT_EQ(run<AddUp>(engine, none, From::all), expected);
    EXPECT_EQ(run<AddUp>(engine, none, From::most), [&] {
      CpuDevice plain({.threads = 1});
      const Graph whole(stored.store(), all_needs(Direction::push, false), plain);
      Engine one(plain, whole, Direction::push);
      return run<AddUp>(one, none, From::most);
    }());
  }
}

}  // namespace
}  // namespace millrace
