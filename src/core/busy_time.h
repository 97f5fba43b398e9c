// How long something was busy, of which several parts may be busy at the same time.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "millrace/core/stopwatch.h"

namespace millrace {

// The sum of the times for which it was told to be busy.
class BusyTime {
 public:
  // From now on; nothing changes where it is so already.
  void set(bool busy) {
    if (busy == watch_.has_value()) return;
    seconds_ = seconds();
    if (busy)
      watch_.emplace();
    else
      watch_.reset();
  }
  double seconds() const { return seconds_ + (watch_ ? watch_->seconds() : 0); }

 private:
  double seconds_ = 0;
  std::optional<Stopwatch> watch_;  // while busy
};

struct Interval {
  double begin = 0;
  double end = 0;
};

// The time that is in at least one of the intervals.
inline double length_of_union(std::vector<Interval> intervals) {
  std::ranges::sort(intervals, {}, &Interval::begin);
  double length = 0, end = -std::numeric_limits<double>::infinity();
  for (const Interval& interval : intervals) {
    length += std::max(0.0, interval.end - std::max(interval.begin, end));
    end = std::max(end, interval.end);
  }
  return length;
}

}  // namespace millrace
