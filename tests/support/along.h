// A program that goes along edges in either direction, and what it should find.
#pragma once

#include "millrace/engine/engine_programs.h"
#include "support/graphs.h"

namespace millrace::test {

MILLRACE_HD constexpr bool chosen(VertexId v, std::uint32_t of) { return v % of == of / 2; }

struct Chosen {
  std::uint32_t of;
  MILLRACE_HD bool operator()(VertexId v) const { return chosen(v, of); }
};

// Counts messages; vertices that get an odd number join.
struct Count {
  using Message = std::uint32_t;
  using Combine = Sum;
  using ForOneDevice = void;
  View<std::uint32_t> heard;
  MILLRACE_HD Message message(VertexId) const { return 1; }
  MILLRACE_HD bool absorb(VertexId target, Message count) {
    heard[target] += count;
    return count % 2 == 1;
  }
};

inline GraphNeeds both_ways(Direction, Available available) {
  return {.in_pages = available.in,
          .out_pages = available.out,
          .row_index = true,
          .both_ways = true,
          .out_degrees = true,
          .in_degrees = true,
          .attributes = {.bytes = 40, .count = 8}};
}

// Two supersteps: from the chosen vertices, then in the other direction from those that joined.
inline std::vector<std::uint32_t> expected_counts(const Adjacency& graph, std::uint32_t of, Along first) {
  std::vector<std::uint32_t> heard(graph.num_vertices()), second(graph.num_vertices());
  const auto rows = [&](Along along) -> const auto& { return along == Along::out ? graph.out : graph.in; };
  for (VertexId v = 0; v < heard.size(); ++v)
    if (chosen(v, of))
      for (const VertexId w : rows(first)[v]) ++heard[w];
  for (VertexId v = 0; v < heard.size(); ++v)
    if (heard[v] % 2 == 1)
      for (const VertexId w : rows(opposite(first))[v]) ++second[w];
  for (VertexId v = 0; v < heard.size(); ++v) heard[v] += second[v];
  return heard;
}

}  // namespace millrace::test
