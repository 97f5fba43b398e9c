#include "millrace/core/progress_line.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace millrace {
namespace {

constexpr std::size_t label_width = 18;  // shorter labels are padded, so that the bars of several steps line up
constexpr std::size_t least_bar = 10, most_bar = 30;
constexpr std::size_t around_bar = 3;  // " [" and "]"

}  // namespace

std::string joined(const std::vector<ProgressPart>& parts) {
  std::string text;
  for (const ProgressPart& part : parts) text += (text.empty() ? "" : "  ") + part.text;
  return text;
}

std::string fit_progress(const std::string& label, std::optional<double> share, const std::vector<ProgressPart>& parts,
                         std::size_t width) {
  const std::string percent = share ? fmt::format(" {:3.0f}%", *share * 100) : "";
  const std::size_t first = std::min(label.size(), width - std::min(width, percent.size()));
  std::size_t room = width - std::min(width, first + percent.size());

  // The part of the lowest rank has its place before the bar, which has its place before the others.
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return parts[i].rank; });
  std::vector<bool> shown(parts.size(), false);
  const auto show = [&](std::size_t i) {
    const std::size_t needs = 2 + parts[i].text.size();
    if (needs <= room) shown[i] = true, room -= needs;
  };
  if (!order.empty()) show(order[0]);
  const bool has_bar = share && room >= around_bar + least_bar;
  if (has_bar) room -= around_bar + least_bar;
  for (std::size_t i = 1; i < order.size(); ++i) show(order[i]);

  std::string text = label.substr(0, first);
  if (text.size() < label_width) {
    const std::size_t padding = std::min(room, label_width - text.size());
    text.append(padding, ' ');
    room -= padding;
  }
  if (has_bar) {
    const std::size_t bar = std::min(most_bar, least_bar + room);
    const auto filled = static_cast<std::size_t>(*share * static_cast<double>(bar));
    text += fmt::format(" [{}{}]", std::string(filled, '#'), std::string(bar - filled, '.'));
  }
  text += percent;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (shown[i]) text += "  " + parts[i].text;
  return text.substr(0, width);
}

std::string format_duration(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  if (!(seconds < 1e9)) return "years";
  const auto whole = static_cast<std::uint64_t>(std::round(seconds));
  const std::uint64_t minutes = whole / 60, hours = minutes / 60, days = hours / 24;
  if (minutes == 0) return fmt::format("{} s", whole);
  if (hours == 0) return fmt::format("{} m {} s", minutes, whole % 60);
  if (days == 0) return fmt::format("{} h {} m", hours, minutes % 60);
  return fmt::format("{} d {} h", days, hours % 24);
}

std::size_t terminal_width() noexcept {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace millrace
