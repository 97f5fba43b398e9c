#include "millrace/build/order.h"

#include <atomic>
#include <bit>
#include <utility>

#include "millrace/build/radix_sort.h"
#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"
#include "millrace/core/skew.h"
#include "millrace/pages/encode.h"

namespace millrace {
namespace {

// Few and large: rows can share slices with rows of their length only if a window is not much smaller than a page.
constexpr std::uint32_t sample_windows = 8;
constexpr std::uint64_t window_edges = 1u << 16;
constexpr std::uint32_t window_vertices = 1u << 14;
// Degree order loses whatever meaning the ids have; it must save at least this share to be worth an id map.
constexpr double worthwhile_saving = 0.03;

// Degrees as all threads count them. Where that takes little beside the edges, each has arrays of its own: two that
// count the same hub would wait for each other.
class DegreeCounts {
 public:
  DegreeCounts(Degrees& all, std::uint64_t num_edges, Budget& budget) : all_(all) {
    const auto others = static_cast<std::uint64_t>(omp_get_max_threads() - 1);
    const std::uint64_t column = buffer_memory(all.out.size() * sizeof(std::uint32_t));
    const std::uint64_t bytes = others * (all.in.empty() ? 1 : 2) * column;
    if (bytes > 2 * num_edges || budget.keep() != Keep::in_memory || !budget.has_room(bytes)) return;
    for (std::uint64_t t = 0; t < others; ++t) {
      Degrees& one = own_.emplace_back();
      one.out = Array<std::uint32_t>(all.out.size(), budget, "degrees");
      one.in = Array<std::uint32_t>(all.in.size(), budget, "degrees");
    }
  }

  // Edges that a thread counts; returns how many are self loops.
  std::uint64_t add(const ThreadOf& thread, std::span<const Edge> edges, bool undirected) {
    if (own_.empty() && thread.count() > 1)
      return count(edges, undirected, all_,
                   [](std::uint32_t& counter) { std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed); });
    Degrees& mine = thread.index() == 0 ? all_ : own_[thread.index() - 1];
    return count(edges, undirected, mine, [](std::uint32_t& counter) { ++counter; });
  }

  void sum_up() {
    parallel_for(all_.out.size(), [&](std::uint64_t v) {
      for (const Degrees& one : own_) {
        all_.out[v] += one.out[v];
        if (!all_.in.empty()) all_.in[v] += one.in[v];
      }
    });
  }

 private:
  template <class Increase>
  static std::uint64_t count(std::span<const Edge> edges, bool undirected, Degrees& degrees, Increase increase) {
    std::uint64_t loops = 0;
    std::uint32_t* const out = degrees.out.data();
    std::uint32_t* const in = undirected ? out : degrees.in.data();
    for (const auto [source, target] : edges) {
      loops += source == target;
      increase(out[source]);
      if (!undirected || source != target) increase(in[target]);
    }
    return loops;
  }

  Degrees& all_;
  std::vector<Degrees> own_;  // of all threads but the first
};

// Appends the keys of sampled rows among the edges of a window, in any order.
void take_sample(const EdgeSupply::Window& edges, bool undirected, const Windows& windows,
                 std::span<const VertexId> rank, Sample& sample) {
  const auto place = [&](VertexId v) { return rank.empty() ? v : rank[v]; };
  sample.resize(windows.first_place.size());
  const auto take = [&](Sample& mine, VertexId row, VertexId neighbour) {
    if (windows.has(row)) mine[windows.of(place(row))].push_back(std::uint64_t{place(row)} << 32 | place(neighbour));
  };
  const auto look = [&](Sample& mine, std::uint64_t i) {
    const auto [source, target] = edges.edges[i];
    take(mine, source, target);
    if (undirected) take(mine, target, source);
  };
  const auto taken =
      parallel_reduce(edges.edges.size(), Sample(sample.size()), look, [](Sample& all, const Sample& part) {
        for (std::size_t w = 0; w < all.size(); ++w) all[w].insert(all[w].end(), part[w].begin(), part[w].end());
      });
  for (std::size_t w = 0; w < sample.size(); ++w) sample[w].insert(sample[w].end(), taken[w].begin(), taken[w].end());
}

}  // namespace

Windows choose_windows(const Degrees& degrees, std::span<const VertexId> rank, Budget& budget) {
  Array<VertexId> vertex_at(rank.size(), budget, "vertices by rank");
  parallel_for(rank.size(), [&](std::uint64_t v) { vertex_at[rank[v]] = static_cast<VertexId>(v); });

  const std::uint64_t n = degrees.out.size();
  std::uint64_t total = 0;
  for (const std::uint32_t d : degrees.out) total += d;
  Windows windows{std::vector<std::uint64_t>((n + 63) / 64, 0), {}, 0};
  std::uint64_t seen = 0, in_window = 0;
  std::uint32_t closed = 0, vertices = 0;
  for (std::uint64_t place = 0; place < n && closed < sample_windows; ++place) {
    const VertexId v = vertex_at.empty() ? static_cast<VertexId>(place) : vertex_at[place];
    if (windows.first_place.size() == closed && seen >= total / sample_windows * closed) {
      windows.first_place.push_back(static_cast<VertexId>(place));
      in_window = vertices = 0;
    }
    seen += degrees.out[v];
    if (windows.first_place.size() == closed) continue;
    windows.member[v / 64] |= std::uint64_t{1} << (v % 64);
    in_window += degrees.out[v];
    windows.edges += degrees.out[v];
    if (in_window >= window_edges || ++vertices >= window_vertices) ++closed;
  }
  return windows;
}

