// Frontiers kept to be gone through again, such as the levels of a search on the way back. They lie one behind the
// other, no vertex in two of them: 4 bytes a vertex for all, where a frontier takes as much by itself.
#pragma once

#include "millrace/engine/engine.h"

namespace millrace {

class Layers {
 public:
  explicit Layers(Registry& registry) : vertices_(registry.vertex_numbers("layers")) {}

  std::size_t size() const { return layers_.size(); }
  void clear() { layers_.clear(); }
  void add(Engine& engine, const Frontier& frontier);
  // The frontier that was added as the i-th.
  Frontier get(Engine& engine, std::size_t i) const;

 private:
  struct Layer {
    std::uint64_t first, count, edges;
    Along along;
  };
  Attribute<VertexId> vertices_;
  std::vector<Layer> layers_;
};

}  // namespace millrace
