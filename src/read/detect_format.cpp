#include <algorithm>
#include <string_view>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/foreign_format.h"
#include "millrace/core/text.h"
#include "millrace/read/column_choice.h"
#include "millrace/read/fields.h"
#include "millrace/read/formats.h"
#include "millrace/read/read_gap.h"

namespace millrace {
namespace {

constexpr std::size_t looked_at = 64 << 10;

// "c" comments up to a line "p sp".
bool starts_dimacs(std::string_view head) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    if (line.starts_with("p sp ")) return true;
    if (!line.empty() && line != "c" && line != "\r" && line != "c\r" && !line.starts_with("c ")) return false;
    head.remove_prefix(std::min(line.size() + 1, head.size()));
  }
  return false;
}

[[noreturn]] void refuse_foreign(const TextSource& source, const ForeignFormat& format, bool by_name) {
  throw UsageError("{} is {}{}, which is not read: {}{}", source.name(), by_name ? "by its name " : "", format.name,
                   format.remedy,
                   by_name || format.text ? marked_text("; @format@ says what it is, if it is something else") : "");
}

Format detect_binary(TextSource& source, std::string_view head) {
  for (const bool weighted : {false, true})
    if (looks_like_gap(head, source.unpacked_bytes(), weighted)) return weighted ? Format::wsg : Format::sg;
  if (const ForeignFormat* const foreign = foreign_content(head, source.name()))
    refuse_foreign(source, *foreign, false);
  throw UsageError("{} is binary, in a format that cannot be told; pass @format@ sg, wsg or graph500", source.name());
}

bool is_edge(const std::string& line) {
  const char* p = line.c_str();
  OriginalId ids[2];
  return parse_line<RowKind::edge>(p, ids, nullptr) == LineResult::row;
}

bool is_header(const std::string& line, IdKind ids) {
  const std::vector<std::string> fields =
      split_line({.separator = guess_separator(line)}, line.substr(0, line.find_first_of("\r\n")));
  return names_both_ends(fields, ids == IdKind::string);
}

// A text with an edge per line: decides whether a header comes first.
Format detect_table(const TextSource& source, const std::string& line, bool named_csv, const ReadOptions& options) {
  if (names_columns(options.columns)) return Format::csv;
  if (line.empty()) return Format::edges;
  if (is_header(line, options.ids)) return Format::csv;
  if (options.ids == IdKind::string) {
    if (named_csv)
      throw UsageError(
          "{}: \"{}\" may be a header or an edge; pass @format@ csv if it is a header, else @format@ edges",
          source.name(), printable(line.substr(0, line.find_first_of("\r\n"))));
    return Format::edges;
  }
  if (is_edge(line)) return Format::edges;
  const auto letter = static_cast<unsigned char>(line[line.find_first_not_of(" \t")]);
  const bool like_header =
      (std::isalpha(letter) || letter == '"' || letter == '_') && line.find_first_of(",;\t") != line.npos;
  return named_csv || like_header ? Format::csv : Format::edges;
}

constexpr std::pair<std::string_view, Format> extensions[] = {
    {".mtx", Format::mtx},           {".graph", Format::metis},   {".metis", Format::metis}, {".sg", Format::sg},
    {".wsg", Format::wsg},           {".gr", Format::gr},         {".wel", Format::wel},     {".el", Format::edges},
    {".graph500", Format::graph500}, {".g500", Format::graph500},
};

}  // namespace

void refuse_binary(TextSource& source) {
  const ForeignFormat* const foreign = foreign_content(source.peek(looked_at), source.name());
  if (foreign && !foreign->text) refuse_foreign(source, *foreign, false);
}

Format detect_format(TextSource& source, const ReadOptions& options) {
  const std::string_view head = without_byte_order_mark(source.peek(looked_at));
  const std::string extension = without_compression_suffix(source.name()).extension().string();
  if (head.size() >= 14 && equal_letters(head.substr(0, 14), "%%MatrixMarket")) return Format::mtx;
  for (const auto& [ending, format] : extensions)
    if (equal_letters(extension, ending)) return format;
  if (head.find('\0') != head.npos) return detect_binary(source, head);
  if (options.ids == IdKind::integer && starts_dimacs(head)) return Format::gr;
  if (const ForeignFormat* const foreign = foreign_content(head, source.name()))
    refuse_foreign(source, *foreign, false);
  if (const ForeignFormat* const foreign = foreign_name(source.name())) refuse_foreign(source, *foreign, true);
  const bool named_csv = equal_letters(extension, ".csv") || equal_letters(extension, ".tsv");
  return detect_table(source, first_row(head), named_csv, options);
}

}  // namespace millrace
