// Every edge goes into the list of the one of its ends that comes later by falling degree, so that no list is long;
// lists are then intersected (operators/triangles.h). Where memory does not hold all lists, blocks of them meet in
// pairs.
#include "millrace/algorithms/triangle_lists.h"

#include "millrace/algorithms/triangle_lists_programs.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace triangle_lists_programs;

namespace {

// The lists of one range at a time.
class Block {
 public:
  Block(Engine& engine, const Earlier& program, const ListPlan& plan, View<std::uint32_t> length)
      : engine_(engine), program_(program), plan_(plan), length_(length), room_(engine.room_for_lists(plan.bytes())) {}

  NeighbourLists load(std::size_t range, ListRoom& scratch) {
    const Lists<std::uint32_t> lists = engine_.gather_lists(plan_, range, program_, room_);
    if (length_.data) engine_.unite_lists(plan_, lists, program_.weighted, length_, scratch);
    return {lists, length_.data};
  }

 private:
  Engine& engine_;
  const Earlier& program_;
  const ListPlan& plan_;
  View<std::uint32_t> length_;
  ListRoom room_;
};

}  // namespace

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

  // All lists at once, or two blocks of them; and as much again to unite one.
  ListPlan plan = engine.plan_lists(ListsOf::both, program, engine.list_room() / (unites ? 2 : 1));
  if (plan.ranges.size() > 1) {
    plan = {};  // gives back what the lengths take
    plan = engine.plan_lists(ListsOf::both, program, engine.list_room() / (unites ? 3 : 2));
  }
  const std::size_t blocks = plan.ranges.size();
  ListRoom scratch;
  if (unites) scratch = engine.room_to_unite(plan.bytes());
  Block last(engine, program, plan, length);
  std::optional<Block> second;
  if (blocks > 1) second.emplace(engine, program, plan, length);

  const TriangleCounts counts{count.by_vertex.data, count.weighted, program.by_number};
  std::uint64_t triangles = 0;
  for (std::size_t u = 0; u < blocks; ++u) {
    const NeighbourLists of = last.load(u, scratch);
    if (count.degree.data) engine.add_degrees(of, count.weighted, count.degree);
    triangles += engine.add_triangles(of, of, counts);
    for (std::size_t v = 0; v < (program.by_number ? u : blocks); ++v)
      if (v != u) triangles += engine.add_triangles(of, second->load(v, scratch), counts);
  }
  return triangles;
}

}  // namespace millrace
