#include "millrace/checks/check_triangles.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "millrace/checks/plain_graph.h"

namespace millrace {
namespace {

// The edges among the neighbours of one vertex.
struct Neighbourhood {
  std::uint64_t neighbours = 0;
  std::uint64_t edges = 0;      // directed
  std::uint64_t connected = 0;  // pairs
};

class Neighbourhoods {
 public:
  Neighbourhoods(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices)
      : out_(plain_rows(pages, orientation, Orientation::out, num_vertices)),
        in_(plain_rows(pages, orientation, Orientation::in, num_vertices)),
        belongs_(num_vertices),
        met_(num_vertices) {
    for (auto* rows : {&out_, &in_})
      for (VertexId v = 0; v < num_vertices; ++v) {
        const auto begin = rows->neighbours.begin() + static_cast<std::ptrdiff_t>(rows->offset[v]);
        const auto end = rows->neighbours.begin() + static_cast<std::ptrdiff_t>(rows->offset[v + 1]);
        // Parallel edges are one: the others become self-loops, which do not count.
        for (auto at = end; at != begin && at - 1 != begin; --at)
          if (at[-1] == at[-2]) at[-1] = v;
      }
  }

  std::uint64_t looks() const { return looks_; }

  Neighbourhood of(VertexId v) {
    Neighbourhood found;
    std::vector<VertexId> members;
    for (const auto* rows : {&out_, &in_})
      for (const VertexId w : (*rows)[v])
        if (w != v && !belongs_[w]) belongs_[w] = true, members.push_back(w);
    found.neighbours = members.size();
    for (const VertexId w : members) {
      // Each pair is met from both sides.
      std::vector<VertexId> others;
      for (const auto* rows : {&out_, &in_})
        for (const VertexId x : (*rows)[w]) {
          ++looks_;
          if (x == w || !belongs_[x]) continue;
          found.edges += rows == &out_;
          if (!met_[x]) met_[x] = true, others.push_back(x);
        }
      found.connected += others.size();
      for (const VertexId x : others) met_[x] = false;
    }
    found.connected /= 2;
    for (const VertexId w : members) belongs_[w] = false;
    return found;
  }

 private:
  PlainRows out_, in_;
  std::vector<bool> belongs_, met_;
  std::uint64_t looks_ = 0;
};

// Calls verify(v, its neighbourhood), which returns a complaint or nothing, for vertices far apart until one complains
// or there were enough looks.
template <class Verify>
std::optional<std::string> check_some(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                      std::uint64_t most_looks, const Verify& verify) {
  Neighbourhoods neighbourhoods(pages, orientation, num_vertices);
  // A step that shares no factor with the number of vertices meets all of them.
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
  PlainRows lower = plain_rows(pages, orientation, Orientation::out, num_vertices);
  {
    const PlainRows in = plain_rows(pages, orientation, Orientation::in, num_vertices);
    PlainRows united{{0}, {}};
    for (VertexId v = 0; v < num_vertices; ++v) {
      const auto a = lower[v], b = in[v];
      std::vector<VertexId> both;
      std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
      both.erase(std::unique(both.begin(), both.end()), both.end());
      both.erase(std::lower_bound(both.begin(), both.end(), v), both.end());
      united.neighbours.insert(united.neighbours.end(), both.begin(), both.end());
      united.offset.push_back(united.neighbours.size());
    }
    lower = std::move(united);
  }
  std::uint64_t found = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : found)
  for (std::uint64_t u = 0; u < num_vertices; ++u)
    for (const VertexId v : lower[static_cast<VertexId>(u)]) {
      const auto a = lower[static_cast<VertexId>(u)], b = lower[v];
      for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        found += *i == *j;
        const bool next_i = *i <= *j, next_j = *j <= *i;
        i += next_i;
        j += next_j;
      }
    }
  if (found == triangles) return {};
  return fmt::format("{} triangles were found, but there are {}", triangles, found);
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