namespace {

std::uint64_t segment_of(std::uint64_t key, std::uint64_t segment) {
  return segment > 0 ? static_cast<VertexId>(key) / segment : 0;
}

// The bytes of keys that ascend in each segment, and those of one segment after another.
std::uint64_t encoded_bytes(std::span<const std::uint64_t> keys, std::uint64_t segment, PageEncoder& encoder) {
  std::uint64_t bytes = 0;
  for (std::size_t begin = 0; begin < keys.size();) {
    std::size_t end = begin + 1;
    while (end < keys.size() && segment_of(keys[end], segment) == segment_of(keys[begin], segment)) ++end;
    const auto first = static_cast<VertexId>(keys[begin] >> 32), last = static_cast<VertexId>(keys[end - 1] >> 32);
    std::vector<std::uint64_t> offsets(std::size_t{last} - first + 2, 0);
    std::vector<VertexId> neighbours;
    for (; begin < end; ++begin) {
      ++offsets[(keys[begin] >> 32) - first + 1];
      neighbours.push_back(static_cast<VertexId>(keys[begin]));
    }
    for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    std::vector<EncodedPage> pages;
    encoder.encode({.first_vertex = first, .offsets = offsets, .neighbours = neighbours.data()}, pages);
    // A window is far smaller than a page: do not count what every page has once.
    for (const EncodedPage& page : pages) bytes += page.bytes.size() - sizeof(PageHeader) - read_ahead_bytes;
  }
  return bytes;
}

// What a window of a sample has in all.
struct WindowSums {
  std::uint64_t plain = 0, blocked = 0, entries = 0, edges = 0, parts = 0, lines = 0;

