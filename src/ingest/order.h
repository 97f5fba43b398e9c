// The order of vertices in a store, and what it will cost: measured on a sample of the rows.
#pragma once

#include <span>
#include <string>

#include "millrace/ingest/edge_list.h"

namespace millrace {

enum class Order { automatic, natural, degree };

// How many edges each vertex has, as read: parallel edges counted. For undirected graphs both ends count in `out`.
struct Degrees {
  Array<std::uint32_t> out;
  Array<std::uint32_t> in;  // empty where undirected
};

Degrees count_degrees(const EdgeList& list, bool undirected);

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
Array<VertexId> rank_by_degree(const Degrees& degrees);

// Takes the order asked for; `automatic` encodes a sample of rows both ways and takes degree order where it saves
// bytes: a web-like graph keeps its natural locality, a skewed one gathers its hubs.
ChosenOrder choose_order(Order wanted, const EdgeList& list, const Degrees& degrees, bool undirected);

}  // namespace millrace
