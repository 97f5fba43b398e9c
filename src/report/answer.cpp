#include "millrace/report/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "millrace/core/text.h"

namespace millrace {
namespace {

// Characters of a text in UTF-8: all bytes but those that continue one.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string pad(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return right ? blanks + text : text + blanks;
}

// Names of vertices may be long, or hold characters that a terminal would act on.
std::string shown_name(const std::string& name) {
  constexpr std::size_t longest = 40;
  std::string shown;
  std::size_t characters = 0;
  for (const char c : printable_text(name)) {
    if ((c & 0xc0) != 0x80 && ++characters > longest) return shown + "...";
    shown += c;
  }
  return shown;
}

std::string bar(double share, bool blocks) {
  constexpr int width = 30;
  if (!std::isfinite(share)) share = 1;
  const double length = std::clamp(share, 0.0, 1.0) * width;
  if (!blocks) return std::string(static_cast<std::size_t>(std::lround(std::max(length, share > 0 ? 1.0 : 0.0))), '#');
  static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
  int left = static_cast<int>(std::lround(length * 8));
  if (share > 0) left = std::max(left, 1);
  std::string text;
  for (; left >= 8; left -= 8) text += eighths[8];
  return text + eighths[left];
}

double largest(const std::vector<Answer::Row>& rows) {
  double most = 0;
  for (const Answer::Row& row : rows)
    if (std::isfinite(row.number)) most = std::max(most, row.number);
  return most;
}

// One line for each row: name, number, bar.
std::string rows_text(const std::vector<Answer::Row>& rows, bool log, bool numbered, bool blocks) {
  std::size_t names = 0, numbers = 0;
  for (const Answer::Row& row : rows)
    names = std::max(names, width_of(shown_name(row.name))), numbers = std::max(numbers, width_of(row.text));
  const auto height = [&](double number) { return log ? std::log1p(number) : number; };
  const double most = height(largest(rows));
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Answer::Row& row = rows[i];
    const std::size_t digits = std::max<std::size_t>(2, fmt::format("{}", rows.size()).size());
    std::string line = fmt::format("    {}{}  {}", numbered ? fmt::format("{:>{}}  ", i + 1, digits) : "",
                                   pad(shown_name(row.name), names, !numbered), pad(row.text, numbers, true));
    if (most > 0 && row.number > 0) line += "  " + bar(height(row.number) / most, blocks);
    text += line + "\n";
  }
  return text;
}

}  // namespace

Answer::Chart chart_of(std::string x, std::string y, std::vector<Answer::Row> bars) {
  // On a plain scale of 30 characters, what is below a 240th of the largest bar could not be told from nothing.
  const double most = largest(bars);
  const auto hidden =
      std::ranges::count_if(bars, [&](const Answer::Row& row) { return row.number > 0 && row.number * 240 < most; });
  const bool log = 4 * static_cast<std::size_t>(hidden) > bars.size();
  return {.title = y + " by " + x, .x = std::move(x), .y = std::move(y), .bars = std::move(bars), .log = log};
}

std::vector<Answer::Row> rows_by_powers_of_two(std::span<const std::uint64_t> counts) {
  std::vector<Answer::Row> rows;
  for (std::size_t bits = 0; bits < counts.size(); ++bits) {
    if (counts[bits] == 0) continue;
    const std::uint64_t least = bits == 0 ? 0 : std::uint64_t{1} << (bits - 1);
    const std::uint64_t most = bits == 0 ? 0 : least + (least - 1);
    rows.push_back({least == most ? format_count(least) : format_count(least) + " to " + format_count(most),
                    format_count(counts[bits]), static_cast<double>(counts[bits])});
  }
  return rows;
}

std::string answer_text(const Answer& answer, bool blocks) {
  std::string text;
  for (const Answer::Top& top : answer.tops) text += "  " + top.title + "\n" + rows_text(top.rows, false, true, blocks);
  for (const Answer::Chart& chart : answer.charts)
    text += fmt::format("  {}{}\n", chart.title, chart.log ? " (bars on a logarithmic scale)" : "") +
            rows_text(chart.bars, chart.log, false, blocks);
  if (!answer.missing.empty()) text += "  " + answer.missing + "\n";
  return text;
}

bool prints_utf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* const value = std::getenv(name); value && *value) {
      std::string locale = value;
      std::ranges::transform(locale, locale.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
      return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    }
  return false;
}

}  // namespace millrace
