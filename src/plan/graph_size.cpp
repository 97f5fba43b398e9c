#include "millrace/plan/graph_size.h"

#include <algorithm>
#include <cmath>

#include "millrace/core/error.h"

namespace millrace {
namespace {

// The mean length of the row that an edge lies in, divided by the mean length of a row, as if all rows of a page had
// the same length. About 1 without hubs. Stores are in order of degree where that matters, so pages have rows of much
// the same length; hubs have slices of their own in any order.
double skew_of(const PageTable& table) {
  double edges = 0, rows = 0, met = 0;
  for (const PageEntry& entry : table) {
    const double here = entry.edges, length = here / std::max(1.0, static_cast<double>(entry.rows));
    edges += here;
    rows += entry.rows;
    met += here * length;
  }
  return edges > 0 ? met / edges / (edges / std::max(1.0, rows)) : 1;
}

bool has_hubs(const PageTable& table) {
  for (const PageEntry& entry : table)
    if (entry.hub_slices > 0) return true;
  return false;
}

GraphKind kind_of(const PageTable& table, double vertices) {
  constexpr double skewed_from = 3, few_neighbours = 8, near_bits = 0.75;
  if (has_hubs(table) || skew_of(table) >= skewed_from) return GraphKind::skewed;
  const double edges = static_cast<double>(table.num_edges());
  double bytes = 0;
  for (const PageEntry& entry : table) bytes += entry.topology_bytes;
  const double bits = edges > 0 ? 8 * bytes / edges : 0;
  const bool near = bits < near_bits * std::log2(std::max(vertices, 2.0));
  return edges <= few_neighbours * vertices && near ? GraphKind::local : GraphKind::uniform;
}

}  // namespace

std::string_view graph_kind_name(GraphKind kind) {
  return kind == GraphKind::skewed ? "skewed" : kind == GraphKind::uniform ? "uniform" : "local";
}

GraphKind graph_kind_of(std::string_view name) {
  for (const GraphKind kind : graph_kinds)
    if (graph_kind_name(kind) == name) return kind;
  throw BadInputError("{} is no kind of graph", name);
}

GraphSize size_of_graph(const Store& store, const GraphNeeds& needs) {
  const LoadedSets sets = choose_sets(store, needs);
  GraphSize shape{.vertices = static_cast<double>(store.num_vertices())};
  for (const Orientation o : sets.orientations)
    shape.page_bytes += static_cast<double>(store.page_memory(o, needs.weights ? With::weights : With::topology));
  const PageTable& table = store.table(sets.orientations.front());
  shape.edges = static_cast<double>(table.num_edges());
  shape.kind = kind_of(table, shape.vertices);
  return shape;
}

}  // namespace millrace
