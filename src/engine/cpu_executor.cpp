#include "millrace/engine/cpu_executor.h"

#include <algorithm>
#include <bit>

#include "millrace/operators/streamed_cpu.h"

namespace millrace {

template <class Term>
std::uint64_t CpuExecutor::sum_of(std::uint64_t count, const Term& term) const {
  SharedSum<std::uint64_t> total;
  on_threads(threads_for(count, least_vertices, cpu_.threads()), [&](const ThreadOf& thread) {
    std::uint64_t sum = 0;
    thread.for_share(0, count, [&](std::uint64_t i) { sum += term(i); });
    total.add(sum);
  });
  return total.value();
}

std::uint64_t CpuExecutor::count_edges(const Frontier& frontier) {
  const std::uint32_t* const degree = degrees();
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
  std::uint64_t edges = 0;
  if (const std::uint32_t* const degree = degrees())
    for (const VertexId v : vertices) edges += degree[v];
  made.count(vertices.size(), edges);
  return made;
}

void CpuExecutor::add_to(Frontier& frontier, const Frontier& more) {
  Frontier::Storage& to = frontier.storage();
  const Frontier::Storage& from = more.storage();
  if (frontier.form() == Frontier::Form::queue) {
    to.queue.append(from.queue.begin(), from.queue.size());
  } else if (more.form() == Frontier::Form::queue) {
    for (const VertexId v : from.queue) to.bitmap.data()[v / 64] |= std::uint64_t{1} << (v % 64);
  } else {
    for (std::uint64_t word = 0; word < to.bitmap.size(); ++word) to.bitmap.data()[word] |= from.bitmap.data()[word];
  }
}

void CpuExecutor::copy_vertices(const Frontier& frontier, VertexId* to) {
  if (far()) {
    const DeviceArray<std::uint64_t>& bitmap = frontier.storage().bitmap;
    for (std::uint64_t word = 0; word < bitmap.size(); ++word)
      for (std::uint64_t bits = bitmap.data()[word]; bits != 0; bits &= bits - 1)
        *to++ = static_cast<VertexId>(word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
    return;
  }
  const VertexQueue& queue = queue_of(frontier);
  std::copy(queue.begin(), queue.end(), to);
}

Frontier CpuExecutor::frontier_of(const VertexId* vertices, std::uint64_t count) {
  Frontier made = make_frontier(far() ? Frontier::Form::bitmap : Frontier::Form::queue);
  Frontier::Storage& storage = made.storage();
  if (far())
    for (std::uint64_t i = 0; i < count; ++i)
      storage.bitmap.data()[vertices[i] / 64] |= std::uint64_t{1} << (vertices[i] % 64);
  else
    storage.queue.append(vertices, count);
  made.count(count, 0);
  return made;
}

Frontier CpuExecutor::make_frontier(Frontier::Form form) {
  Frontier made(form, along_, Frontier::lease(pool_));
  Frontier::Storage& storage = made.storage();
  if (form == Frontier::Form::bitmap) {
    std::fill_n(bits_in(storage), storage.bitmap.size(), 0);
  } else {
    if (!storage.queue.allocated()) storage.queue = new_queue(graph_.num_vertices(), "a frontier");
    storage.queue.clear();
  }
  return made;
}

std::uint64_t* CpuExecutor::bits_in(Frontier::Storage& storage) {
  if (storage.bitmap.empty())
    storage.bitmap = DeviceArray<std::uint64_t>(device_, bitmap_words(graph_.num_vertices()), "a frontier");
  return storage.bitmap.data();
}

void CpuExecutor::make_touched() {
  if (touched_.empty())
    touched_ = DeviceArray<std::uint64_t>(device_, bitmap_words(graph_.num_vertices()), "push targets");
}

void CpuExecutor::clear_shown_bits() { std::fill_n(touched_.data(), touched_.size(), 0); }

void CpuExecutor::show(const Frontier& frontier, Messages& messages, std::size_t i) {
  const auto bytes_of = [](DeviceArray<std::uint64_t>& bits) { return reinterpret_cast<std::byte*>(bits.data()); };
  messages.queue[i] = nullptr;
  messages.bits[i] = bytes_of(frontier.storage().bitmap);
  if (frontier.form() != Frontier::Form::queue) return;
  make_touched();
  messages.queue[i] = frontier.storage().queue.begin();
  messages.size[i] = frontier.size();
  messages.bits[i] = bytes_of(touched_);
  for (const VertexId v : frontier.storage().queue) touched_.data()[v / 64] |= std::uint64_t{1} << (v % 64);
}

bool CpuExecutor::make_values(Values& values, std::uint64_t bytes, const std::type_info& type, const char* what) {
  if (values.buffer.size() < bytes) {
    values.type = nullptr;
    values.buffer = Buffer();
    values.buffer = Buffer(bytes, cpu_.memory(), what);
  }
  if (values.type && *values.type == type) return true;
  values.type = nullptr;  // until it is empty
  return false;
}

void CpuExecutor::reset() {
  inbox_.type = nullptr;
  gathered_.type = nullptr;
  clear_targets();
  joined_.clear();
  clear_shown_bits();
  graph_.take_times();  // of the pass that failed
}

const std::uint64_t* CpuExecutor::bitmap_of(const Frontier& frontier) {
  Frontier::Storage& storage = frontier.storage();
  if (frontier.form() == Frontier::Form::queue) {
    std::uint64_t* const bits = bits_in(storage);
    std::fill_n(bits, storage.bitmap.size(), 0);
    for (const VertexId v : storage.queue) bits[v / 64] |= std::uint64_t{1} << (v % 64);
  }
  return storage.bitmap.data();
}

const VertexQueue& CpuExecutor::queue_of(const Frontier& frontier) {
  Frontier::Storage& storage = frontier.storage();
  if (frontier.form() == Frontier::Form::bitmap) {
    if (!storage.queue.allocated()) storage.queue = new_queue(graph_.num_vertices(), "a frontier");
    storage.queue.clear();
    const int threads = threads_for(graph_.num_vertices(), least_vertices, cpu_.threads());
    on_threads(threads, [&](const ThreadOf& thread) {
      QueueWriter writer(storage.queue);
      thread.for_share(0, storage.bitmap.size(), [&](std::uint64_t word) {
        for (std::uint64_t bits = storage.bitmap.data()[word]; bits != 0; bits &= bits - 1)
          writer.push(static_cast<VertexId>(word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits))));
      });
    });
  }
  return storage.queue;
}

}  // namespace millrace
