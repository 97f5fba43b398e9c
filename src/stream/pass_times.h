// Where the time of streamed passes went. In seconds; they overlap.
#pragma once

#include <algorithm>

namespace millrace {

struct PassTimes {
  double copy = 0;  // copies to the device were running
  double disk = 0;  // reads from disk were pending
  double wait = 0;  // a device computed nothing, as pages had not arrived; on the cpu the mean of its threads

  // With the passes that came next.
  PassTimes& operator+=(const PassTimes& next) {
    copy += next.copy;
    disk += next.disk;
    wait += next.wait;
    return *this;
  }
  // With the same passes on another device: now it is about the one that computed longest.
  void add_device(const PassTimes& other) {
    copy = std::max(copy, other.copy);
    disk = std::max(disk, other.disk);
    wait = std::min(wait, other.wait);
  }
};

}  // namespace millrace
