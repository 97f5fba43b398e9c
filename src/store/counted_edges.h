// How many edges people count: a store lists an undirected edge from either end, and a self-loop once.
#pragma once

#include <cstdint>
#include <string>

namespace millrace {

class Store;

struct CountedEdges {
  std::uint64_t listed = 0;  // as a manifest counts
  std::uint64_t self_loops = 0;
  bool directed = true;

  std::uint64_t once() const { return directed ? listed : (listed + self_loops) / 2; }
  // "1,234 edges", "617 undirected edges".
  std::string text() const;
};

CountedEdges edges_of(const Store& store);
// The same text of some edges of the store, an undirected one counting once.
std::string edges_text(const Store& store, std::uint64_t edges);

}  // namespace millrace
