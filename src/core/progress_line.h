// The text of a progress bar, fitted to the width of a terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace millrace {

// What stands after the bar: "superstep 7, 1,024 active". Where a line is too narrow for all parts, those of the
// highest rank are left out.
struct ProgressPart {
  std::string text;
  int rank = 0;
};

// All parts with two blanks between them.
std::string joined(const std::vector<ProgressPart>& parts);

// "label  [#####.....]  42%  1.2 G/s  3 s left" in at most `width` columns: the label, the percentage, the parts in
// order of their ranks, and a bar as wide as what is left. Without a share there is no bar.
std::string fit_progress(const std::string& label, std::optional<double> share, const std::vector<ProgressPart>& parts,
                         std::size_t width);

// 4.2 -> "4.2 s", 130 -> "2 m 10 s", 20000 -> "5 h 33 m", 327413 -> "3 d 18 h".
std::string format_duration(double seconds);

// The columns of the terminal on stderr; 80 if it does not say.
std::size_t terminal_width() noexcept;

}  // namespace millrace
