#include "millrace/core/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "millrace/core/text.h"

namespace millrace {

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
  if (a.size() > b.size() + most || b.size() > a.size() + most) return most + 1;
  const auto small = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  // The distances of the first i letters of `a` to the first j of `b`: this row, and the two before.
  std::vector<std::size_t> row(b.size() + 1), before(b.size() + 1), before_that(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_that, before);
    std::swap(before, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = small(a[i - 1]) == small(b[j - 1]);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && small(a[i - 1]) == small(b[j - 2]) && small(a[i - 2]) == small(b[j - 1]))
        row[j] = std::min(row[j], before_that[j - 2] + 1);
    }
    if (*std::ranges::min_element(row) > most) return most + 1;
  }
  return std::min(row.back(), most + 1);
}

// A third of the letters may be wrong, but not all of a short word.
Nearest::Nearest(std::string_view misspelt)
    : misspelt_(misspelt), most_(std::clamp<std::size_t>(misspelt.size() / 3, 1, 4)) {
  if (misspelt_.size() < 2) most_ = 0;
}

void Nearest::show(std::string_view word) {
  if (most_ == 0 && !found_.empty()) return;
  const std::size_t distance = edit_distance(misspelt_, word, most_);
  const bool begins = found_.empty() && misspelt_.size() >= 3 && word.starts_with(misspelt_);
  if (distance > most_ && !begins) return;
  found_ = word;
  if (distance <= most_) most_ = distance == 0 ? 0 : distance - 1;  // only a nearer one replaces it
}

std::string Nearest::question() const {
  return found_.empty() ? "" : fmt::format("; did you mean {}?", printable_text(found_));
}

}  // namespace millrace
