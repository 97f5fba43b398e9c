// Edges whose endpoints are names: any text without the separator. Names are numbered by first appearance.
#pragma once

#include <filesystem>
#include <memory>

#include "millrace/ingest/column_rows.h"
#include "millrace/ingest/edge_reader.h"

namespace millrace {

struct NamedEdgeOptions {
  LineRules rules = {};
  Columns columns = {};
  std::filesystem::path vertices = {};  // lists every vertex, one name a line, also those without edges; empty: none
  std::size_t block_bytes = std::size_t{1} << 20;
  std::string format = "edges";
};

// A reader whose batches have the numbers of names as ids. With a vertex file its names come first, in its order.
std::unique_ptr<EdgeReader> open_named_edges(std::unique_ptr<TextSource> source, const NamedEdgeOptions& options);

}  // namespace millrace
