// The link and the disk slowed down to a given rate, for tests and papers: so other machines can be seen from this one.
#pragma once

namespace millrace {

// MILLRACE_LINK_GBPS and MILLRACE_DISK_GBPS, in bytes a second; 0: not slowed down. Throw UsageError for a bad value.
double link_throttle();
double disk_throttle();

// While it lives, nothing is slowed down: for measurements of the machine itself. One at a time.
class Unthrottled {
 public:
  Unthrottled();
  ~Unthrottled();
  Unthrottled(const Unthrottled&) = delete;
  Unthrottled& operator=(const Unthrottled&) = delete;
};

}  // namespace millrace
