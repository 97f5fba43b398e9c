// Reads edges whose endpoints are names: any text without the separator. Names are numbered by first appearance.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "millrace/build/edge_reader.h"
#include "millrace/read/column_rows.h"
#include "millrace/read/read_blocks.h"

namespace millrace {

struct NamedEdgeOptions {
  LineRules rules = {};
  Columns columns = {};
  std::filesystem::path vertices = {};  // a file of all vertices, one name per line, with or without edges; empty: none
  ReadBlocks blocks = {};
  std::string format = "edges";
  std::vector<std::string> remarks = {};  // of the shape
};

// A reader whose batches have the numbers of names as ids. Names in a vertex file come first, in its order.
std::unique_ptr<EdgeReader> open_named_edges(std::unique_ptr<TextSource> source, const NamedEdgeOptions& options);

}  // namespace millrace
