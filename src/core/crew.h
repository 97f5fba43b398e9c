// Threads that do a task together, of which nobody waits for one that comes late: a thread that is woken may take
// milliseconds on a busy machine, and the others may have done everything by then.
#pragma once

#include <functional>

#include "millrace/core/workers.h"

namespace millrace {

class Crew {
 public:
  explicit Crew(int threads) : threads_(threads), workers_(threads > 1 ? static_cast<unsigned>(threads - 1) : 1) {}

  int threads() const { return threads_; }
  // Calls task() on the calling thread and on others as they come. Returns once all calls that have begun have ended,
  // the caller's among them; none begins afterwards. So the task has to be such that whoever calls it does what is
  // left. Rethrows the first exception. One task at a time.
  void run(const std::function<void()>& task);

 private:
  const int threads_;
  Workers workers_;
};

}  // namespace millrace
