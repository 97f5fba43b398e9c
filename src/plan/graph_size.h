// What the cost of a run depends on, of a graph: known from the manifest and the page tables, before any page is read.
#pragma once

#include <string>
#include <string_view>

#include "millrace/engine/memory_plan.h"
#include "millrace/store/store.h"

namespace millrace {

// How many neighbours vertices have, and how far apart they are. Samples are taken from a generated graph of each kind.
enum class GraphKind {
  skewed,   // hubs: social networks, the web (samples: RMAT)
  uniform,  // no hubs, neighbours anywhere (samples: uniform)
  local     // few neighbours, near in the order: roads, meshes, with many supersteps (samples: a grid)
};
inline constexpr GraphKind graph_kinds[] = {GraphKind::skewed, GraphKind::uniform, GraphKind::local};
std::string_view graph_kind_name(GraphKind kind);
// Throws BadInputError.
GraphKind graph_kind_of(std::string_view name);

struct GraphSize {
  GraphKind kind = GraphKind::skewed;
  double vertices = 0;
  double edges = 0;       // in the rows of one orientation
  double page_bytes = 0;  // of all pages that the run loads
  // Runs take time for edges and for vertices; a vertex takes about as long as four edges.
  double work() const { return edges + 4 * vertices; }
};

GraphSize size_of_graph(const Store& store, const GraphNeeds& needs);

}  // namespace millrace
