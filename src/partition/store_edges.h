// The edges of a store, page by page, for all threads.
#pragma once

#include <string>

#include "millrace/core/parallel.h"
#include "millrace/export/edge_selection.h"

namespace millrace {

// Calls body(edges) for every page, from all threads; edges(visit) calls visit(source, target) for the edges of the
// page. Undirected edges are visited once.
template <class Body>
void for_each_page(const Store& store, const std::string& label, Body body) {
  const EdgeSelection all(store);
  const PageReader reader = all.reader();
  Progress progress(label, store.num_edges());
  parallel_for_each(all.pages().size(), [&](std::uint64_t p) {
    const std::uint32_t page = all.pages()[p];
    body([&](auto visit) {
      all.for_each_edge(reader, page, false, [&](VertexId s, VertexId t, std::uint64_t) { visit(s, t); });
    });
    progress.advance(all.entry(page).edges);
  });
}

}  // namespace millrace
