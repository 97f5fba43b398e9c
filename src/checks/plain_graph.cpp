#include "millrace/checks/plain_graph.h"

#include <algorithm>

#include "millrace/core/parallel.h"

namespace millrace {

PlainRows plain_rows(const PageSet& pages, Orientation pages_are, Orientation wanted, std::uint64_t num_vertices) {
  PlainRows rows{std::vector<std::uint64_t>(num_vertices + 1), {}};
  const auto row_of = [&](VertexId source, VertexId target) { return wanted == Orientation::out ? source : target; };
  for_each_edge(pages, pages_are, [&](VertexId source, VertexId target) {
#pragma omp atomic
    ++rows.offset[row_of(source, target) + 1];
  });
  for (std::uint64_t v = 0; v < num_vertices; ++v) rows.offset[v + 1] += rows.offset[v];
  rows.neighbours.resize(rows.offset.back());
  std::vector<std::uint64_t> place(rows.offset.begin(), rows.offset.end() - 1);
  for_each_edge(pages, pages_are, [&](VertexId source, VertexId target) {
    std::uint64_t at;
#pragma omp atomic capture
    at = place[row_of(source, target)]++;
    rows.neighbours[at] = wanted == Orientation::out ? target : source;
  });
  parallel_drawn(num_vertices, 1024, [&](std::uint64_t v) {
    std::sort(rows.neighbours.begin() + static_cast<std::ptrdiff_t>(rows.offset[v]),
              rows.neighbours.begin() + static_cast<std::ptrdiff_t>(rows.offset[v + 1]));
  });
  return rows;
}

}  // namespace millrace
