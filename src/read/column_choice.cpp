#include "millrace/read/column_choice.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/read/fields.h"

namespace millrace {
namespace {

constexpr std::size_t most_columns = 1 << 16;

using NameList = std::span<const std::string_view>;

constexpr std::string_view source_names[] = {"source", "src", "from", "source_id", "src_id", "from_id"},
                           target_names[] = {"target",      "dst",       "to",     "dest",
                                             "destination", "target_id", "dst_id", "to_id"},
                           letter_sources[] = {"u"}, letter_targets[] = {"v"}, starts[] = {"start"}, ends[] = {"end"},
                           tails[] = {"tail"}, heads[] = {"head"},
                           weight_names[] = {"weight", "w", "value", "weights", "val", "cost"};

// The names of the two ends of an edge that go together. The first pair is hardly ever the names of two vertices.
struct EndNames {
  NameList source, target;
};
const EndNames end_names[] = {
    {source_names, target_names}, {letter_sources, letter_targets}, {starts, ends}, {tails, heads}};

bool is_one_of(NameList names, std::string_view name) {
  return std::ranges::any_of(names, [&](std::string_view usual) { return equal_letters(usual, name); });
}

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), parsing::is_digit);
}

std::vector<std::string> split(const std::string& option) { return split_line({.separator = ','}, option); }

std::string listed(const std::vector<std::string>& header) {
  std::string text;
  for (const std::string& name : header) text += (text.empty() ? "" : ", ") + printable(name);
  return text;
}

std::size_t find_column(const std::string& entry, const std::vector<std::string>& header) {
  if (is_number(entry)) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), number);
    const std::size_t last = header.empty() ? most_columns : header.size();
    if (error != std::errc{} || number < 1 || number > last)
      throw UsageError("@columns@: {} is not a column; they are numbered from 1 to {}", entry, last);
    return number - 1;
  }
  if (header.empty())
    throw UsageError("@columns@ {}: the file has no header with names; give numbers, such as @columns@ 1,2", entry);
  const auto found = std::ranges::find(header, entry);
  if (found == header.end())
    throw UsageError("@columns@: there is no column called \"{}\"; the header has {}", entry, listed(header));
  return static_cast<std::size_t>(found - header.begin());
}

std::optional<std::size_t> find_usual(NameList names, const std::vector<std::string>& header) {
  for (const std::string_view name : names)
    for (std::size_t column = 0; column < header.size(); ++column)
      if (equal_letters(name, header[column])) return column;
  return {};
}

std::optional<Columns> named_ends(const EndNames& names, const std::vector<std::string>& header) {
  const auto source = find_usual(names.source, header), target = find_usual(names.target, header);
  if (!source || !target) return {};
  return Columns{*source, *target, {}};
}

// Whether a name says that the first two columns are not source and target.
bool contradicts_order(const std::vector<std::string>& header) {
  for (const auto& [source, target] : end_names)
    if (is_one_of(target, header[0]) || is_one_of(source, header[1])) return true;
  for (std::size_t column = 2; column < header.size(); ++column)
    if (is_one_of(source_names, header[column]) || is_one_of(target_names, header[column])) return true;
  return is_one_of(weight_names, header[0]) || is_one_of(weight_names, header[1]);
}

Columns usual_columns(const std::vector<std::string>& header) {
  for (const EndNames& names : end_names)
    if (const auto found = named_ends(names, header)) return *found;
  if (header.size() < 2 || !contradicts_order(header)) return {};
  std::string example;  // two columns that are no weights
  for (std::size_t column = 0, named = 0; column < header.size() && named < 2; ++column)
    if (!is_one_of(weight_names, header[column]))
      example += fmt::format("{}{}", named++ ? "," : "", printable(header[column]));
  throw UsageError(
      "the header has {}, which does not say which columns are source and target; @columns@ SOURCE,TARGET does, by "
      "name or number, such as @columns@ {}",
      listed(header), example);
}

std::size_t weight_column(const std::vector<std::string>& header) {
  if (header.empty()) return 2;
  if (const auto found = find_usual(weight_names, header)) return *found;
  throw UsageError(
      "@weighted@: no column is called weight, w or value; the header has {}; name the weight as the third of "
      "@columns@",
      listed(header));
}

}  // namespace

UsualNames usual_names() {
  UsualNames all{.source = {}, .target = {}, .weight = {std::begin(weight_names), std::end(weight_names)}};
  for (const auto& [source, target] : end_names) {
    all.source.insert(all.source.end(), source.begin(), source.end());
    all.target.insert(all.target.end(), target.begin(), target.end());
  }
  return all;
}

bool names_both_ends(const std::vector<std::string>& fields, bool ids_are_names) {
  const std::span<const EndNames> all(end_names);
  return std::ranges::any_of(ids_are_names ? all.first(1) : all,
                             [&](const EndNames& names) { return named_ends(names, fields).has_value(); });
}

bool is_name_of_end(std::string_view name) { return is_one_of(source_names, name) || is_one_of(target_names, name); }

bool names_columns(const std::string& option) {
  return !option.empty() && !std::ranges::all_of(split(option), is_number);
}

Columns choose_columns(const std::string& option, const std::vector<std::string>& header,
                       std::optional<bool> weighted) {
  Columns columns;
  if (option.empty()) {
    columns = usual_columns(header);
    if (weighted.value_or(false)) columns.weight = weight_column(header);
    return columns;
  }
  const std::vector<std::string> entries = split(option);
  if (entries.size() < 2 || entries.size() > 3)
    throw UsageError("@columns@ {}: expected two or three, for source, target and weight", option);
  columns.source = find_column(entries[0], header);
  columns.target = find_column(entries[1], header);
  if (entries.size() == 3) {
    const std::size_t weight = find_column(entries[2], header);
    if (weighted.value_or(true)) columns.weight = weight;
  } else if (weighted.value_or(false)) {
    if (header.empty()) throw UsageError("@columns@ {}: @weighted@ needs a third column, the weight's", option);
    columns.weight = weight_column(header);
  }
  return columns;
}

std::string describe_columns(const Columns& columns, const std::vector<std::string>& header,
                             std::optional<bool> weighted) {
  const auto name = [&](std::size_t column) { return fmt::format("'{}'", printable(header.at(column))); };
  std::string text = fmt::format("columns: source {}, target {}", name(columns.source), name(columns.target));
  if (columns.weight) return text + ", weight " + name(*columns.weight);
  const auto left = find_usual(weight_names, header);
  return text +
         (left && !weighted ? marked_text("; {} is not read (@weighted@ takes it as the weight)", name(*left)) : "");
}

}  // namespace millrace
