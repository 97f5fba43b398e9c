// Small tables for people to read: names left, values right.
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "millrace/core/text.h"

namespace millrace {

class SummaryTable {
 public:
  explicit SummaryTable(const std::string& title) : title_(printable_text(title)) {}

  // Whole lines between the title and the rows.
  void lead(std::string lines) { lead_ = std::move(lines); }
  template <class... Args>
  void row(std::string name, fmt::format_string<Args...> text, Args&&... args) {
    rows_.emplace_back(std::move(name), printable_text(fmt::format(text, std::forward<Args>(args)...)));
  }
  // A row of a text of ours, with marked settings (core/error.h): escaped, they would not be found.
  void marked_row(std::string name, std::string marked) { rows_.emplace_back(std::move(name), std::move(marked)); }
  std::string text() const {
    std::size_t width = 0;
    for (const auto& [name, value] : rows_) width = std::max(width, name.size());
    std::string out = title_ + "\n" + lead_;
    for (const auto& [name, value] : rows_) out += fmt::format("  {:<{}}  {}\n", name, width, value);
    return out;
  }

 private:
  std::string title_;
  std::string lead_;
  std::vector<std::pair<std::string, std::string>> rows_;
};

}  // namespace millrace
