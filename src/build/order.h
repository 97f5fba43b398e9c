// Chooses the order of vertices in a store, and predicts its size from a sample of the rows.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "millrace/build/edge_supply.h"
#include "millrace/build/segment_choice.h"

namespace millrace {

enum class Order { automatic, natural, degree };

// How many edges each vertex has as read, with parallel edges. For undirected graphs both ends count in `out`.
struct Degrees {
  Array<std::uint32_t> out;
  Array<std::uint32_t> in;  // empty if undirected
  std::uint64_t self_loops = 0;
};

Degrees count_degrees(EdgeSupply& edges, bool undirected, Budget& budget = unlimited_budget());

// The size of a sample of the rows, encoded in some order; zero if not measured.
struct SampledCost {
  double bytes_per_edge = 0;
  double bytes_per_entry = 0;  // per edge as read, before parallel edges are merged
};

struct ChosenOrder {
  Order order = Order::natural;
  Array<VertexId> rank;  // rank[v] is the new number of vertex v; empty for natural order
  SampledCost natural, degree;
  std::uint64_t segment = 0;  // vertices in a segment; 0: pages are not blocked
  SampledCost blocked;        // in this order, with these segments

  const SampledCost& plain() const { return order == Order::degree ? degree : natural; }
  const SampledCost& cost() const { return segment > 0 ? blocked : plain(); }
};

// Ranks by falling total degree, equal degrees by vertex.
Array<VertexId> rank_by_degree(const Degrees& degrees, Budget& budget = unlimited_budget());

// Windows of consecutive positions in an order, spread evenly over the edges: the rows that are measured.
struct Windows {
  std::vector<std::uint64_t> member;  // a bit per vertex: few are set, so most tests end here, in cache
  std::vector<VertexId> first_place;
  std::uint64_t edges = 0;  // edges of the rows in all windows

  bool has(VertexId v) const { return (member[v / 64] >> (v % 64)) & 1; }
  std::size_t of(VertexId place) const {
    return static_cast<std::size_t>(std::upper_bound(first_place.begin(), first_place.end(), place) -
                                    first_place.begin() - 1);
  }
};
// An empty rank means natural order.
Windows choose_windows(const Degrees& degrees, std::span<const VertexId> rank, Budget& budget);

// The edges of sampled rows as (row, neighbour) in 64 bits, by position in the order, one vector per window.
using Sample = std::vector<std::vector<std::uint64_t>>;
// The size of the sample after real encoding, and with segments of so many vertices, if there are any; and what it
// reads.
struct MeasuredSample {
  SampledCost plain, blocked;
  SampledReads reads;
};
// The sample is changed.
MeasuredSample measure(Sample& sample, std::uint64_t segment = 0);

// Uses the requested order; `automatic` encodes a sample of rows in both orders and chooses degree order if it saves
// enough bytes: a web-like graph keeps its natural locality, a skewed graph gets its hubs side by side. Then segments
// are chosen for this order, if they are to be: hubs side by side need none.
ChosenOrder choose_order(Order wanted, EdgeSupply& edges, const Degrees& degrees, bool undirected,
                         const SegmentOptions& segments = {}, Budget& budget = unlimited_budget());
// The same with samples from take(windows, rank), called for each order in question.
using TakeSample = std::function<Sample(const Windows& windows, std::span<const VertexId> rank)>;
ChosenOrder choose_order(Order wanted, Array<VertexId> by_degree, const Degrees& degrees, const TakeSample& take,
                         const SegmentOptions& segments, Budget& budget);

}  // namespace millrace
