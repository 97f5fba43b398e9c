#include "millrace/engine/layers.h"

#include "millrace/engine/backend.h"

namespace millrace {

void Layers::add(Engine& engine, const Frontier& frontier) {
  const std::uint64_t first = layers_.empty() ? 0 : layers_.back().first + layers_.back().count;
  engine.backend_->each_copy(frontier.size(), [&](Executor& on, std::size_t i) {
    on.copy_vertices(frontier.on(i), reinterpret_cast<VertexId*>(vertices_.copies().on(i)) + first);
  });
  layers_.push_back({first, frontier.size(), frontier.num_edges(), frontier.along()});
}

Frontier Layers::get(Engine& engine, std::size_t i) const {
  const Layer& layer = layers_[i];
  Frontier made = engine.backend_->each_frontier(layer.count, [&](Executor& on, std::size_t device) {
    return on.frontier_of(reinterpret_cast<const VertexId*>(vertices_.copies().on(device)) + layer.first, layer.count);
  });
  made.count_along(layer.along, layer.edges);
  return made;
}

}  // namespace millrace
