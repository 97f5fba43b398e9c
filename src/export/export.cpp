#include "millrace/export/export.h"

#include "millrace/core/error.h"
#include "millrace/export/csr.h"
#include "millrace/export/sink.h"
#include "millrace/export/write_gap.h"
#include "millrace/export/write_npz.h"
#include "millrace/export/write_text.h"

namespace millrace {

bool exports_weights(const Store& store, const ExportKind& kind) {
  const bool weighted = store.manifest().weight_type != WeightType::none;
  if (kind.weights == ExportWeights::required && !weighted)
    throw UsageError("{} has no weights: export {} instead", store.path().string(),
                     kind.format == ExportFormat::gap ? ".sg" : ".el");
  return weighted && kind.weights != ExportWeights::none;
}

void export_graph(const Store& store, const std::filesystem::path& path, const ExportKind& kind, Budget& budget) {
  const bool weighted = exports_weights(store, kind);
  if (kind.format == ExportFormat::npz) {
    OutputFile file(path);
    write_npz(store, weighted, file, budget);
    return file.close();
  }
  if (kind.format == ExportFormat::edge_list) {
    write_edge_list(EdgeSelection(store), {path, kind.compression, weighted, kind.may_have_header}, budget);
    return;
  }
  const std::unique_ptr<Sink> sink = make_sink(path, kind.compression);
  if (kind.format == ExportFormat::matrix_market) write_matrix_market(store, weighted, *sink, budget);
  if (kind.format == ExportFormat::gap) write_gap(store, weighted, *sink, budget);
  sink->close();
}

std::uint64_t export_memory(const Store& store, const ExportKind& kind, bool vertices_too) {
  const bool weighted = exports_weights(store, kind);
  const std::uint64_t afterwards = vertices_too ? vertices_memory(store) : 0;
  if (kind.format == ExportFormat::edge_list) return std::max(afterwards, edge_list_memory(store, weighted));
  if (kind.format == ExportFormat::matrix_market) return std::max(afterwards, matrix_market_memory(store, weighted));
  const bool both = kind.format == ExportFormat::gap && store.manifest().directed;
  return std::max(afterwards, rows_memory(store, both, weighted));
}

void export_vertices(const Store& store, const std::filesystem::path& path, Budget& budget, const ExportKind& beside) {
  const std::unique_ptr<Sink> sink = make_sink(path, export_kind(path, "edges").compression);
  write_vertices(store, beside.may_have_header, *sink, budget);
  sink->close();
}

}  // namespace millrace
