#include "millrace/checks/check_kcore.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "millrace/checks/plain_graph.h"

namespace millrace {
namespace {

// Vertices are sorted by degree, so that each degree is a range: a vertex that loses a neighbour moves to the front of
// its range, whose start then moves past it.
std::vector<std::uint64_t> core_numbers(const std::vector<PlainRows>& rows) {
  const std::uint64_t n = rows[0].num_vertices();
  std::vector<std::uint64_t> degree(n), place(n), start(1);
  for (std::uint64_t v = 0; v < n; ++v)
    for (const PlainRows& some : rows) degree[v] += some.degree(static_cast<VertexId>(v));
  for (const std::uint64_t d : degree) {
    if (start.size() < d + 2) start.resize(d + 2);
    ++start[d + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<VertexId> order(n);
  std::vector<std::uint64_t> next = start;
  for (std::uint64_t v = 0; v < n; ++v) order[place[v] = next[degree[v]]++] = static_cast<VertexId>(v);
  for (std::uint64_t i = 0; i < n; ++i) {
    const VertexId v = order[i];
    for (const PlainRows& some : rows)
      for (const VertexId w : some[v]) {
        if (degree[w] <= degree[v]) continue;
        const std::uint64_t front = std::max(start[degree[w]], i + 1);
        const VertexId other = order[front];
        std::swap(order[front], order[place[w]]);
        std::swap(place[w], place[other]);
        start[degree[w]] = front + 1;
        --degree[w];
      }
  }
  return degree;
}

}  // namespace

std::optional<std::string> check_kcore(const PageSet& pages, Orientation orientation, bool directed,
                                       std::span<const std::uint32_t> core) {
  std::vector<PlainRows> rows;
  rows.push_back(plain_rows(pages, orientation, Orientation::out, core.size()));
  if (directed) rows.push_back(plain_rows(pages, orientation, Orientation::in, core.size()));
  const std::vector<std::uint64_t> expected = core_numbers(rows);
  for (std::uint64_t v = 0; v < core.size(); ++v)
    if (core[v] != expected[v])
      return fmt::format("vertex {} has core number {}, but {} was expected", v, core[v], expected[v]);
  return std::nullopt;
}

}  // namespace millrace
