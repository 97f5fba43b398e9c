#include "millrace/core/text.h"

#include <strings.h>

#include <array>
#include <charconv>
#include <cmath>

#include "millrace/core/error.h"

namespace millrace {

std::uint64_t parse_size(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, number);
  std::string_view unit(rest, end - rest);
  if (unit.size() > 1 && unit[0] == ' ') unit.remove_prefix(1);  // the form that we print
  int power = 0;
  if (!unit.empty()) {
    const char letter = static_cast<char>(unit[0] & ~0x20);
    const auto place = std::string_view("BKMGT").find(letter);
    power = place == std::string_view::npos ? -1 : static_cast<int>(place);
    const std::string_view tail = unit.substr(1);
    const bool tail_ok = tail.empty() || (power > 0 && (tail == "B" || tail == "iB"));
    if (!tail_ok) power = -1;
  }
  const double bytes = std::ldexp(number, 10 * power);
  if (status != std::errc() || power < 0 || !(bytes >= 0) || bytes >= 0x1p63)
    throw UsageError("'{}' is not a size: write a number and a unit, such as 512M, 16G or 1.5T", text);
  return static_cast<std::uint64_t>(bytes);
}

namespace {

// `round` rounds the number of tenths to a whole number; `more` is a fraction of a byte to add.
std::string format_tenths(std::uint64_t bytes, double (*round)(double), double more = 0) {
  static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  double value = static_cast<double>(bytes) + more;
  while (value >= 1024 && unit + 1 < units.size()) value /= 1024, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", round(value * 10) / 10, units[unit]);
}

}  // namespace

std::string format_size(std::uint64_t bytes) { return format_tenths(bytes, std::round); }
std::string format_size_at_least(std::uint64_t bytes) { return format_tenths(bytes, std::ceil); }
// parse_size rounds 5.1M down to whole bytes; the fraction added here makes it print as 5.1 MiB again.
std::string format_size_at_most(std::uint64_t bytes) { return format_tenths(bytes, std::floor, 0.99); }

std::string format_rate(double per_second) {
  static constexpr std::array units{"", "k", "M", "G"};
  std::size_t unit = 0;
  double value = per_second;
  while (value >= 999.5 && unit + 1 < units.size()) value /= 1000, ++unit;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}/s", value, decimals, units[unit]);
}

std::string format_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (int place = static_cast<int>(digits.size()) - 3; place > 0; place -= 3) digits.insert(place, 1, ',');
  return digits;
}

std::string format_counted(std::uint64_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  for (const auto& [one, several] : {std::pair("vertex", "vertices"), {"entry", "entries"}})
    if (noun.ends_with(one))
      return fmt::format("{} {}{}", format_count(count), noun.substr(0, noun.size() - std::string_view(one).size()),
                         several);
  return fmt::format("{} {}s", format_count(count), noun);
}

namespace {

// Characters that change the order in which a terminal shows others, or begin a line.
bool moves_text(unsigned c) {
  return c == 0x061c || (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string printable_text(std::string_view text, Lines lines) {
  const auto stays = [&](unsigned char c) {
    return (c >= 0x20 && c < 0x7f) || (lines == Lines::several && (c == '\n' || c == '\t'));
  };
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
    const unsigned first = byte(i);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : (first & 0xf0) == 0xe0        ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    bool good = length > 0;
    for (std::size_t j = 1; j < length; ++j) good = good && (byte(i + j) & 0xc0) == 0x80;
    const unsigned character = length == 2   ? (first & 0x1f) << 6 | (byte(i + 1) & 0x3f)
                               : length == 3 ? (first & 0xf) << 12 | (byte(i + 1) & 0x3f) << 6 | (byte(i + 2) & 0x3f)
                                             : first;
    if (!good)
      shown += '?';
    else if (!moves_text(character) &&
             (length > 2 || character >= 0xa0 || stays(static_cast<unsigned char>(character))))
      shown += text.substr(i, length);
    else
      shown += fmt::format("\\u{:04x}", character);
    i += good ? length : 1;
  }
  return shown;
}

bool equal_letters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::string format_seconds(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.1f} us", seconds * 1e6);
}

}  // namespace millrace
