// Parses a line of text into numbers. Columns are separated by blanks (spaces, tabs) or one comma with blanks around
// it; columns after the needed ones are ignored. Lines that are blank or start with '#' or '%' are skipped. A comma
// between digits in a line whose columns may be separated by blanks alone might be part of a number: such a line is
// malformed.
#pragma once

#include <string.h>  // rawmemchr

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "millrace/build/weight_choice.h"
#include "millrace/core/types.h"

namespace millrace {

enum class RowKind { vertex, edge, weighted_edge };

constexpr std::size_t ids_per_row(RowKind kind) { return kind == RowKind::vertex ? 1 : 2; }

enum class LineResult { row, nothing, malformed };

// What is wrong with a line that parse_line() rejects as malformed, and what was expected; settings are marked.
// `may_be_names`: whether the format can also be read with names for ids.
std::string explain_malformed(RowKind kind, std::string_view line, bool may_be_names = false);

// The start of a line for a message: at most 80 characters, unprintable bytes escaped.
std::string printable(std::string_view line);

namespace parsing {

// Every line ends with '\n', which no column contains: so these functions need not check for the end of the text.
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool ends_line(const char* p) { return *p == '\n' || (*p == '\r' && p[1] == '\n'); }
inline bool ends_column(const char* p) { return is_blank(*p) || *p == ',' || ends_line(p); }

inline const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}

inline const char* skip_separator(const char* p) {
  p = skip_blanks(p);
  return *p == ',' ? skip_blanks(p + 1) : p;
}

// What separates the columns of a line so far, as far as there are digits on both sides: bits of `seen`.
constexpr unsigned by_blanks = 1, by_comma = 2, by_both = by_blanks | by_comma;

// Adds the separator from p, the end of a column that is not empty, to next. A comma with blanks beside it is no part
// of a number.
inline void see_separator(const char* p, const char* next, unsigned& seen) {
  if (!is_digit(*next)) return;
  if (*p == ',' && next == p + 1 && is_digit(p[-1]))
    seen |= by_comma;
  else if (is_blank(*p) && *skip_blanks(p) != ',')
    seen |= by_blanks;
}

inline const char* skip_separator(const char* p, unsigned& seen) {
  const char* const next = skip_separator(p);
  see_separator(p, next, seen);
  return next;
}

// Whether the line has so many columns also if commas between digits are parts of numbers.
bool has_columns_between_blanks(const char* line, std::size_t columns);

// Whether it may be read in two ways; p is the end of its last column that is read.
inline bool is_ambiguous(const char* line, const char* p, unsigned seen, std::size_t columns) {
  if (!ends_line(p)) skip_separator(p, seen);
  return seen == by_both && has_columns_between_blanks(line, columns);
}
constexpr const char* ambiguous_comma =
    "has a comma that may separate columns or be part of a number, as blanks separate columns too; use one of them in "
    "a line, and a point in numbers";

// Returns the end of the id at p, or nullptr if there is no id.
inline const char* parse_id(const char* p, OriginalId& id) {
  const char* const begin = p;
  id = 0;
  for (; is_digit(*p); ++p) id = id * 10 + static_cast<OriginalId>(*p - '0');
  if (p - begin > 19 && std::from_chars(begin, p, id).ec != std::errc{}) return nullptr;  // 2^64 or more
  return p > begin && ends_column(p) ? p : nullptr;
}

// Reads a text as a finite number, rounded to the nearest double. False if it is not a number.
bool read_weight(std::string_view text, ReadWeight& weight);

// Returns the end of the finite number at p, or nullptr if there is none.
inline const char* parse_weight(const char* p, ReadWeight& weight) {
  const char* end = p;
  std::uint64_t whole = 0;
  for (; is_digit(*end); ++end) whole = whole * 10 + static_cast<std::uint64_t>(*end - '0');
  if (end > p && end - p <= 15 && ends_column(end)) {  // exact as a double, like most weights
    weight = {.value = static_cast<double>(whole)};
    return end;
  }
  while (!ends_column(end)) ++end;
  return read_weight({p, static_cast<std::size_t>(end - p)}, weight) ? end : nullptr;
}

inline const char* next_line(const char* p) {
  return *p == '\n' ? p + 1 : static_cast<const char*>(rawmemchr(p, '\n')) + 1;
}

// The header of MatrixMarket is a comment, and after it comes a line of sizes that looks like an edge.
inline bool starts_matrix_market(const char* line) { return std::strncmp(line, "%%MatrixMarket", 14) == 0; }

}  // namespace parsing

// Parses the line at p, which has to end with '\n', and moves p past it unless it is malformed.
template <RowKind kind>
inline LineResult parse_line(const char*& p, OriginalId* ids, ReadWeight* weight) {
  using namespace parsing;
  const char* q = skip_blanks(p);
  unsigned seen = 0;
  if (!is_digit(*q)) {
    if (*q != '#' && *q != '%' && !ends_line(q)) return LineResult::malformed;
    if (starts_matrix_market(q)) return LineResult::malformed;
    p = next_line(q);
    return LineResult::nothing;
  }
  for (std::size_t i = 0; i < ids_per_row(kind); ++i) {
    if (i > 0) q = skip_separator(q, seen);
    q = parse_id(q, ids[i]);
    if (!q) return LineResult::malformed;
  }
  if constexpr (kind == RowKind::weighted_edge) {
    q = parse_weight(skip_separator(q, seen), *weight);
    if (!q) return LineResult::malformed;
  }
  if (is_ambiguous(p, q, seen, ids_per_row(kind) + (kind == RowKind::weighted_edge))) return LineResult::malformed;
  p = next_line(q);
  return LineResult::row;
}

}  // namespace millrace