  WindowSums& operator+=(const WindowSums& more) {
    plain += more.plain, blocked += more.blocked, entries += more.entries;
    edges += more.edges, parts += more.parts, lines += more.lines;
    return *this;
  }
};

void sort_keys(std::vector<std::uint64_t>& keys) {
  if (keys.empty()) return;
  std::vector<std::uint64_t> scratch(keys.size());
  const auto bits = static_cast<std::uint32_t>(std::bit_width(*std::max_element(keys.begin(), keys.end())));
  const std::span<std::uint64_t> sorted =
      radix_sort(std::span(keys), std::span(scratch), bits, [](std::uint64_t key) { return key; });
  if (sorted.data() != keys.data()) keys.swap(scratch);
}

WindowSums measure_window(std::vector<std::uint64_t>& keys, std::uint64_t segment) {
  constexpr std::uint32_t line_vertices = 32;
  PageEncoder encoder({.page_bytes = max_page_bytes});
  WindowSums sums{.entries = keys.size()};
  sort_keys(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  sums.edges = keys.size();
  sums.plain = encoded_bytes(keys, 0, encoder);
  if (segment == 0) return sums;
  std::vector<VertexId> read;
  for (const std::uint64_t key : keys) read.push_back(static_cast<VertexId>(key) / line_vertices);
  std::sort(read.begin(), read.end());
  sums.lines = static_cast<std::uint64_t>(std::unique(read.begin(), read.end()) - read.begin());
  std::sort(keys.begin(), keys.end(), [segment](std::uint64_t a, std::uint64_t b) {
    return std::pair(segment_of(a, segment), a) < std::pair(segment_of(b, segment), b);
  });
  for (std::size_t i = 0; i < keys.size(); ++i)
    sums.parts += i == 0 || keys[i] >> 32 != keys[i - 1] >> 32 ||
                  segment_of(keys[i], segment) != segment_of(keys[i - 1], segment);
  sums.blocked = encoded_bytes(keys, segment, encoder);
  return sums;
}

}  // namespace

MeasuredSample measure(Sample& sample, std::uint64_t segment) {
  std::vector<WindowSums> windows(sample.size());
  parallel_for_each(sample.size(), [&](std::uint64_t w) { windows[w] = measure_window(sample[w], segment); });
  WindowSums all;
  for (const WindowSums& window : windows) all += window;
  if (all.edges == 0) return {};
  const auto each = [](std::uint64_t sum, std::uint64_t of) {
    return static_cast<double>(sum) / static_cast<double>(of);
  };
  MeasuredSample measured{
      .plain = {each(all.plain, all.edges), each(all.plain, all.entries)}, .blocked = {}, .reads = {}};
  if (segment == 0) return measured;
  measured.blocked = {each(all.blocked, all.edges), each(all.blocked, all.entries)};
  measured.reads = {.parts = each(all.parts, all.edges), .lines = each(all.lines, all.edges)};
  return measured;
}

Degrees count_degrees(EdgeSupply& edges, bool undirected, Budget& budget) {
  Degrees degrees;
  degrees.out = Array<std::uint32_t>(edges.num_vertices(), budget, "degrees");
  if (!undirected) degrees.in = Array<std::uint32_t>(edges.num_vertices(), budget, "degrees");
  DegreeCounts counts(degrees, edges.num_edges(), budget);
  edges.replay([&](const EdgeSupply::Window& window) {
    constexpr std::uint64_t block = 1u << 18;  // after each, Ctrl-C is heeded
    const std::uint64_t size = window.edges.size();
    const std::uint64_t blocks = (size + block - 1) / block;
    std::atomic<std::uint64_t> loops = 0;
    Draw draw;
    on_threads(threads_for(blocks, 1, omp_get_max_threads()), [&](const ThreadOf& thread) {
      draw.for_each(blocks, [&](std::uint64_t b) {
        const std::uint64_t first = b * block;
        if (!interrupted())
          loops += counts.add(thread, window.edges.subspan(first, std::min(block, size - first)), undirected);
      });
    });
    throw_if_interrupted();
    degrees.self_loops += loops;
  });
  counts.sum_up();
  return degrees;
}

Array<VertexId> rank_by_degree(const Degrees& degrees, Budget& budget) {
  const std::uint64_t n = degrees.out.size();
  const auto total = [&](std::uint64_t v) {
    return std::uint64_t{degrees.out[v]} + (degrees.in.empty() ? 0 : degrees.in[v]);
  };
  std::uint64_t highest = 0;
  for (std::uint64_t v = 0; v < n; ++v) highest = std::max(highest, total(v));
  // A counting sort: place[d] is the rank of the next vertex with degree d.
  std::vector<std::uint32_t> place(highest + 1, 0);
  for (std::uint64_t v = 0; v < n; ++v) ++place[total(v)];
  std::uint32_t next = 0;
  for (std::uint64_t d = highest + 1; d-- > 0;) next += std::exchange(place[d], next);
  Array<VertexId> rank(n, budget, "vertex order");
  for (std::uint64_t v = 0; v < n; ++v) rank[v] = place[total(v)]++;
  return rank;
}

ChosenOrder choose_order(Order wanted, Array<VertexId> by_degree, const Degrees& degrees, const TakeSample& take,
                         const SegmentOptions& segments, Budget& budget) {
  ChosenOrder chosen;
  const std::uint64_t n = degrees.out.size();
  CacheModel cache;
  if (segments.automatic && (segments.cache || n >= least_blocked))
    cache = segments.cache ? *segments.cache : cache_model_here();
  const std::uint64_t candidate = segments.automatic ? cache.segment : segments.vertices;
  if (candidate > 0 && (!std::has_single_bit(candidate) || candidate < min_segment))
    throw InternalError("segments of {} vertices", candidate);
  const auto cost = [&](std::span<const VertexId> rank) {
    const Windows windows = choose_windows(degrees, rank, budget);
    // Windows are small, but the last row of each may be a hub: its keys are in memory twice while the parts of all
    // threads are joined.
    const std::uint64_t usual = sample_windows * window_edges;
    const Charge hubs(2 * sizeof(std::uint64_t) * (std::max(windows.edges, usual) - usual), budget,
                      "a sample of the rows");
    Sample sample = take(windows, rank);
    return measure(sample, candidate < n ? candidate : 0);
  };
  MeasuredSample natural, degree;
  if (wanted != Order::degree) natural = cost({});
  if (wanted != Order::natural) degree = cost(by_degree);
  chosen.natural = natural.plain;
  chosen.degree = degree.plain;
  const bool takes_degree = wanted == Order::degree ||
                            (wanted == Order::automatic &&
                             chosen.degree.bytes_per_edge < (1 - worthwhile_saving) * chosen.natural.bytes_per_edge);
  chosen.order = takes_degree ? Order::degree : Order::natural;
  if (takes_degree) chosen.rank = std::move(by_degree);
  const MeasuredSample& measured = takes_degree ? degree : natural;
  if (segments.automatic)
    chosen.segment = measured.blocked.bytes_per_edge > 0
                         ? choose_segment(n, cache, measured.reads, hot_share(degrees.out, cache.room))
                         : 0;
  else
    chosen.segment = candidate < n ? candidate : 0;
  chosen.blocked = measured.blocked;
  return chosen;
}

ChosenOrder choose_order(Order wanted, EdgeSupply& edges, const Degrees& degrees, bool undirected,
                         const SegmentOptions& segments, Budget& budget) {
  const auto take = [&](const Windows& windows, std::span<const VertexId> rank) {
    Sample sample;
    edges.replay([&](const EdgeSupply::Window& window) { take_sample(window, undirected, windows, rank, sample); });
    return sample;
  };
  return choose_order(wanted, wanted == Order::natural ? Array<VertexId>() : rank_by_degree(degrees, budget), degrees,
                      take, segments, budget);
}

}  // namespace millrace
