#include "millrace/ingest/order.h"

#include <algorithm>
#include <vector>

#include "millrace/pages/encode.h"

namespace millrace {
namespace {

// Few and large: rows find others of their length only in a window that is not much smaller than a page.
constexpr std::uint32_t sample_windows = 8;
constexpr std::uint64_t window_edges = 1u << 16;
constexpr std::uint32_t window_vertices = 1u << 14;
// Degree order gives up whatever meaning ids have; it must save at least this share to be worth an id map.
constexpr double worthwhile_saving = 0.03;

void count(std::uint32_t& counter) {
#pragma omp atomic
  ++counter;
}

// Windows of consecutive places in an order, spread evenly over the edges.
struct Windows {
  std::vector<std::uint64_t> member;  // a bit per vertex: few are in any, so most looks end here, in cache
  std::vector<VertexId> first_place;

  bool has(VertexId v) const { return (member[v / 64] >> (v % 64)) & 1; }
  std::size_t of(VertexId place) const {
    return static_cast<std::size_t>(std::upper_bound(first_place.begin(), first_place.end(), place) -
                                    first_place.begin() - 1);
  }
};

Windows choose_windows(const Degrees& degrees, std::span<const VertexId> vertex_at) {
  const std::uint64_t n = degrees.out.size();
  std::uint64_t total = 0;
  for (const std::uint32_t d : degrees.out) total += d;
  Windows windows{std::vector<std::uint64_t>((n + 63) / 64, 0), {}};
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
    if (in_window >= window_edges || ++vertices >= window_vertices) ++closed;
  }
  return windows;
}

// The keys (row, neighbour) of all edges in the windows, window by window.
std::vector<std::vector<std::uint64_t>> take_sample(const EdgeList& list, bool undirected, const Windows& windows,
                                                    std::span<const VertexId> rank) {
  const auto place = [&](VertexId v) { return rank.empty() ? v : rank[v]; };
  std::vector<std::vector<std::uint64_t>> sample(windows.first_place.size());
#pragma omp parallel
  {
    std::vector<std::vector<std::uint64_t>> mine(sample.size());
    const auto take = [&](VertexId row, VertexId neighbour) {
      if (windows.has(row)) mine[windows.of(place(row))].push_back(std::uint64_t{place(row)} << 32 | place(neighbour));
    };
#pragma omp for schedule(static) nowait
    for (std::uint64_t i = 0; i < list.edges.size(); ++i) {
      take(list.edges[i].source, list.edges[i].target);
      if (undirected) take(list.edges[i].target, list.edges[i].source);
    }
#pragma omp critical
    for (std::size_t w = 0; w < sample.size(); ++w) sample[w].insert(sample[w].end(), mine[w].begin(), mine[w].end());
  }
  return sample;
}

// What the sampled rows take, encoded for real.
SampledCost measure(const EdgeList& list, const Degrees& degrees, bool undirected, std::span<const VertexId> rank) {
  std::vector<VertexId> vertex_at(rank.size());
  for (std::uint64_t v = 0; v < rank.size(); ++v) vertex_at[rank[v]] = static_cast<VertexId>(v);
  auto sample = take_sample(list, undirected, choose_windows(degrees, vertex_at), rank);

  std::uint64_t bytes = 0, entries = 0, edges = 0;
  PageEncoder encoder({.page_bytes = max_page_bytes});
  for (auto& keys : sample) {
    if (keys.empty()) continue;
    entries += keys.size();
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    edges += keys.size();
    const auto first = static_cast<VertexId>(keys.front() >> 32), last = static_cast<VertexId>(keys.back() >> 32);
    std::vector<std::uint64_t> offsets(std::size_t{last} - first + 2, 0);
    std::vector<VertexId> neighbours;
    for (const std::uint64_t key : keys) {
      ++offsets[(key >> 32) - first + 1];
      neighbours.push_back(static_cast<VertexId>(key));
    }
    for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    std::vector<EncodedPage> pages;
    encoder.encode({.first_vertex = first, .offsets = offsets, .neighbours = neighbours.data()}, pages);
    // A window is far smaller than a page: leave out what a page has once.
    for (const EncodedPage& page : pages) bytes += page.bytes.size() - sizeof(PageHeader) - read_ahead_bytes;
  }
  if (edges == 0) return {};
  return {static_cast<double>(bytes) / static_cast<double>(edges),
          static_cast<double>(bytes) / static_cast<double>(entries)};
}

}  // namespace

Degrees count_degrees(const EdgeList& list, bool undirected) {
  Degrees degrees;
  degrees.out = Array<std::uint32_t>(list.num_vertices, unlimited_budget(), "degrees");
  if (!undirected) degrees.in = Array<std::uint32_t>(list.num_vertices, unlimited_budget(), "degrees");
#pragma omp parallel for schedule(static)
  for (std::uint64_t i = 0; i < list.edges.size(); ++i) {
    const Edge edge = list.edges[i];
    count(degrees.out[edge.source]);
    if (!undirected)
      count(degrees.in[edge.target]);
    else if (edge.source != edge.target)
      count(degrees.out[edge.target]);
  }
  return degrees;
}

Array<VertexId> rank_by_degree(const Degrees& degrees) {
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
  Array<VertexId> rank(n, unlimited_budget(), "vertex order");
  for (std::uint64_t v = 0; v < n; ++v) rank[v] = place[total(v)]++;
  return rank;
}

ChosenOrder choose_order(Order wanted, const EdgeList& list, const Degrees& degrees, bool undirected) {
  ChosenOrder chosen;
  if (wanted != Order::degree) chosen.natural = measure(list, degrees, undirected, {});
  if (wanted != Order::natural) {
    chosen.rank = rank_by_degree(degrees);
    chosen.degree = measure(list, degrees, undirected, chosen.rank);
  }
  const bool by_degree = wanted == Order::degree ||
                         (wanted == Order::automatic &&
                          chosen.degree.bytes_per_edge < (1 - worthwhile_saving) * chosen.natural.bytes_per_edge);
  chosen.order = by_degree ? Order::degree : Order::natural;
  if (!by_degree) chosen.rank = {};
  return chosen;
}

}  // namespace millrace
