// The graph formats that can be read, and functions that open any of them. docs/formats.md has the details for users.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "millrace/build/edge_reader.h"
#include "millrace/read/read_blocks.h"
#include "millrace/read/text_source.h"

namespace millrace {

enum class Format {
  automatic,  // from content and name
  edges,      // text, an edge per line; also GAP's .el
  wel,        // the same with weights: GAP's .wel
  csv,
  mtx,
  metis,
  sg,
  wsg,
  gr,
  graph500,
  ldbc,
};

enum class IdKind { integer, string };

struct ReadOptions {
  Format format = Format::automatic;
  std::optional<bool> weighted = {};          // unset: not for edges and csv; other formats if the file has weights
  WeightType weight_type = WeightType::none;  // as requested; none: the smallest that holds all weights
  std::string columns = {};      // for edges, wel and csv: "1,2", "1,2,4" or names from a header; empty: defaults
  IdKind ids = IdKind::integer;  // string: endpoints are names; for edges, wel and csv
  std::filesystem::path vertices = {};  // file that lists every vertex, if the format does not; empty: none
  ReadBlocks blocks = {};               // how much text a thread parses at a time
};

// The name of the format for --format.
std::string_view format_name(Format format);

// The format of a file, from its first bytes and, if they are ambiguous, its name. Throws UsageError if both leave it
// open, or say that it is a format of another program.
Format detect_format(TextSource& source, const ReadOptions& options);
// Throws UsageError if a file that is to be read as text is binary, in a format of another program.
void refuse_binary(TextSource& source);

// Opens a graph in any format, plain or compressed by gzip or zstd. Throws UsageError if options do not match the
// format.
std::unique_ptr<EdgeReader> open_graph(const std::filesystem::path& file, const ReadOptions& options);
// The same for any format except ldbc, which has several files.
std::unique_ptr<EdgeReader> open_graph(std::unique_ptr<TextSource> source, const ReadOptions& options);

}  // namespace millrace
