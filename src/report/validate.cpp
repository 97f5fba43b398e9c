#include "millrace/report/validate.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/read/parse_line.h"
#include "millrace/read/text_source.h"

namespace millrace {
namespace {

constexpr double epsilon = 1e-4;

std::optional<std::uint64_t> parse_value(std::string_view text, std::uint64_t) {
  std::uint64_t value = 0;
  const auto [rest, status] = std::from_chars(text.begin(), text.end(), value);
  return status == std::errc{} && rest == text.end() ? std::optional(value) : std::nullopt;
}

// from_chars accepts "infinity" and "inf", in any case, and "nan".
std::optional<double> parse_value(std::string_view text, double) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [rest, status] = std::from_chars(text.begin(), text.end(), value);
  return status == std::errc{} && rest == text.end() ? std::optional(value) : std::nullopt;
}

// The contents of a file: values by vertex, ascending.
template <class Value>
class ResultFile {
 public:
  struct Row {
    std::uint64_t vertex;
    Value value;
  };

  explicit ResultFile(const std::filesystem::path& file) {
    TextSource source(file);
    for (std::string line; source.read_line(line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (line.empty() || line.starts_with('#')) continue;
      rows_.push_back(parse(line, source));
    }
    const auto by_vertex = [](const Row& a, const Row& b) { return a.vertex < b.vertex; };
    if (!std::is_sorted(rows_.begin(), rows_.end(), by_vertex)) std::sort(rows_.begin(), rows_.end(), by_vertex);
    for (std::size_t i = 1; i < rows_.size(); ++i)
      if (rows_[i].vertex == rows_[i - 1].vertex)
        throw BadInputError("{}: the vertex {} is there twice", file.string(), rows_[i].vertex);
  }

  std::size_t size() const { return rows_.size(); }
  const Row& operator[](std::size_t i) const { return rows_[i]; }

 private:
  static Row parse(const std::string& line, const TextSource& source) {
    const std::size_t blank = line.find_first_of(" \t"), value = line.find_first_not_of(" \t", blank);
    Row row{};
    const char* const id_end = line.data() + std::min(blank, line.size());
    const auto [rest, status] = std::from_chars(line.data(), id_end, row.vertex);
    std::optional<Value> parsed;
    if (status == std::errc{} && rest == id_end && value != std::string::npos) {
      const std::size_t end = line.find_last_not_of(" \t") + 1;
      parsed = parse_value(std::string_view(line).substr(value, end - value), Value{});
    }
    if (!parsed)
      throw BadInputError("{}, line {}: \"{}\" is not a vertex id and a {}, with a blank between", source.name(),
                          source.lines_read(), printable(line),
                          std::is_floating_point_v<Value> ? "number" : "whole number");
    row.value = *parsed;
    return row;
  }

  std::vector<Row> rows_;
};

std::string text_of(std::uint64_t value) { return fmt::format("{}", value); }
std::string text_of(double value) { return std::isinf(value) && value > 0 ? "infinity" : fmt::format("{}", value); }

// Calls judge(found, expected) for every vertex of both files, in ascending order; it returns nothing if they match,
// else the expected value.
template <class Value, class Judge>
Validation compare(const ResultFile<Value>& found, const ResultFile<Value>& expected, Judge judge) {
  constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  Validation result;
  const auto complain = [&](std::uint64_t vertex, std::string found_text, std::string expected_text) {
    if (result.mismatches++ == 0) result.first = {vertex, std::move(found_text), std::move(expected_text)};
  };
  for (std::size_t f = 0, e = 0; f < found.size() || e < expected.size();) {
    const std::uint64_t have = f < found.size() ? found[f].vertex : end;
    const std::uint64_t want = e < expected.size() ? expected[e].vertex : end;
    ++result.vertices;
    if (e == expected.size() || (f < found.size() && have < want)) {
      complain(have, text_of(found[f++].value), "nothing");
    } else if (f == found.size() || want < have) {
      complain(want, "nothing", text_of(expected[e++].value));
    } else {
      if (const std::optional<Value> wanted = judge(found[f].value, expected[e].value))
        complain(have, text_of(found[f].value), text_of(*wanted));
      ++f, ++e;
    }
  }
  return result;
}

std::optional<std::uint64_t> judge_exact(std::uint64_t found, std::uint64_t expected) {
  return found == expected ? std::nullopt : std::optional(expected);
}

std::optional<double> judge_epsilon(double found, double expected) {
  const bool same = std::isinf(expected) || std::isinf(found)
                        ? found == expected
                        : std::abs(found - expected) <= epsilon * std::abs(expected);  // false for NaN
  return same ? std::nullopt : std::optional(expected);
}

// Each found label must always occur with the same expected label, and the other way round.
struct JudgeRenamed {
  std::unordered_map<std::uint64_t, std::uint64_t> to_expected, to_found;
  std::optional<std::uint64_t> operator()(std::uint64_t found, std::uint64_t expected) {
    const std::uint64_t renamed = to_found.try_emplace(expected, found).first->second;
    if (renamed != found) return renamed;
    return to_expected.try_emplace(found, expected).first->second == expected ? std::nullopt : std::optional(expected);
  }
};

}  // namespace

Validation validate_results(const std::filesystem::path& found, const std::filesystem::path& expected, Match match) {
  if (match == Match::epsilon) return compare(ResultFile<double>(found), ResultFile<double>(expected), judge_epsilon);
  const ResultFile<std::uint64_t> ours(found), theirs(expected);
  if (match == Match::exact) return compare(ours, theirs, judge_exact);
  return compare(ours, theirs, JudgeRenamed{});
}

}  // namespace millrace
