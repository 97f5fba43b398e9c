#include "millrace/export/export.h"

#include "millrace/core/error.h"
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

void export_vertices(const Store& store, const std::filesystem::path& path, Budget& budget, const ExportKind& beside) {
  const std::unique_ptr<Sink> sink = make_sink(path, export_kind(path, "edges").compression);
  write_vertices(store, beside.may_have_header, *sink, budget);
  sink->close();
}

}  // namespace millrace
