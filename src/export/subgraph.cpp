#include "millrace/export/subgraph.h"

#include <atomic>

#include "millrace/core/parallel.h"
#include "millrace/core/stopwatch.h"
#include "millrace/export/edge_selection.h"
#include "millrace/export/selection_reader.h"
#include "millrace/export/write_text.h"
#include "millrace/ingest/build.h"

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
  options.memory_option = "--host-memory";
  options.source = output.source;
  return options;
}

}  // namespace

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
