// Programs that take weights, and their expected results, from a loop over the list of edges. For any device.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "millrace/engine/engine_programs.h"
#include "support/graphs.h"

namespace millrace::test {

// Absorbs messages that depend on source, target and weight; along some edges nothing is sent.
template <class CombineBy, class WeightType>
struct Weigh {
  using Message = WeightType;
  using Combine = CombineBy;
  using Weight = WeightType;
  using ForOneDevice = void;
  static constexpr Message nothing() { return CombineBy::template identity<Message>(); }
  View<Message> heard;
  std::uint32_t listeners;  // every listeners-th vertex wants messages
  std::uint32_t silence;    // edges whose ends sum to a multiple of it send nothing

  MILLRACE_HD bool wants(VertexId target) const { return target % listeners == 0; }
  MILLRACE_HD Message message(VertexId source, VertexId target, Weight weight) const {
    if ((source + target) % silence == 0) return nothing();
    return weight * static_cast<Message>(1 + source % 4) + static_cast<Message>(target % 2);
  }
  MILLRACE_HD bool absorb(VertexId target, Message message) {
    heard[target] = message;
    return message != nothing() && target % 3 != 1;
  }
};

// Makes frontiers: every vertex with an in-edge whose number is divisible.
struct OneIn {
  using Message = VertexId;
  using Combine = First;
  using ForOneDevice = void;
  std::uint32_t divisor;
  MILLRACE_HD Message message(VertexId source) const { return source; }
  MILLRACE_HD bool absorb(VertexId target, Message) { return target % divisor == 0; }
};

inline GraphNeeds weighing_needs() {
  return {.in_pages = true,
          .out_pages = true,
          .row_index = true,
          .weights = true,
          .attributes = {.bytes = 160, .count = 16}};
}

template <class Program>
void weigh(const std::vector<WeightedEdge>& edges, Device& device, const Graph& graph) {
  using Message = typename Program::Message;
  const std::uint64_t n = graph.num_vertices();
  std::vector<bool> has_source(n);
  for (const WeightedEdge& edge : edges) has_source[edge.target] = true;
  // Pushes walk all slices for many sources and look up the rows of few; pulls do so for few targets, after a push.
  for (const std::uint32_t divisor : {1u, 2u, 401u})
    for (const Direction direction : {Direction::pull, Direction::push, Direction::automatic})
      for (const std::uint32_t listeners : {1u, 97u}) {
        if (listeners > 1 && direction == Direction::push) continue;
        SCOPED_TRACE(fmt::format("one in {}, {}, one listener in {}", divisor, direction_name(direction), listeners));
        const std::uint32_t silence = divisor == 2 ? ~0u : 3;
        Engine engine(device, graph, direction);
        if (n > 0) engine.edge_map(engine.frontier({VertexId{0}}), OneIn{1});
        const Frontier frontier =
            divisor == 1 ? engine.all_vertices() : engine.edge_map(engine.all_vertices(), OneIn{divisor});
        Attribute<Message> heard = engine.attribute<Message>("heard", Program::nothing());
        Program program{heard, listeners, silence};
        const Frontier next = engine.edge_map(frontier, program);

        std::vector<Message> expected(n, Program::nothing());
        for (const auto& [source, target, weight] : edges) {
          const bool active = divisor == 1 || (source % divisor == 0 && has_source[source]);
          if (!active || !program.wants(target)) continue;
          expected[target] = Program::Combine::apply(
              expected[target], program.message(source, target, static_cast<typename Program::Weight>(weight)));
        }
        std::uint64_t joined = 0;
        for (VertexId v = 0; v < n; ++v) joined += expected[v] != Program::nothing() && v % 3 != 1;
        EXPECT_EQ(next.size(), joined);
        if (direction == Direction::push) {
          EXPECT_EQ(engine.supersteps().back().edges, frontier.num_edges());
        }
        ASSERT_EQ(to_vector(std::move(heard).take()), expected);
      }
}

// All programs that are possible with this weight type.
inline void weigh_all(const StoredGraph& stored, Device& device, const Graph& graph) {
  const std::vector<WeightedEdge> edges = stored.edges();
  const WeightType type = stored.store().manifest().weight_type;
  if (type != WeightType::f32 && type != WeightType::f64) {
    weigh<Weigh<Sum, std::uint32_t>>(edges, device, graph);
    weigh<Weigh<Min, std::uint32_t>>(edges, device, graph);
  }
  weigh<Weigh<Sum, double>>(edges, device, graph);
  weigh<Weigh<Min, double>>(edges, device, graph);
}

inline constexpr WeightType every_weight_type[] = {WeightType::none, WeightType::u8,  WeightType::u16,
                                                   WeightType::u32,  WeightType::f32, WeightType::f64};

}  // namespace millrace::test
