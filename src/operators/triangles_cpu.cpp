#include "millrace/operators/triangles_cpu.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "millrace/core/threads.h"

namespace millrace {
namespace {

inline bool marked(const std::uint64_t* bits, VertexId v) { return (bits[v / 64] >> (v % 64)) & 1; }

// Counts triangles for one thread. Values of lists are vertices, shifted left by one if weighted.
template <bool by_vertex, bool weighted>
class Counter {
 public:
  Counter(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts, std::uint64_t* marks,
          std::uint64_t* heavy)
      : of_(of), with_(with), counts_(counts), marks_(marks), heavy_(heavy), low_(by_vertex ? low_vertices : 0) {}
  ~Counter() {
    for (VertexId v = 0; v < low_.size(); ++v)
      if (low_[v] > 0) add_shared(v, low_[v]);
  }

  std::uint64_t total = 0;

  void count(VertexId u) {
    const std::uint32_t* const list = of_.begin(u);
    const std::uint32_t size = of_.size(u);
    if (size < 2) return;
    mark(list, size);
    std::uint64_t found = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      const VertexId v = list[i] >> weighted;
      if (has_list(v)) found += intersect(list, i, size, v);
    }
    if (by_vertex && found > 0) add(u, found);
    unmark(list, size);
  }

  // The lists that count(u) will read are scattered: first their offsets are prefetched, then the lists themselves.
  void fetch_places(VertexId u) const {
    const std::uint32_t* const list = of_.begin(u);
    for (std::uint32_t i = 0; i < std::min(of_.size(u), most_fetched); ++i)
      if (const VertexId v = list[i] >> weighted; has_list(v))
        __builtin_prefetch(with_.lists.offset + v - with_.lists.first);
  }
  void fetch_lists(VertexId u) const {
    const std::uint32_t* const list = of_.begin(u);
    for (std::uint32_t i = 0; i < std::min(of_.size(u), most_fetched); ++i)
      if (const VertexId v = list[i] >> weighted; has_list(v)) __builtin_prefetch(with_.begin(v));
  }

 private:
  static constexpr std::uint32_t most_fetched = 64;
  // In degree order these vertices are in most triangles: counted apart, since atomics would wait for each other.
  static constexpr std::uint32_t low_vertices = 1u << 15;
  static constexpr std::uint32_t block = 512;
  // A binary search in a list costs as much as so many tests of marks.
  static constexpr std::uint64_t search_cost = 32;

  bool has_list(VertexId v) const { return v - with_.lists.first < with_.lists.last - with_.lists.first; }

  void mark(const std::uint32_t* list, std::uint32_t size) {
    for (std::uint32_t i = 0; i < size; ++i) {
      const VertexId w = list[i] >> weighted;
      marks_[w / 64] |= std::uint64_t{1} << (w % 64);
      if (weighted && (list[i] & 1)) heavy_[w / 64] |= std::uint64_t{1} << (w % 64);
    }
  }
  void unmark(const std::uint32_t* list, std::uint32_t size) {
    for (std::uint32_t i = 0; i < size; ++i) {
      marks_[(list[i] >> weighted) / 64] = 0;
      if (weighted) heavy_[(list[i] >> weighted) / 64] = 0;
    }
  }

  // Adds the triangles of u, v = list[i] and any w in the list of v; returns what they add to the count of u.
  std::uint64_t intersect(const std::uint32_t* list, std::uint32_t i, std::uint32_t size, VertexId v) {
    const std::uint32_t* const other = with_.begin(v);
    const std::uint32_t other_size = with_.size(v);
    // If vertices list only lower ones, w comes before v.
    const std::uint32_t candidates = counts_.ascending ? i : size;
    const bool search = candidates * search_cost < other_size;
    if constexpr (!by_vertex) {
      const std::uint64_t found =
          search ? count_found(list, candidates, other, other_size) : count_marked(other, other_size);
      total += found;
      return found;
    } else {
      Added added{.weight_of_v = 1 + (weighted ? list[i] & 1 : 0)};
      if (search)
        add_found(list, candidates, other, other_size, added);
      else
        for (std::uint32_t j = 0; j < other_size; j += block)
          add_marked(other + j, std::min(block, other_size - j), added);
      if (added.to_v > 0) add(v, added.to_v);
      return added.to_u;
    }
  }

  std::uint64_t count_marked(const std::uint32_t* list, std::uint32_t size) const {
    std::uint64_t found = 0;
    for (std::uint32_t j = 0; j < size; ++j) found += marked(marks_, list[j]);
    return found;
  }
  // No branch, since it would often be mispredicted.
  static const std::uint32_t* find(const std::uint32_t* list, std::uint32_t size, VertexId w) {
    while (size > 1) {
      const std::uint32_t half = size / 2;
      list += (list[half] >> weighted) <= w ? half : 0;
      size -= half;
    }
    return list;
  }
  std::uint64_t count_found(const std::uint32_t* list, std::uint32_t size, const std::uint32_t* other,
                            std::uint32_t other_size) const {
    std::uint64_t found = 0;
    for (std::uint32_t j = 0; j < size; ++j) found += *find(other, other_size, list[j]) == list[j];
    return found;
  }

