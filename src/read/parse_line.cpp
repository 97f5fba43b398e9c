#include "millrace/read/parse_line.h"

#include <fmt/core.h>
#include <locale.h>
#include <stdlib.h>  // strtod_l

#include <algorithm>
#include <cmath>

#include "millrace/core/error.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

// The column at `p` up to the next separator; `p` moves to its end.
std::string_view take_column(const char*& p) {
  const char* const begin = p;
  while (!parsing::ends_column(p)) ++p;
  return {begin, static_cast<std::size_t>(p - begin)};
}

std::string_view explain_id(std::string_view column, bool may_be_names) {
  const auto all_digits = [](std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), parsing::is_digit);
  };
  if (column.empty()) return "is missing";
  if (column.front() == '-' && all_digits(column.substr(1))) return "is negative";
  if (all_digits(column)) return "exceeds 18446744073709551615";
  return may_be_names ? "is not a whole number (@ids@ string takes any text)" : "is not a whole number";
}

// Whether the double equals the number in a text of digits alone; other texts (with a point or an exponent) pass.
bool is_that_whole_number(double nearest, std::string_view text) {
  if (std::abs(nearest) < 0x1p53) return true;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (!std::all_of(text.begin(), text.end(), parsing::is_digit)) return true;
  text.remove_prefix(text.find_first_not_of('0'));
  return fmt::format("{:.0f}", std::abs(nearest)) == text;
}

std::string_view expected(RowKind kind) {
  switch (kind) {
    case RowKind::vertex:
      return "expected a vertex id (0 to 18446744073709551615)";
    case RowKind::edge:
      return "expected two vertex ids (0 to 18446744073709551615), separated by blanks or a comma";
    case RowKind::weighted_edge:
      return "expected two vertex ids (0 to 18446744073709551615) and a weight, separated by blanks or commas";
  }
  return {};
}

std::string_view explain_weight(std::string_view column) {
  double value = 0;
  const auto [last, error] = std::from_chars(column.data(), column.data() + column.size(), value);
  if (last != column.data() + column.size() || error == std::errc::invalid_argument) return "is not a number";
  return error == std::errc{} ? "is not finite" : "is too large: 1.8e308 is the most that a 64-bit number can be";
}

std::string find_fault(RowKind kind, const char* p, bool may_be_names) {
  using namespace parsing;
  p = skip_blanks(p);
  unsigned seen = 0;
  for (std::size_t i = 0; i < ids_per_row(kind); ++i) {
    if (i > 0) p = skip_separator(p, seen);
    const std::string_view column = take_column(p);
    OriginalId id;
    if (parse_id(column.data(), id)) continue;
    const std::string_view name = kind == RowKind::vertex ? "vertex id" : i == 0 ? "source id" : "target id";
    return fmt::format("the {} {}", name, mark_settings(explain_id(column, may_be_names)));
  }
  if (kind == RowKind::weighted_edge) {
    p = skip_separator(p, seen);
    ReadWeight weight;
    if (!parse_weight(p, weight))
      return fmt::format("the weight {}", ends_line(p) ? "is missing" : explain_weight(take_column(p)));
  }
  return fmt::format("the line {}", ambiguous_comma);
}

}  // namespace

bool parsing::has_columns_between_blanks(const char* line, std::size_t columns) {
  const char* p = skip_blanks(line);
  for (; columns > 0; --columns) {
    if (ends_line(p)) return false;
    while (!ends_column(p) || (*p == ',' && p > line && is_digit(p[-1]) && is_digit(p[1]))) ++p;
    p = skip_separator(p);
  }
  return true;
}

bool parsing::read_weight(std::string_view text, ReadWeight& weight) {
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data() + plus_signs(text), end, weight.value);
  if (last != end) return false;
  if (error == std::errc::result_out_of_range) {
    // Too large, or so close to 0 that the nearest double is 0 or has few digits: strtod tells them apart. In the
    // locale of the program, which may be another one, the point might be a comma.
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    weight.value = strtod_l(std::string(text).c_str(), nullptr, plain);
  } else if (error != std::errc{}) {
    return false;
  }
  if (!std::isfinite(weight.value)) return false;
  weight.exact = is_that_whole_number(weight.value, text);
  return true;
}

std::string explain_malformed(RowKind kind, std::string_view line, bool may_be_names) {
  const std::string ended = std::string(line) + '\n';
  if (parsing::starts_matrix_market(ended.c_str()))
    return marked_text("this is a MatrixMarket file; pass @format@ mtx, or no @format@ at all");
  return fmt::format("{}; {}", find_fault(kind, ended.c_str(), may_be_names), expected(kind));
}

std::string printable(std::string_view line) {
  constexpr std::size_t limit = 80;
  std::string text;
  for (const char c : line) {
    const std::string piece = c == '\t'                ? "\\t"
                              : c == '\r'              ? "\\r"
                              : (c >= ' ' && c <= '~') ? std::string(1, c)
                                                       : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    if (text.size() + piece.size() > limit) return text + "...";
    text += piece;
  }
  return text;
}

}  // namespace millrace
