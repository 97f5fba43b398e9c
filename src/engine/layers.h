// Frontiers kept to be gone through again, such as the levels of a search on the way back. They lie one behind the
// other, no vertex in two of them: 4 bytes a vertex for all, where a frontier takes as much by itself.
#pragma once

#include "millrace/engine/engine.h"

namespace millrace {

class Layers {
 public:
  explicit Layers(Engine& engine) : engine_(engine), vertices_(engine.attribute<VertexId>("layers")) {}

  std::size_t size() const { return layers_.size(); }
  void clear() { layers_.clear(); }
  void add(const Frontier& frontier);
  // The frontier that was added as the i-th.
  Frontier operator[](std::size_t i);

 private:
  struct Layer {
    std::uint64_t first, count, edges;
    Along along;
  };
  Engine& engine_;
  Attribute<VertexId> vertices_;
  std::vector<Layer> layers_;
};

}  // namespace millrace
