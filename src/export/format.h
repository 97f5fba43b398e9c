// The formats for export, and how one is chosen.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace millrace {

enum class ExportFormat { edge_list, matrix_market, gap, npz };
enum class ExportWeights { as_stored, none, required };
enum class Compression { none, gzip, zstd };

struct ExportKind {
  ExportFormat format = ExportFormat::edge_list;
  ExportWeights weights = ExportWeights::as_stored;
  Compression compression = Compression::none;
  bool may_have_header = true;  // of an edge list: false if the format or the file name says el or wel
};

// The kind by its name in --format (edges, el, wel, mtx, sg, wsg, npz) or, if that is empty, by the end of the file
// name: these, .txt and .e, and .gz or .zst after them. "-" is an edge list. Throws UsageError.
ExportKind export_kind(const std::filesystem::path& file, const std::string& format);

}  // namespace millrace
