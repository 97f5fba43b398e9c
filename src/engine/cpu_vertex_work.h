// What the cpu does with predicates, bodies and reductions: the vertices of its own, in order.
#pragma once

#include <bit>

#include "millrace/engine/cpu_executor.h"
#include "millrace/operators/vertex_map_cpu.h"

namespace millrace {

class CpuVertexWork {
 public:
  template <class Body>
  static void map(Executor& on, const Body& body) {
    millrace::vertex_map(on.own(), body, at(on).threads());
  }

  template <class T, class Map, class CombineValues>
  static T reduce(Executor& on, const T& identity, const Map& map, const CombineValues& combine_values) {
    return millrace::reduce(on.own(), identity, map, combine_values, at(on).threads());
  }

  template <class Predicate>
  static Frontier filter(Executor& executor, const Predicate& predicate) {
    CpuExecutor& on = at(executor);
    const VertexRange own = on.own();
    Frontier made = on.make_frontier(Frontier::Form::bitmap);
    std::uint64_t* const bitmap = made.storage().bitmap.data();
    const std::uint32_t* const degree = on.degrees();
    SharedSum<PassCounts> kept;
    on_threads(threads_for(own.size(), least_vertices, on.threads()), [&](const ThreadOf& thread) {
      std::uint64_t size = 0, edges = 0;
      thread.for_share(own.first / 64, (own.last + 63) / 64, [&](std::uint64_t word) {
        std::uint64_t bits = 0;
        const std::uint64_t first = word * 64, last = std::min(own.last, first + 64);
        for (std::uint64_t v = first; v < last; ++v)
          if (predicate(static_cast<VertexId>(v))) {
            bits |= std::uint64_t{1} << (v - first);
            if (degree) edges += degree[v];
          }
        bitmap[word] = bits;
        size += static_cast<std::uint64_t>(std::popcount(bits));
      });
      kept.add({.joined = size, .joined_edges = edges});
    });
    made.count(kept.value().joined, kept.value().joined_edges);
    return made;
  }

  template <class Predicate>
  static Frontier filter_in(Executor& executor, const Frontier& among, const Predicate& predicate) {
    CpuExecutor& on = at(executor);
    if (on.far()) {
      const std::uint64_t* const bits = on.bitmap_of(among);
      return filter(executor, [=](VertexId v) { return test_bit(bits, v) && predicate(v); });
    }
    const VertexQueue& queue = on.queue_of(among);
    Frontier made = on.make_frontier(Frontier::Form::queue);
    const std::uint32_t* const degree = on.degrees();
    SharedSum<std::uint64_t> edges;
    on_threads(threads_for(queue.size(), push_detail::small_work, on.threads()), [&](const ThreadOf& thread) {
      QueueWriter writer(made.storage().queue);
      std::uint64_t mine = 0;
      thread.for_share(0, queue.size(), [&](std::uint64_t i) {
        if (!predicate(queue[i])) return;
        writer.push(queue[i]);
        if (degree) mine += degree[queue[i]];
      });
      edges.add(mine);
    });
    made.count(made.storage().queue.size(), edges.value());
    return made;
  }

  static const std::uint64_t* bitmap_of(Executor& on, const Frontier& frontier) { return at(on).bitmap_of(frontier); }

 private:
  static CpuExecutor& at(Executor& executor) { return static_cast<CpuExecutor&>(executor); }
};

}  // namespace millrace
