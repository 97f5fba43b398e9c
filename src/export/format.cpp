#include "millrace/export/format.h"

#include "millrace/core/error.h"

namespace millrace {
namespace {

struct NamedKind {
  const char* name;
  ExportFormat format;
  ExportWeights weights;
};

constexpr NamedKind kinds[] = {{"edges", ExportFormat::edge_list, ExportWeights::as_stored},
                               {"txt", ExportFormat::edge_list, ExportWeights::as_stored},
                               {"e", ExportFormat::edge_list, ExportWeights::as_stored},
                               {"el", ExportFormat::edge_list, ExportWeights::none},
                               {"wel", ExportFormat::edge_list, ExportWeights::required},
                               {"mtx", ExportFormat::matrix_market, ExportWeights::as_stored},
                               {"sg", ExportFormat::gap, ExportWeights::none},
                               {"wsg", ExportFormat::gap, ExportWeights::required},
                               {"npz", ExportFormat::npz, ExportWeights::as_stored}};

}  // namespace

ExportKind export_kind(const std::filesystem::path& file, const std::string& format) {
  ExportKind kind;
  std::filesystem::path name = file.filename();
  if (name.extension() == ".gz") kind.compression = Compression::gzip;
  if (name.extension() == ".zst") kind.compression = Compression::zstd;
  if (kind.compression != Compression::none) name = name.stem();
  std::string wanted = format;
  const std::string ending = name.extension().string().substr(name.has_extension() ? 1 : 0);
  if (wanted.empty()) wanted = file == "-" ? "edges" : ending;

  const NamedKind* found = nullptr;
  for (const NamedKind& named : kinds)
    if (wanted == named.name) found = &named;
  if (!found)
    throw UsageError(
        "{}: '{}' is no format to export; end the name in .txt, .el, .wel, .mtx, .sg, .wsg or .npz, or say @format@",
        file.string(), wanted);
  kind.format = found->format;
  kind.weights = found->weights;
  for (const char* const without : {"el", "wel"}) kind.may_have_header &= wanted != without && ending != without;
  const bool text = kind.format == ExportFormat::edge_list || kind.format == ExportFormat::matrix_market;
  if (file == "-" && !text) throw UsageError("@format@ {} is not text: give it a file", wanted);
  if (kind.format == ExportFormat::npz && kind.compression != Compression::none)
    throw UsageError("{}: a .npz file is a zip archive, and is written as it is; leave out the last ending",
                     file.string());
  return kind;
}

}  // namespace millrace
