#include "millrace/read/column_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "millrace/core/error.h"
#include "millrace/read/parse_lines.h"

namespace millrace {
namespace {

bool read_id(std::string_view text, OriginalId& id) {
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc{} && last == text.data() + text.size();
}

template <std::size_t num_ids, bool has_weight, bool named>
class ColumnRows : public RowParser {
 public:
  ColumnRows(const LineRules& rules, const std::array<std::size_t, num_ids>& ids, std::size_t weight)
      : rules_(rules), ids_(ids), weight_(weight) {
    last_ = std::max(*std::ranges::max_element(ids_), has_weight ? weight_ : 0);
  }

  std::size_t ids_per_row() const override { return num_ids; }
  bool weighted() const override { return has_weight; }
  // Source and target may be the same column, so a line may have one character and its end.
  std::size_t least_row_bytes() const override { return 2; }

  void parse(TextBlock& block, OriginalId* ids, double* weights) override {
    parse_lines<num_ids, has_weight>(block, ids, weights, [this](const char*& p, OriginalId* row, ReadWeight* weight) {
      if (holds_nothing(p)) {
        p = parsing::next_line(p);
        return LineResult::nothing;
      }
      const char* field = p;
      std::fill_n(row, num_ids, 0);  // for compilers that cannot see that every column is set
      unsigned seen = 0;
      for (std::size_t column = 0; column <= last_; ++column)
        if (take(field, column, row, weight, seen)) return LineResult::malformed;
      if (is_ambiguous(p, seen)) return LineResult::malformed;
      p = parsing::next_line(field);
      return LineResult::row;
    });
  }

  std::string explain(std::string_view line) const override {
    const std::string ended = std::string(line) + '\n';
    const char* p = ended.c_str();
    OriginalId row[num_ids];
    ReadWeight weight;
    unsigned seen = 0;
    for (std::size_t column = 0; column <= last_; ++column)
      if (const char* fault = take(p, column, row, &weight, seen))
        return fmt::format("column {} {}", column + 1, mark_settings(fault));
    return fmt::format("the line {}", is_ambiguous(ended.c_str(), seen) ? parsing::ambiguous_comma : "is malformed");
  }

 private:
  bool holds_nothing(const char* p) const {
    p = parsing::skip_blanks(p);
    return parsing::ends_line(p) || (rules_.comments && (*p == '#' || *p == '%'));
  }

  bool is_ambiguous(const char* line, unsigned seen) const {
    return seen == parsing::by_both && parsing::has_columns_between_blanks(line, last_ + 1);
  }

  // Reads the field at p as column number `column` and moves p to the next field. Returns what is wrong with it, in
  // words for mark_settings, or nullptr.
  const char* take(const char*& p, std::size_t column, OriginalId* row, ReadWeight* weight, unsigned& seen) const {
    const Field field = take_field(rules_.fields, p);
    if (!field.sound) return "has a quote that does not end with the field, on the same line";
    for (std::size_t i = 0; i < num_ids; ++i) {
      if (ids_[i] != column) continue;
      if (field.begin == field.end) return "is empty or missing; expected a vertex id";
      if constexpr (named)
        row[i] = reinterpret_cast<std::uintptr_t>(p);
      else if (!read_id(field.text(), row[i]))
        return "is not a vertex id; expected a whole number from 0 to 18446744073709551615, or pass @ids@ string";
    }
    if (has_weight && weight_ == column && !parsing::read_weight(field.text(), *weight))
      return "is not a weight; expected a finite number";
    if (!rules_.fields.separator && field.end > field.begin) parsing::see_separator(field.end, field.next, seen);
    p = field.next;
    return nullptr;
  }

  LineRules rules_;
  std::array<std::size_t, num_ids> ids_;
  std::size_t weight_;
  std::size_t last_;
};

template <bool named>
std::unique_ptr<RowParser> parse_edges(const LineRules& rules, const Columns& columns) {
  const std::array ids{columns.source, columns.target};
  if (columns.weight) return std::make_unique<ColumnRows<2, true, named>>(rules, ids, *columns.weight);
  return std::make_unique<ColumnRows<2, false, named>>(rules, ids, 0);
}

}  // namespace

std::unique_ptr<RowParser> parse_columns(const LineRules& rules, const Columns& columns) {
  return parse_edges<false>(rules, columns);
}

std::unique_ptr<RowParser> parse_named_columns(const LineRules& rules, const Columns& columns) {
  return parse_edges<true>(rules, columns);
}

std::unique_ptr<RowParser> parse_named_vertices(const LineRules& rules) {
  return std::make_unique<ColumnRows<1, false, true>>(rules, std::array<std::size_t, 1>{0}, 0);
}

}  // namespace millrace
