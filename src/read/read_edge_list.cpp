#include "millrace/read/read_edge_list.h"

#include <utility>

#include "millrace/read/parse_lines.h"
#include "millrace/read/row_edges.h"

namespace millrace {
namespace {

template <RowKind kind>
class PlainRows : public RowParser {
 public:
  std::size_t ids_per_row() const override { return millrace::ids_per_row(kind); }
  bool weighted() const override { return kind == RowKind::weighted_edge; }
  // For each column a digit, and a separator or newline.
  std::size_t least_row_bytes() const override { return 2 * (ids_per_row() + weighted()); }

  void parse(TextBlock& block, OriginalId* ids, double* weights) override {
    parse_lines<millrace::ids_per_row(kind), kind == RowKind::weighted_edge>(
        block, ids, weights,
        [](const char*& p, OriginalId* row, ReadWeight* weight) { return parse_line<kind>(p, row, weight); });
  }

  std::string explain(std::string_view line) const override { return explain_malformed(kind, line, true); }
};

}  // namespace

std::unique_ptr<EdgeReader> open_edge_list(std::unique_ptr<TextSource> source, const EdgeListOptions& options) {
  std::unique_ptr<RowParser> parser;
  if (options.weighted)
    parser = std::make_unique<PlainRows<RowKind::weighted_edge>>();
  else
    parser = std::make_unique<PlainRows<RowKind::edge>>();
  GraphShape shape{.weighted = options.weighted, .format = "edges"};
  auto reader = std::make_unique<RowEdges>(std::move(source), std::move(parser), options.blocks, shape);
  if (!options.vertices.empty()) reader->allow_only(read_vertices(options.vertices, options.blocks));
  return reader;
}

std::unique_ptr<EdgeReader> open_edge_list(const std::filesystem::path& file, const EdgeListOptions& options) {
  return open_edge_list(std::make_unique<TextSource>(file), options);
}

KnownVertices read_vertices(const std::filesystem::path& file, ReadBlocks blocks) {
  TextSource source(file);
  PlainRows<RowKind::vertex> parser;
  RowReader reader(source, parser, blocks);
  std::vector<Array<OriginalId>> pieces;
  while (auto rows = reader.next()) pieces.push_back(std::move(rows->ids));
  return {std::make_shared<IdIndex>(pieces), source.name()};
}

EdgeList read_edge_list(const std::filesystem::path& file, const EdgeListOptions& options) {
  return collect(*open_edge_list(file, options));
}

EdgeList parse_edge_list(std::string_view bytes, const std::string& name, const EdgeListOptions& options) {
  return collect(*open_edge_list(std::make_unique<TextSource>(bytes, name), options));
}

}  // namespace millrace
