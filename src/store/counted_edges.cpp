#include "millrace/store/counted_edges.h"

#include <fmt/format.h>

#include "millrace/core/text.h"
#include "millrace/store/store.h"

namespace millrace {
namespace {

std::string text_of(std::uint64_t edges, bool directed) {
  return format_counted(edges, directed ? "edge" : "undirected edge");
}

}  // namespace

std::string CountedEdges::text() const { return text_of(once(), directed); }

CountedEdges edges_of(const Store& store) {
  const Manifest& manifest = store.manifest();
  return {.listed = store.num_edges(), .self_loops = manifest.self_loops, .directed = manifest.directed};
}

std::string edges_text(const Store& store, std::uint64_t edges) { return text_of(edges, store.manifest().directed); }

}  // namespace millrace
