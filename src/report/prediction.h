// What was expected of a run before it began.
#pragma once

#include <string>

namespace millrace {

struct Prediction {
  double seconds = 0;
  double supersteps = 0;
  // Seconds as if each were alone; they overlap.
  double compute = 0, link = 0, disk = 0, exchange = 0;
  double link_bytes = 0, disk_bytes = 0, helped_bytes = 0, exchanged_bytes = 0;
  double needed_bytes = 0;  // of pages, in all supersteps, wherever they are
  // Pages that stay in memory once they were read from disk: their bytes, and how much later a run ends for them. These
  // bytes, and the time to read them, are also among those of the disk.
  double first_bytes = 0, first_seconds = 0;
  bool beyond = false;  // the graph is more than four times larger than the largest sampled one, or of another kind

  // Whether it says enough to be shown, and to be compared with a time that was measured, or predicted of another plan.
  // Neither may be shorter than what is measured well, and the supersteps may not be so short that starting them takes
  // most of the time. Whatever shows a prediction to people asks this.
  bool says_enough(double beside = least_seconds) const;
  static constexpr double least_seconds = 1e-3;
  static constexpr double least_superstep = 2e-6;  // starting one takes up to half of that

  // "0.48 s, bound by computing", or why it does not say enough.
  std::string text(const std::string& of = "") const;

  // Which of them takes longest: "computing", "link", "disk" or "exchange".
  std::string bound() const;
};

// " (0.97 x)", or nothing where the prediction does not say enough to be compared with that time.
std::string ratio_text(const Prediction& predicted, double measured, const char* words = "x");

}  // namespace millrace
