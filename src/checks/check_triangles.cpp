#include "millrace/checks/check_triangles.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "millrace/checks/plain_graph.h"
#include "millrace/core/parallel.h"

namespace millrace {
namespace {

// The edges among the neighbours of one vertex.
struct Neighbourhood {
  std::uint64_t neighbours = 0;
  std::uint64_t edges = 0;      // directed edges
  std::uint64_t connected = 0;  // pairs of neighbours with an edge
};

// Every edge once and without direction. It is stored upwards: to the vertex with more neighbours, at equal degrees to
// the higher number. So no vertex has many edges upwards, and a hub has hardly any, so that hubs cost little.
struct Undirected {
  PlainRows rows, upwards;
  std::vector<std::uint8_t> directed;  // for each edge upwards: 1 or 2 directed edges

  bool is_upwards(VertexId from, VertexId to) const {
    return std::pair(rows.degree(from), from) < std::pair(rows.degree(to), to);
  }
};

Undirected without_directions(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices) {
  const PlainRows out = plain_rows(pages, orientation, Orientation::out, num_vertices);
  const PlainRows in = plain_rows(pages, orientation, Orientation::in, num_vertices);
  Undirected graph{{{0}, {}}, {{0}, {}}, {}};
  std::vector<VertexId> row;
  for (std::uint64_t i = 0; i < num_vertices; ++i) {
    const auto v = static_cast<VertexId>(i);
    row.clear();
    std::set_union(out[v].begin(), out[v].end(), in[v].begin(), in[v].end(), std::back_inserter(row));
    row.erase(std::unique(row.begin(), row.end()), row.end());
    std::remove_copy(row.begin(), row.end(), std::back_inserter(graph.rows.neighbours), v);
    graph.rows.offset.push_back(graph.rows.neighbours.size());
  }
  const auto has = [](std::span<const VertexId> sorted, VertexId v) {
    return std::binary_search(sorted.begin(), sorted.end(), v);
  };
  for (std::uint64_t i = 0; i < num_vertices; ++i) {
    const auto v = static_cast<VertexId>(i);
    for (const VertexId w : graph.rows[v]) {
      if (!graph.is_upwards(v, w)) continue;
      graph.upwards.neighbours.push_back(w);
      graph.directed.push_back(static_cast<std::uint8_t>(has(out[v], w) + has(in[v], w)));
    }
    graph.upwards.offset.push_back(graph.upwards.neighbours.size());
  }
  return graph;
}

class Neighbourhoods {
 public:
  Neighbourhoods(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices)
      : graph_(without_directions(pages, orientation, num_vertices)), belongs_(num_vertices) {}

  std::uint64_t looks() const { return looks_; }

  Neighbourhood of(VertexId v) {
    const auto members = graph_.rows[v];
    Neighbourhood found{.neighbours = members.size()};
    for (const VertexId w : members) belongs_[w] = true;
    for (const VertexId w : members) {
      const PlainRows& upwards = graph_.upwards;
      for (std::uint64_t e = upwards.offset[w]; e < upwards.offset[w + 1]; ++e) {
        if (!belongs_[upwards.neighbours[e]]) continue;
        ++found.connected;
        found.edges += graph_.directed[e];
      }
      looks_ += upwards.degree(w) + 1;
    }
    for (const VertexId w : members) belongs_[w] = false;
    return found;
  }

 private:
  Undirected graph_;
  std::vector<bool> belongs_;
  std::uint64_t looks_ = 0;
};

// Calls verify(v, its neighbourhood), which returns a complaint or nothing, for vertices far apart, until one complains
// or enough edges were examined.
template <class Verify>
std::optional<std::string> check_some(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                      std::uint64_t most_looks, const Verify& verify) {
  Neighbourhoods neighbourhoods(pages, orientation, num_vertices);
  // A step that is coprime to the number of vertices visits all of them.
  std::uint64_t step = num_vertices * 5 / 8 + 1;
  while (std::gcd(step, num_vertices) != 1) ++step;
  for (std::uint64_t i = 0, v = 0; i < num_vertices && neighbourhoods.looks() < most_looks; ++i) {
    const auto vertex = static_cast<VertexId>(v);
    if (auto complaint = verify(vertex, neighbourhoods.of(vertex))) return complaint;
    v = (v + step) % num_vertices;
  }
  return {};
}

}  // namespace

std::optional<std::string> check_triangles(const PageSet& pages, Orientation orientation,
                                           std::span<const std::uint64_t> count, std::uint64_t triangles,
                                           std::uint64_t most_looks) {
  const std::uint64_t sum = std::accumulate(count.begin(), count.end(), std::uint64_t{0});
  if (sum != 3 * triangles)
    return fmt::format("{} triangles have {} corners, but vertices have {}", triangles, 3 * triangles, sum);
  return check_some(pages, orientation, count.size(), most_looks,
                    [&](VertexId v, const Neighbourhood& found) -> std::optional<std::string> {
                      if (count[v] == found.connected) return {};
                      return fmt::format("vertex {} has {} triangles, but {} pairs of its neighbours are connected", v,
                                         count[v], found.connected);
                    });
}

std::optional<std::string> check_triangles(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                           std::uint64_t triangles) {
  const PlainRows upwards = without_directions(pages, orientation, num_vertices).upwards;
  std::atomic<std::uint64_t> found = 0;
  parallel_drawn(num_vertices, 64, [&](std::uint64_t u) {
    std::uint64_t here = 0;
    for (const VertexId v : upwards[static_cast<VertexId>(u)]) {
      const auto a = upwards[static_cast<VertexId>(u)], b = upwards[v];
      for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        here += *i == *j;
        const bool next_i = *i <= *j, next_j = *j <= *i;
        i += next_i;
        j += next_j;
      }
    }
    found += here;
  });
  if (found == triangles) return {};
  return fmt::format("{} triangles were found, but there are {}", triangles, found.load());
}

std::optional<std::string> check_lcc(const PageSet& pages, Orientation orientation, std::span<const double> coefficient,
                                     std::uint64_t most_looks) {
  constexpr double tolerance = 1e-12;
  return check_some(pages, orientation, coefficient.size(), most_looks,
                    [&](VertexId v, const Neighbourhood& found) -> std::optional<std::string> {
                      const double n = static_cast<double>(found.neighbours);
                      const double expected = n < 2 ? 0 : static_cast<double>(found.edges) / (n * (n - 1));
                      if (std::abs(coefficient[v] - expected) <= tolerance) return {};
                      return fmt::format("vertex {} has the coefficient {}, but {} neighbours with {} edges make {}", v,
                                         coefficient[v], found.neighbours, found.edges, expected);
                    });
}

}  // namespace millrace
