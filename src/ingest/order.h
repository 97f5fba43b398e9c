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

struct ChosenOrder {
  Order order = Order::natural;
  Array<VertexId> rank;               // rank[v] is the new number of vertex v; empty where natural
  double bytes_per_edge = 0;          // of a sample of rows in this order
  double natural_bytes_per_edge = 0;  // 0 where not measured
  double degree_bytes_per_edge = 0;
};

// Ranks by falling total degree, ties by vertex.
Array<VertexId> rank_by_degree(const Degrees& degrees);

// Takes the order asked for; `automatic` encodes a sample of rows both ways and takes degree order where it saves
// bytes: a web-like graph keeps its natural locality, a skewed one gathers its hubs.
ChosenOrder choose_order(Order wanted, const EdgeList& list, const Degrees& degrees, bool undirected);

}  // namespace millrace
