// Stores that end with the process that writes them: nothing of them has to survive a loss of power.
#pragma once

namespace millrace {

// While this lives, files that the calling thread writes are not synced. Of a small store that is most of the time.
class Fleeting {
 public:
  Fleeting() noexcept;
  ~Fleeting();
  Fleeting(const Fleeting&) = delete;
  Fleeting& operator=(const Fleeting&) = delete;

  static bool in_force() noexcept;
};

}  // namespace millrace
