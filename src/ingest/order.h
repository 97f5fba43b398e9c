// The order of vertices in a store, and what it will cost: measured on a sample of the rows.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "millrace/ingest/edge_supply.h"

namespace millrace {

enum class Order { automatic, natural, degree };

// How many edges each vertex has, as read: parallel edges counted. For undirected graphs both ends count in `out`.
struct Degrees {
  Array<std::uint32_t> out;
  Array<std::uint32_t> in;  // empty where undirected
  std::uint64_t self_loops = 0;
};

Degrees count_degrees(EdgeSupply& edges, bool undirected, Budget& budget = unlimited_budget());

// What a sample of the rows took, encoded in some order; zero where it was not measured.
struct SampledCost {
  double bytes_per_edge = 0;
  double bytes_per_entry = 0;  // where parallel edges are merged, by edges as read
};

struct ChosenOrder {
  Order order = Order::natural;
  Array<VertexId> rank;  // rank[v] is the new number of vertex v; empty where natural
  SampledCost natural, degree;

  const SampledCost& cost() const { return order == Order::degree ? degree : natural; }
};

// Ranks by falling total degree, ties by vertex.
Array<VertexId> rank_by_degree(const Degrees& degrees, Budget& budget = unlimited_budget());

// Windows of consecutive places in an order, spread evenly over the edges: the rows that are measured.
struct Windows {
  std::vector<std::uint64_t> member;  // a bit per vertex: few are in any, so most looks end here, in cache
  std::vector<VertexId> first_place;
  std::uint64_t edges = 0;  // of the rows in all windows

  bool has(VertexId v) const { return (member[v / 64] >> (v % 64)) & 1; }
  std::size_t of(VertexId place) const {
    return static_cast<std::size_t>(std::upper_bound(first_place.begin(), first_place.end(), place) -
                                    first_place.begin() - 1);
  }
};
// An empty rank means natural order.
Windows choose_windows(const Degrees& degrees, std::span<const VertexId> rank, Budget& budget);

// The edges of sampled rows as (row, neighbour) in 64 bits, by places in the order, window by window.
using Sample = std::vector<std::vector<std::uint64_t>>;
// What they take, encoded for real. The sample is used up.
SampledCost measure(Sample& sample);

// Takes the order asked for; `automatic` encodes a sample of rows both ways and takes degree order where it saves
// bytes: a web-like graph keeps its natural locality, a skewed one gathers its hubs.
ChosenOrder choose_order(Order wanted, EdgeSupply& edges, const Degrees& degrees, bool undirected,
                         Budget& budget = unlimited_budget());
// The same with whoever can take samples: take(windows, rank) for each order in question.
using TakeSample = std::function<Sample(const Windows& windows, std::span<const VertexId> rank)>;
ChosenOrder choose_order(Order wanted, Array<VertexId> by_degree, const Degrees& degrees, const TakeSample& take,
                         Budget& budget);

}  // namespace millrace
