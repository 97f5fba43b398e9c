// Text edge lists: a line "source target [weight]" for each edge.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "millrace/build/edge_list.h"
#include "millrace/build/edge_reader.h"
#include "millrace/read/read_rows.h"

namespace millrace {

struct EdgeListOptions {
  bool weighted = false;                // the third column is a weight; otherwise it is ignored
  std::filesystem::path vertices = {};  // a file of all vertices, one id per line, with or without edges; empty: none
  ReadBlocks blocks = {};               // how much text a thread parses at a time
};

// A reader of a text edge list, plain or compressed.
std::unique_ptr<EdgeReader> open_edge_list(const std::filesystem::path& file, const EdgeListOptions& options);
std::unique_ptr<EdgeReader> open_edge_list(std::unique_ptr<TextSource> source, const EdgeListOptions& options);

// The vertices that a file lists, one id per line.
KnownVertices read_vertices(const std::filesystem::path& file, ReadBlocks blocks);

// Reads a text edge list into dense vertex numbers: distinct original ids, ascending.
EdgeList read_edge_list(const std::filesystem::path& file, const EdgeListOptions& options);

// The same for bytes in memory; messages call them `name`.
EdgeList parse_edge_list(std::string_view bytes, const std::string& name, const EdgeListOptions& options);

}  // namespace millrace
