#include "millrace/engine/layers.h"

namespace millrace {

void Layers::add(const Frontier& frontier) {
  const std::uint64_t first = layers_.empty() ? 0 : layers_.back().first + layers_.back().count;
  VertexId* const to = View<VertexId>(vertices_).data + first;
  engine_.cuda_ ? engine_.cuda_->copy_vertices(frontier, to) : engine_.cpu_->copy_vertices(frontier, to);
  layers_.push_back({first, frontier.size_, frontier.num_edges_, frontier.along_});
}

Frontier Layers::operator[](std::size_t i) {
  const Layer& layer = layers_[i];
  const VertexId* const from = View<VertexId>(vertices_).data + layer.first;
  Frontier made =
      engine_.cuda_ ? engine_.cuda_->frontier_of(from, layer.count) : engine_.cpu_->frontier_of(from, layer.count);
  made.num_edges_ = layer.edges;
  made.along_ = layer.along;
  return made;
}

}  // namespace millrace
