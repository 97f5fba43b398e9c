// What a graph can be exported as, and how it is chosen.
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
  bool may_have_header = true;  // of an edge list: not where the format, or the ending of the file, is el or wel
};

// By a name as --format takes it (edges, el, wel, mtx, sg, wsg, npz) or, where that is empty, by the ending of the
// file: these, .txt and .e, and .gz or .zst after them. "-" is an edge list. Throws UsageError.
ExportKind export_kind(const std::filesystem::path& file, const std::string& format);

}  // namespace millrace
