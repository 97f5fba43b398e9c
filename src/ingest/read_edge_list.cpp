#include "millrace/ingest/read_edge_list.h"

#include <optional>
#include <utility>

#include "millrace/ingest/compact_ids.h"
#include "millrace/ingest/read_rows.h"
#include "millrace/ingest/text_source.h"

namespace millrace {
namespace {

KnownVertices read_vertices(const EdgeListOptions& options) {
  TextSource source(options.vertices);
  return {IdIndex(read_rows(source, RowKind::vertex, options.block_bytes).ids), source.name()};
}

// One array of bits from the numbers as they were read, which are released on the way.
Array<std::uint64_t> encode_weights(std::vector<Array<double>> pieces, WeightType type, std::uint64_t num_edges) {
  Array<std::uint64_t> weights(num_edges, unlimited_budget(), "the weights");
  std::uint64_t first = 0;
  for (Array<double>& piece : pieces) {
#pragma omp parallel for schedule(static)
    for (std::uint64_t i = 0; i < piece.size(); ++i) weights[first + i] = weight_bits(type, piece[i]);
    first += piece.size();
    piece = {};
  }
  return weights;
}

EdgeList read_edges(TextSource& source, const EdgeListOptions& options) {
  std::optional<KnownVertices> known;
  if (!options.vertices.empty()) known = read_vertices(options);
  const RowKind kind = options.weighted ? RowKind::weighted_edge : RowKind::edge;
  ParsedRows rows = read_rows(source, kind, options.block_bytes, known ? &*known : nullptr);

  EdgeList list;
  if (known) {
    list.num_vertices = known->index.size();
    list.ids = known->index.take_ids();
    list.edges = number_edges(std::move(rows.ids), IdIndex(list.num_vertices));
  } else {
    list = compact_ids(std::move(rows.ids));
  }
  if (options.weighted) {
    list.weight_type = rows.weight_choice.type();
    list.weights = encode_weights(std::move(rows.weights), list.weight_type, list.edges.size());
  }
  return list;
}

}  // namespace

EdgeList read_edge_list(const std::filesystem::path& file, const EdgeListOptions& options) {
  TextSource source(file);
  return read_edges(source, options);
}

EdgeList parse_edge_list(std::string_view bytes, const std::string& name, const EdgeListOptions& options) {
  TextSource source(bytes, name);
  return read_edges(source, options);
}

}  // namespace millrace
