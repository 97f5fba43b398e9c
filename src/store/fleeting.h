// Stores that end with the process that writes them: nothing of them has to survive a loss of power.
#pragma once

namespace millrace {

// While this lives, files that the calling thread writes are not synced, which of a small store is most of the time,
// and the system's cache keeps what it has room for: they are read soon.
class Fleeting {
 public:
  Fleeting() noexcept;
  ~Fleeting();
  Fleeting(const Fleeting&) = delete;
  Fleeting& operator=(const Fleeting&) = delete;

  static bool in_force() noexcept;
};

}  // namespace millrace
