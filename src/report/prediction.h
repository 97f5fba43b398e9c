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
  bool beyond = false;  // the graph is more than four times larger than the largest sampled one, or of another kind

  // Which of them takes longest: "computing", "link", "disk" or "exchange".
  std::string bound() const;
};

}  // namespace millrace
