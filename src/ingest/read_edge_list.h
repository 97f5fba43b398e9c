// Text edge lists: a line "source target [weight]" for each edge.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "millrace/ingest/edge_list.h"

namespace millrace {

struct EdgeListOptions {
  bool weighted = false;                // the third column is a weight; otherwise it is ignored
  std::filesystem::path vertices = {};  // lists every vertex, one id a line, also those without edges; empty: none
  std::size_t block_bytes = std::size_t{1} << 20;  // text that a thread parses at a time
};

// Reads a text edge list (plain or gzip) into dense vertex numbers: distinct original ids, ascending.
EdgeList read_edge_list(const std::filesystem::path& file, const EdgeListOptions& options);

// The same for bytes in memory, plain or gzip; `name` stands for the file in messages.
EdgeList parse_edge_list(std::string_view bytes, const std::string& name, const EdgeListOptions& options);

}  // namespace millrace
