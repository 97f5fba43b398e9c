// The graph formats that can be read, and one door to all of them. docs/formats.md has the details for users.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "millrace/ingest/edge_reader.h"
#include "millrace/ingest/text_source.h"

namespace millrace {

enum class Format {
  automatic,  // by content and name
  edges,      // text, an edge a line; also GAP's .el
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
  std::optional<bool> weighted = {};          // unset: edges and csv no, other formats where the file has weights
  WeightType weight_type = WeightType::none;  // asked for; none: the smallest that has all weights
  std::string columns = {};      // of edges, wel and csv: "1,2", "1,2,4" or names from a header; empty: usual ones
  IdKind ids = IdKind::integer;  // string: endpoints are names; for edges, wel and csv
  std::filesystem::path vertices = {};             // lists every vertex, for formats that do not; empty: none
  std::size_t block_bytes = std::size_t{1} << 20;  // text that a thread parses at a time
};

// As it is written in --format.
std::string_view format_name(Format format);

// The format of a file, by its first bytes and, where they leave it open, its name. Throws UsageError where neither
// tells.
Format detect_format(TextSource& source, const ReadOptions& options);

// Opens a graph in any format, plain or compressed by gzip or zstd. Throws UsageError where options do not go with the
// format.
std::unique_ptr<EdgeReader> open_graph(const std::filesystem::path& file, const ReadOptions& options);
// The same for any format but ldbc, which is several files.
std::unique_ptr<EdgeReader> open_graph(std::unique_ptr<TextSource> source, const ReadOptions& options);

// a.txt of a.txt.gz, a.txt.zst or a.txt.
std::filesystem::path without_compression_suffix(const std::filesystem::path& file);

}  // namespace millrace
