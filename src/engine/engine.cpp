#include "millrace/engine/engine.h"

#include <algorithm>
#include <bit>

namespace millrace {

Engine::Engine(CpuDevice& device, const Graph& graph, Direction direction, Progress* progress)
    : device_(device), graph_(graph), direction_(direction), progress_(progress) {}

Frontier Engine::all_vertices() const {
  Frontier made;
  made.form_ = Frontier::Form::all;
  made.size_ = num_vertices();
  made.num_edges_ = num_edges();
  return made;
}

Frontier Engine::frontier(std::initializer_list<VertexId> vertices) {
  Frontier made = make_frontier(Frontier::Form::queue);
  made.storage_->queue.append(vertices.begin(), vertices.size());
  made.size_ = vertices.size();
  if (const std::uint32_t* degrees = degrees_if_needed())
    for (const VertexId v : vertices) made.num_edges_ += degrees[v];
  return made;
}

// Degrees serve the choice of direction; a graph with one orientation has none to make.
const std::uint32_t* Engine::degrees_if_needed() const {
  return graph_.out_degree().empty() ? nullptr : graph_.out_degree().data();
}

Direction Engine::decide(const Frontier& frontier, bool stops_early) const {
  if (direction_ != Direction::automatic) return direction_;
  if (!graph_.has(Orientation::in)) return Direction::push;
  if (!graph_.has(Orientation::out)) return Direction::pull;
  if (frontier.form() == Frontier::Form::all) return Direction::pull;  // reads instead of atomics
  return choose_direction({.num_rows = graph_.num_rows(Orientation::in),
                           .num_edges = num_edges(),
                           .frontier_edges = frontier.num_edges(),
                           .stops_early = stops_early});
}

// Storage is shared with the pool; one that only the pool holds is free.
Frontier Engine::make_frontier(Frontier::Form form) {
  Frontier made;
  made.form_ = form;
  const auto unused =
      std::find_if(pool_.begin(), pool_.end(), [](const auto& lease) { return lease.use_count() == 1; });
  if (unused == pool_.end()) {
    pool_.push_back(std::make_shared<Frontier::Storage>());
    made.storage_ = pool_.back();
  } else {
    made.storage_ = *unused;
  }
  Frontier::Storage& storage = *made.storage_;
  if (form == Frontier::Form::bitmap) {
    if (storage.bitmap.empty())
      storage.bitmap = device_.allocate<std::uint64_t>(bitmap_words(num_vertices()), "a frontier");
    std::fill(storage.bitmap.begin(), storage.bitmap.end(), 0);
  } else {
    if (!storage.queue.allocated())
      storage.queue = VertexQueue(device_.allocate<VertexId>(num_vertices(), "a frontier"));
    storage.queue.clear();
  }
  return made;
}

const std::uint64_t* Engine::bitmap_of(const Frontier& frontier) {
  Frontier::Storage& storage = *frontier.storage_;
  if (frontier.form() == Frontier::Form::queue) {
    if (storage.bitmap.empty())
      storage.bitmap = device_.allocate<std::uint64_t>(bitmap_words(num_vertices()), "a frontier");
    std::fill(storage.bitmap.begin(), storage.bitmap.end(), 0);
    for (const VertexId v : storage.queue) storage.bitmap[v / 64] |= std::uint64_t{1} << (v % 64);
  }
  return storage.bitmap.data();
}

const VertexQueue& Engine::queue_of(const Frontier& frontier) {
  Frontier::Storage& storage = *frontier.storage_;
  if (frontier.form() == Frontier::Form::bitmap) {
    if (!storage.queue.allocated())
      storage.queue = VertexQueue(device_.allocate<VertexId>(num_vertices(), "a frontier"));
    storage.queue.clear();
#pragma omp parallel num_threads(device_.threads())
    {
      QueueWriter writer(storage.queue);
#pragma omp for schedule(static)
      for (std::uint64_t word = 0; word < storage.bitmap.size(); ++word)
        for (std::uint64_t bits = storage.bitmap[word]; bits != 0; bits &= bits - 1)
          writer.push(static_cast<VertexId>(word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits))));
    }
  }
  return storage.queue;
}

}  // namespace millrace
