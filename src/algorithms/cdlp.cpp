// Returns the community of every vertex: all start with a label of their own, and in each iteration, all at once, take
// the label that is most frequent among their in-neighbours and out-neighbours, the smallest of those equally frequent.
// Who is both counts twice; in an undirected graph each neighbour counts once. (Raghavan, Albert and Kumara 2007; made
// synchronous and deterministic in LDBC Graphalytics.) Vertices without neighbours keep their label: both attributes
// begin with it, and nothing is ever written there. A vertex looks at its neighbours again when one of them has
// changed: else it would find what it has.
#include "millrace/algorithms/cdlp.h"

#include "millrace/algorithms/cdlp_programs.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/engine/rows.h"

namespace millrace {

using namespace cdlp_programs;

// When those that change have more than one to so many edges, all look again: to tell them would cost as much.
constexpr std::uint64_t many_change = 16;

namespace {

struct Kept {
  explicit Kept(Registry& registry, std::span<const Label> own = {})
      : label(own.empty() ? registry.attribute<Label>("labels") : registry.attribute_from("labels", own)),
        next(own.empty() ? registry.attribute<Label>("next labels") : registry.attribute_from("next labels", own)),
        told(registry.attribute<std::uint32_t>("who was told")) {}
  Attribute<Label> label, next;
  Attribute<std::uint32_t> told;
};

}  // namespace

GraphNeeds cdlp_needs() {
  // An edge of a directed graph is in two lists; a 32nd of their room is left for finding the most frequent.
  return {.in_pages = true,
          .out_pages = true,
          .all_pages = true,
          .row_index = true,
          .both_ways = true,
          .out_degrees = true,
          .in_degrees = true,
          .attributes = needs_of<Kept>(),
          .supersteps = supersteps_of<Tell>({.push = true, .frontiers = 4, .queues = 4, .unites = true}),
          .list_bytes_per_edge = 9,
          .result_bytes_per_vertex = 4 + 1};
}

Array<Label> own_labels(const Store& store, Budget& budget) {
  const Array<VertexId> order = store.load_ids(budget).ascending(budget);
  Array<Label> own(order.size(), budget, "labels");
  for (std::uint64_t i = 0; i < order.size(); ++i) own[order[i]] = static_cast<Label>(i);
  return own;
}

CdlpResult cdlp(Engine& engine, const CdlpOptions& options, std::span<const Label> own) {
  auto [label, next, told] = Kept(engine, own);
  if (own.empty()) engine.vertex_map(TakeNumber{label, next});

  CdlpResult result;
  const Stopwatch watch;
  WholeRows rows(engine, ListsOf::both, LabelsOfNeighbours{label}, {.parts = 31, .of = 32});
  WholeRows::Room room = rows.room();
  Frontier changed = engine.all_vertices();
  for (; result.iterations < options.iterations && !changed.empty(); ++result.iterations) {
    const bool many = changed.num_edges() > engine.num_edges() / many_change;
    const Frontier looking =
        many ? engine.all_vertices() : engine.edge_map_both_ways(changed, Tell{told, result.iterations + 1});
    rows.most_frequent(looking, next, room);
    changed = engine.take_in(looking, Change{label, next});
  }
  result.changed = changed.size();
  result.seconds = watch.seconds();
  result.label = std::move(label).take();
  return result;
}

void become_vertices(Array<Label>& label, std::span<const Label> own, Budget& budget) {
  if (own.empty()) return;
  Array<VertexId> owner(own.size(), budget, "labels");
  for (std::uint64_t v = 0; v < own.size(); ++v) owner[own[v]] = static_cast<VertexId>(v);
  for (Label& one : label) one = owner[one];
}

std::uint64_t count_communities(std::span<const Label> label) {
  std::vector<bool> met(label.size());
  std::uint64_t count = 0;
  for (const Label one : label)
    if (!met[one]) met[one] = true, ++count;
  return count;
}

}  // namespace millrace
