#include "millrace/core/file_kind.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/foreign_format.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

struct Kind {
  std::string_view ending;
  std::string_view name;
};
constexpr Kind kinds[] = {
    {".csv", "CSV"},
    {".tsv", "a table with tabs"},
    {".mtx", "a MatrixMarket file"},
    {".graph", "a METIS file"},
    {".metis", "a METIS file"},
    {".sg", "a graph of the GAP benchmark suite"},
    {".wsg", "a graph of the GAP benchmark suite"},
    {".el", "a list of edges"},
    {".wel", "a list of edges with weights"},
    {".e", "the edges of an LDBC graph"},
    {".v", "the vertices of an LDBC graph"},
    {".properties", "the properties of an LDBC graph"},
    {".gr", "a DIMACS file"},
    {".graph500", "a graph of Graph500"},
    {".g500", "a graph of Graph500"},
    {".store", "a store"},
    // Foreign ones too, which are no graphs or of which a graph is not told by the content.
    {".jsonl", "lines of JSON"},
    {".ndjson", "lines of JSON"},
    {".geojson", "GeoJSON"},
    {".htm", "a web page"},
    {".md", "Markdown"},
    {".png", "an image"},
    {".svg", "an image"},
};

}  // namespace

std::string_view kind_by_name(const std::filesystem::path& file) {
  const std::string extension = without_compression_suffix(file).extension().string();
  for (const auto& [ending, name] : kinds)
    if (equal_letters(extension, ending)) return name;
  const ForeignFormat* const foreign = foreign_name(file);
  return foreign ? foreign->name : std::string_view();
}

void require_own_ending(const std::filesystem::path& output, std::initializer_list<std::string_view> endings,
                        Compressed compressed, std::string_view written) {
  const std::filesystem::path plain = without_compression_suffix(output);
  if (compressed == Compressed::never && plain != output)
    throw UsageError("{} would be compressed, which is not done here: {}", output.string(), written);
  const std::string extension = plain.extension().string();
  if (std::ranges::any_of(endings, [&](std::string_view ending) { return equal_letters(extension, ending); })) return;
  if (const std::string_view kind = kind_by_name(output); !kind.empty())
    throw UsageError("{} would be {}, which is not written here: {}", output.string(), kind, written);
}

}  // namespace millrace
