#include "millrace/engine/cpu_executor.h"

#include <algorithm>
#include <bit>

namespace millrace {

Direction CpuExecutor::choose_by_edges(const Frontier& frontier, bool stops_early, bool along_edges) const {
  return choose_direction({.num_rows = graph_.num_rows(pulled()),
                           .num_edges = graph_.num_edges(),
                           .frontier_edges = frontier.num_edges(),
                           .stops_early = stops_early,
                           .along_edges = along_edges});
}

// Degrees serve the choice of direction; a graph with one orientation has none to make.
const std::uint32_t* CpuExecutor::degrees_if_needed() const {
  const Array<std::uint32_t>& degree = graph_.degree(pushed());
  return degree.empty() ? nullptr : degree.data();
}

std::vector<std::uint32_t> CpuExecutor::find_push_pages(const Frontier& frontier) {
  const std::uint64_t* const bitmap = bitmap_of(frontier);
  return pages_with(graph_.streamed()->table(graph_.set(pushed())), BitmapActive{bitmap}, device_.threads());
}

Direction CpuExecutor::choose_by_bytes(Direction by_edges) const {
  // Within so much of each other, the edges decide.
  constexpr double alike = 0.1;
  const CpuPages& pages = *graph_.streamed();
  const auto push = static_cast<double>(pages.bytes_to_read(graph_.set(pushed()), *push_pages_));
  const auto pull = static_cast<double>(pages.bytes_to_read(graph_.set(pulled()), *pull_pages_));
  if (std::abs(push - pull) <= alike * std::max(push, pull)) return by_edges;
  return push < pull ? Direction::push : Direction::pull;
}

template <class Term>
std::uint64_t CpuExecutor::sum_of(std::uint64_t count, const Term& term) const {
  SharedSum<std::uint64_t> total;
  on_threads(threads_for(count, least_vertices, device_.threads()), [&](const ThreadOf& thread) {
    std::uint64_t sum = 0;
    thread.for_share(0, count, [&](std::uint64_t i) { sum += term(i); });
    total.add(sum);
  });
  return total.value();
}

std::uint64_t CpuExecutor::count_edges(const Frontier& frontier) {
  const std::uint32_t* const degree = degrees_if_needed();
  if (!degree) return graph_.num_edges();  // for all we know
  if (far()) {
    const std::uint64_t* const bitmap = bitmap_of(frontier);
    return sum_of(graph_.num_vertices(),
                  [&](std::uint64_t v) { return test_bit(bitmap, static_cast<VertexId>(v)) ? degree[v] : 0; });
  }
  const VertexQueue& queue = queue_of(frontier);
  return sum_of(queue.size(), [&](std::uint64_t i) { return degree[queue[i]]; });
}

Frontier CpuExecutor::frontier(std::span<const VertexId> vertices) {
  Frontier made = frontier_of(vertices.data(), vertices.size());
  if (const std::uint32_t* degrees = degrees_if_needed())
    for (const VertexId v : vertices) made.num_edges_ += degrees[v];
  return made;
}

void CpuExecutor::add_to(Frontier& frontier, const Frontier& more) {
  Frontier::Storage& to = *frontier.storage_;
  const Frontier::Storage& from = *more.storage_;
  if (frontier.form() == Frontier::Form::queue) {
    to.queue.append(from.queue.begin(), from.queue.size());
  } else if (more.form() == Frontier::Form::queue) {
    for (const VertexId v : from.queue) to.bitmap[v / 64] |= std::uint64_t{1} << (v % 64);
  } else {
    for (std::uint64_t word = 0; word < to.bitmap.size(); ++word) to.bitmap[word] |= from.bitmap[word];
  }
}

void CpuExecutor::copy_vertices(const Frontier& frontier, VertexId* to) {
  if (far()) {
    const Array<std::uint64_t>& bitmap = frontier.storage_->bitmap;
    for (std::uint64_t word = 0; word < bitmap.size(); ++word)
      for (std::uint64_t bits = bitmap[word]; bits != 0; bits &= bits - 1)
        *to++ = static_cast<VertexId>(word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
    return;
  }
  const VertexQueue& queue = queue_of(frontier);
  std::copy(queue.begin(), queue.end(), to);
}

Frontier CpuExecutor::frontier_of(const VertexId* vertices, std::uint64_t count) {
  Frontier made = make_frontier(far() ? Frontier::Form::bitmap : Frontier::Form::queue);
  Frontier::Storage& storage = *made.storage_;
  if (far())
    for (std::uint64_t i = 0; i < count; ++i)
      storage.bitmap[vertices[i] / 64] |= std::uint64_t{1} << (vertices[i] % 64);
  else
    storage.queue.append(vertices, count);
  made.size_ = count;
  return made;
}

Frontier CpuExecutor::make_frontier(Frontier::Form form) {
  Frontier made;
  made.form_ = form;
  made.storage_ = Frontier::lease(pool_);
  Frontier::Storage& storage = *made.storage_;
  if (form == Frontier::Form::bitmap) {
    if (storage.bitmap.empty())
      storage.bitmap = device_.allocate<std::uint64_t>(bitmap_words(graph_.num_vertices()), "a frontier");
    std::fill(storage.bitmap.begin(), storage.bitmap.end(), 0);
  } else {
    if (!storage.queue.allocated())
      storage.queue = VertexQueue(device_.allocate<VertexId>(graph_.num_vertices(), "a frontier"));
    storage.queue.clear();
  }
  return made;
}

const std::uint64_t* CpuExecutor::bitmap_of(const Frontier& frontier) {
  Frontier::Storage& storage = *frontier.storage_;
  if (frontier.form() == Frontier::Form::queue) {
    if (storage.bitmap.empty())
      storage.bitmap = device_.allocate<std::uint64_t>(bitmap_words(graph_.num_vertices()), "a frontier");
    std::fill(storage.bitmap.begin(), storage.bitmap.end(), 0);
    for (const VertexId v : storage.queue) storage.bitmap[v / 64] |= std::uint64_t{1} << (v % 64);
  }
  return storage.bitmap.data();
}

const VertexQueue& CpuExecutor::queue_of(const Frontier& frontier) {
  Frontier::Storage& storage = *frontier.storage_;
  if (frontier.form() == Frontier::Form::bitmap) {
    if (!storage.queue.allocated())
      storage.queue = VertexQueue(device_.allocate<VertexId>(graph_.num_vertices(), "a frontier"));
    storage.queue.clear();
    const int threads = threads_for(graph_.num_vertices(), least_vertices, device_.threads());
    on_threads(threads, [&](const ThreadOf& thread) {
      QueueWriter writer(storage.queue);
      thread.for_share(0, storage.bitmap.size(), [&](std::uint64_t word) {
        for (std::uint64_t bits = storage.bitmap[word]; bits != 0; bits &= bits - 1)
          writer.push(static_cast<VertexId>(word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits))));
      });
    });
  }
  return storage.queue;
}

}  // namespace millrace
