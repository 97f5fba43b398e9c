#include "millrace/ingest/column_choice.h"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "millrace/core/error.h"
#include "millrace/ingest/fields.h"

namespace millrace {
namespace {

constexpr std::size_t most_columns = 1 << 16;

constexpr std::string_view usual_sources[] = {"source", "src", "from"}, usual_targets[] = {"target", "dst", "to"},
                           usual_weights[] = {"weight"};

bool equal_letters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
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

std::optional<std::size_t> find_usual(std::span<const std::string_view> names, const std::vector<std::string>& header) {
  for (const std::string_view name : names)
    for (std::size_t column = 0; column < header.size(); ++column)
      if (equal_letters(name, header[column])) return column;
  return {};
}

Columns usual_columns(const std::vector<std::string>& header) {
  const auto source = find_usual(usual_sources, header);
  const auto target = find_usual(usual_targets, header);
  return source && target ? Columns{*source, *target, {}} : Columns{};
}

std::size_t weight_column(const std::vector<std::string>& header) {
  if (header.empty()) return 2;
  if (const auto found = find_usual(usual_weights, header)) return *found;
  throw UsageError("@weighted@: no column is called weight; the header has {}; name it as the third of @columns@",
                   listed(header));
}

}  // namespace

bool is_usual_source(std::string_view name) { return is_one_of(usual_sources, name); }
bool is_usual_target(std::string_view name) { return is_one_of(usual_targets, name); }

bool names_columns(const std::string& option) {
  return !option.empty() && !std::ranges::all_of(split(option), is_number);
}

Columns choose_columns(const std::string& option, const std::vector<std::string>& header,
                       std::optional<bool> weighted) {
  Columns columns = usual_columns(header);
  if (option.empty()) {
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

}  // namespace millrace
