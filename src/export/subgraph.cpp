#include "millrace/export/subgraph.h"

#include <atomic>

#include "millrace/build/edge_spool.h"
#include "millrace/build/items.h"
#include "millrace/build/store_builder.h"
#include "millrace/core/parallel.h"
#include "millrace/core/stopwatch.h"
#include "millrace/export/edge_selection.h"
#include "millrace/export/selection_reader.h"
#include "millrace/export/write_text.h"

namespace millrace {
namespace {

std::uint64_t count_edges(const EdgeSelection& edges) {
  const PageReader reader = edges.reader();
  std::atomic<std::uint64_t> count = 0;
  Progress progress("count", edges.edges_read());
  parallel_for_each(edges.pages().size(), [&](std::uint64_t p) {
    std::uint64_t here = 0;
    edges.for_each_edge(reader, edges.pages()[p], false, [&](VertexId, VertexId, std::uint64_t) { ++here; });
    count += here;
    progress.advance(edges.entry(edges.pages()[p]).edges);
  });
  return count;
}

BuildOptions build_options(const Store& store, const SubgraphOutput& output, const Budget& budget) {
  BuildOptions options = options_like(store.manifest());
  options.order = Order::automatic;
  options.replace = output.replace;
  options.memory = budget.limit() == Budget::unlimited ? budget.limit() : budget.limit() - budget.used();
  const LimitOption& option = budget.option();
  options.memory_option = {option.name, option.shares, option.value(budget.used())};
  options.source = output.source;
  return options;
}

// Assumes that the store of a part has pages at most twice as large, and rows no longer, than that of the whole.
BuildFacts facts_of(const Store& store) {
  const Manifest& manifest = store.manifest();
  const bool weighted = manifest.weight_type != WeightType::none;
  const std::uint64_t n = store.num_vertices(), entries = store.num_edges();
  BuildFacts facts{.vertices = n,
                   .edges = entries,
                   .item_bytes = weighted ? sizeof(WeightedItem) : sizeof(PlainItem),
                   .undirected = !manifest.directed,
                   .one_of_two = manifest.directed && !(store.has(Orientation::in) && store.has(Orientation::out)),
                   .by_degree = true,
                   .replaying = EdgeSpool::most_replay_memory(entries, weighted),
                   .ids = 2 * buffer_memory(8 * n)};
  std::uint64_t longest = 0;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!store.has(o) || (!manifest.directed && o == Orientation::in)) continue;
    std::uint64_t largest = 0;
    for (const PageEntry& page : store.table(o)) largest = std::max<std::uint64_t>(largest, page.edges);
    longest = std::max(longest, store.table(o).longest_row());
    largest = std::min(entries, 2 * largest + longest);
    // One thread is enough to sort page after page; more threads are used if memory is left.
    facts.pages.push_back({.entries = entries, .largest = {largest}, .rows = {n}});
    facts.windows += store.table(o).size();
  }
  // Both orders, and the keys of long rows in a sample of eight windows, twice.
  facts.ordering = 2 * buffer_memory(4 * n) + 16 * std::min(entries, 8 * longest);
  return facts;
}

}  // namespace

std::uint64_t subgraph_memory(const Store& store, const SubgraphOutput& output) {
  const bool weighted = store.manifest().weight_type != WeightType::none;
  const std::uint64_t text = output.edges.empty() ? 0 : edge_list_memory(store, weighted);
  if (output.store.empty()) return text;
  const std::uint64_t building = process_overhead + std::max(process_overhead, least_build_memory(facts_of(store)));
  return std::max(text, SelectionReader::memory(store) + building);
}

SubgraphSummary write_subgraph(const Store& store, const VertexSet& from, const VertexSet& to,
                               const SubgraphOutput& output, Budget& budget) {
  const Stopwatch watch;
  const EdgeSelection edges(store, from, to);
  const bool weighted = store.manifest().weight_type != WeightType::none;
  SubgraphSummary summary;
  for (VertexId v = 0; v < store.num_vertices(); ++v) summary.vertices += edges.has(v);
  if (!output.edges.empty()) {
    const ExportKind kind = export_kind(output.edges, "edges");
    summary.edges = write_edge_list(edges, {output.edges, kind.compression, weighted, kind.may_have_header}, budget);
  }
  if (!output.store.empty()) {
    SelectionReader reader(edges, budget);
    const BuildSummary built = build_store(reader, output.store, build_options(store, output, budget));
    summary.edges = reader.num_edges();
    summary.temporary_bytes = built.temporary_bytes;
  }
  if (output.edges.empty() && output.store.empty()) summary.edges = count_edges(edges);
  summary.pages = edges.pages().size();
  summary.all_pages = store.table(edges.orientation()).size();
  summary.edges_read = edges.edges_read();
  summary.bytes_read = edges.bytes_read(weighted && !(output.edges.empty() && output.store.empty()));
  summary.seconds = watch.seconds();
  return summary;
}

}  // namespace millrace
