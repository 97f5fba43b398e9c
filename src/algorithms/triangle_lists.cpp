// Every edge goes into the list of the one of its ends that comes later by falling degree, so that no list is long;
// lists are then intersected (operators/triangles.h). Where memory does not hold all lists, blocks of them meet in
// pairs.
#include "millrace/algorithms/triangle_lists.h"

#include <memory>
#include <optional>

#include "millrace/algorithms/triangle_lists_programs.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/engine/rows.h"

namespace millrace {

using namespace triangle_lists_programs;

GraphNeeds triangle_needs() {
  return {.in_pages = true,
          .out_pages = true,
          .all_pages = true,  // in the rows of one orientation every edge would be in one list, if at all
          .row_index = false,
          .out_degrees = true,
          .in_degrees = true,
          // Lengths of lists, of either orientation and united.
          .attributes = attributes_of<std::uint32_t, std::uint32_t, std::uint32_t>(),
          .supersteps = {.thread_bits = 2},
          .list_bytes_per_edge = 8};
}

std::uint64_t count_triangles(Engine& engine, const TrianglesToCount& count) {
  const Graph& graph = engine.graph();
  if (count.weighted && engine.num_vertices() >= std::uint64_t{1} << 31)
    throw UsageError("a directed graph may have {} vertices here, and this one has {}", (std::uint64_t{1} << 31) - 1,
                     engine.num_vertices());
  const bool unites = !graph.undirected() || graph.keeps_parallel_edges();
  const Earlier program{engine.out_degree(), engine.in_degree(), graph.by_degree(), !graph.undirected(),
                        count.weighted};
  Attribute<std::uint32_t> length;
  if (unites) length = engine.attribute<std::uint32_t>("lengths of lists");

  // All lists at once, or those of two rounds; and as much again to unite one.
  auto rows = std::make_unique<WholeRows>(engine, ListsOf::both, program, WholeRows::Share{.of = unites ? 2u : 1u});
  if (rows->rounds() > 1) {
    rows.reset();  // gives back what the lengths take
    rows = std::make_unique<WholeRows>(engine, ListsOf::both, program, WholeRows::Share{.of = unites ? 3u : 2u});
  }
  const std::size_t rounds = rows->rounds();
  WholeRows::Room scratch;
  if (unites) scratch = NeighbourRows::scratch_for(*rows);
  NeighbourRows last(*rows, count.weighted, length);
  std::optional<NeighbourRows> second;
  if (rounds > 1) second.emplace(*rows, count.weighted, length);

  const TriangleCounts counts{count.by_vertex.data, count.weighted, program.by_number};
  std::uint64_t triangles = 0;
  for (std::size_t u = 0; u < rounds; ++u) {
    last.load(u, scratch);
    if (count.degree.data) last.add_degrees(count.degree);
    triangles += last.add_triangles(last, counts);
    for (std::size_t v = 0; v < rounds; ++v) {
      if (v == u || !rows->meet(u, v, program.by_number)) continue;
      second->load(v, scratch);
      triangles += last.add_triangles(*second, counts);
    }
  }
  return triangles;
}

}  // namespace millrace
