#include "millrace/engine/layers.h"

namespace millrace {

void Layers::add(const Frontier& frontier) {
  const std::uint64_t first = layers_.empty() ? 0 : layers_.back().first + layers_.back().count;
  engine_.each_copy(frontier.size_, [&](Engine& on, std::size_t device) {
    VertexId* const to = vertices_.on(device).data_ + first;
    on.cuda_ ? on.cuda_->copy_vertices(frontier.on(device), to) : on.cpu_->copy_vertices(frontier.on(device), to);
  });
  layers_.push_back({first, frontier.size_, frontier.num_edges_, frontier.along_});
}

Frontier Layers::operator[](std::size_t i) {
  const Layer& layer = layers_[i];
  return engine_.each_frontier(layer.count, [&](Engine& on, std::size_t device) {
    const VertexId* const from = vertices_.on(device).data_ + layer.first;
    Frontier made = on.cuda_ ? on.cuda_->frontier_of(from, layer.count) : on.cpu_->frontier_of(from, layer.count);
    made.num_edges_ = layer.edges;
    made.along_ = layer.along;
    return made;
  });
}

}  // namespace millrace