  struct Added {
    std::uint32_t weight_of_v;  // the weight of the edge between u and v
    std::uint64_t to_u = 0, to_v = 0;
  };
  // A triangle with a w: `edge_u` and `edge_v` are the weights of its edges to u and v.
  void add_one(VertexId w, std::uint32_t edge_u, std::uint32_t edge_v, Added& added) {
    ++total;
    added.to_u += edge_v;
    added.to_v += edge_u;
    add(w, added.weight_of_v);
  }
  void add_marked(const std::uint32_t* list, std::uint32_t size, Added& added) {
    std::uint32_t hits[block + 1];
    std::uint32_t count = 0;
    for (std::uint32_t j = 0; j < size; ++j) {
      hits[count] = list[j];
      count += marked(marks_, list[j] >> weighted);
    }
    for (std::uint32_t j = 0; j < count; ++j) {
      const VertexId w = hits[j] >> weighted;
      add_one(w, weighted ? 1 + marked(heavy_, w) : 1, weighted ? 1 + (hits[j] & 1) : 1, added);
    }
  }
  void add_found(const std::uint32_t* list, std::uint32_t size, const std::uint32_t* other, std::uint32_t other_size,
                 Added& added) {
    for (std::uint32_t j = 0; j < size; ++j) {
      const VertexId w = list[j] >> weighted;
      const std::uint32_t value = *find(other, other_size, w);
      if (value >> weighted == w) add_one(w, weighted ? 1 + (list[j] & 1) : 1, weighted ? 1 + (value & 1) : 1, added);
    }
  }

  void add(VertexId v, std::uint64_t more) {
    if (v < low_.size())
      low_[v] += more;
    else
      add_shared(v, more);
  }
  void add_shared(VertexId v, std::uint64_t more) {
    std::atomic_ref(counts_.by_vertex[v]).fetch_add(more, std::memory_order_relaxed);
  }

  const NeighbourLists of_, with_;
  const TriangleCounts counts_;
  std::uint64_t* const marks_;
  std::uint64_t* const heavy_;  // marks of edges of weight 2
  std::vector<std::uint64_t> low_;
};

constexpr std::uint64_t lists_at_a_time = 256;

template <bool by_vertex, bool weighted>
std::uint64_t add_all(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts,
                      TriangleMarks& marks, int threads, Progress* progress) {
  constexpr std::uint64_t soon = 4, later = 8, chunk = 64;
  SharedSum<std::uint64_t> total;
  Draw draw(chunk);
  const std::uint64_t num_lists = of.lists.last - of.lists.first;
  on_threads(threads_for(num_lists, chunk, threads), [&](const ThreadOf& thread) {
    const auto number = static_cast<int>(thread.index());
    Counter<by_vertex, weighted> counter(of, with, counts, marks.of_thread(number, false),
                                         marks.of_thread(number, weighted));
    draw.for_each(num_lists, [&](std::uint64_t i) {
      if (interrupted()) return;
      const std::uint64_t u = of.lists.first + i;
      if (progress && i % chunk == 0)
        progress->advance(of.lists.offset[std::min<std::uint64_t>(i + chunk, num_lists)] - of.lists.offset[i]);
      if (u + later < of.lists.last) counter.fetch_places(static_cast<VertexId>(u + later));
      if (u + soon < of.lists.last) counter.fetch_lists(static_cast<VertexId>(u + soon));
      counter.count(static_cast<VertexId>(u));
    });
    total.add(counter.total);
  });
  throw_if_interrupted();
  return total.value();
}

}  // namespace

TriangleMarks::TriangleMarks(CpuDevice& device, std::uint64_t num_vertices)
    : words_((num_vertices + 63) / 64),
      bits_(device.allocate<std::uint64_t>(2 * words_ * static_cast<std::uint64_t>(device.threads()), "marks")) {}

std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts,
                            TriangleMarks& marks, int threads, Progress* progress) {
  if (!counts.by_vertex) return add_all<false, false>(of, with, counts, marks, threads, progress);
  return counts.weighted ? add_all<true, true>(of, with, counts, marks, threads, progress)
                         : add_all<true, false>(of, with, counts, marks, threads, progress);
}

void unite_lists(const Lists<std::uint32_t>& lists, const std::uint32_t* first_length, bool weighted,
                 std::uint32_t* length, int threads) {
  Draw draw(lists_at_a_time);
  on_threads(threads_for(lists.last - lists.first, lists_at_a_time, threads), [&](const ThreadOf&) {
    std::vector<std::uint32_t> united;
    draw.for_each(lists.last - lists.first, [&](std::uint64_t i) {
      const std::uint64_t v = lists.first + i;
      std::uint32_t* const begin = lists.values + lists.offset[i];
      std::uint32_t* const end = lists.values + lists.offset[i + 1];
      std::uint32_t* const middle = begin + first_length[v];
      united.clear();
      const std::uint32_t *a = begin, *b = middle;
      while (a < middle || b < end) {
        const std::uint32_t next = b == end || (a < middle && *a <= *b) ? *a : *b;
        const bool in_a = a < middle && *a == next, in_b = b < end && *b == next;
        while (a < middle && *a == next) ++a;
        while (b < end && *b == next) ++b;
        united.push_back(next + (weighted && in_a && in_b));
      }
      std::copy(united.begin(), united.end(), begin);
      length[v] = static_cast<std::uint32_t>(united.size());
    });
  });
}

void add_degrees(const NeighbourLists& of, bool weighted, std::uint32_t* degree, int threads) {
  const std::uint64_t num_lists = of.lists.last - of.lists.first;
  for_drawn(num_lists, lists_at_a_time, threads_for(num_lists, lists_at_a_time, threads), [&](std::uint64_t i) {
    const auto u = static_cast<VertexId>(of.lists.first + i);
    const std::uint32_t* const list = of.begin(u);
    const std::uint32_t size = of.size(u);
    for (std::uint32_t j = 0; j < size; ++j)
      std::atomic_ref(degree[list[j] >> weighted]).fetch_add(1, std::memory_order_relaxed);
    std::atomic_ref(degree[u]).fetch_add(size, std::memory_order_relaxed);
  });
}

}  // namespace millrace
