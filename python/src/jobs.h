// Work without the GIL, which Ctrl-C stops.
//
// Python runs its signal handlers on the main thread alone, between two of its instructions. So work is done by a
// thread of ours, while the calling thread waits and lets handlers run: one that raises stops this work and no other.
// These threads are kept for later work and are never joined, also not at exit: after a fork they are not there.
#pragma once

#include <functional>
#include <optional>

namespace millrace::python {

// To be called once, when the module is loaded.
void watch_forks();

// Whether this process was forked after work was done in it, and can do none.
bool is_forked();

// Calls work() on a thread of ours, without the GIL, and returns once it has returned. `threads`: how many it uses (0:
// all cores). Throws what it throws, and what signal handlers raise. Throws InternalError in a process that was forked
// after work was done in it: the threads did not come along, and work would wait for them forever.
void run_job(const std::function<void()>& work, int threads = 0);

template <class Work>
auto run_for(Work work, int threads = 0) {
  std::optional<decltype(work())> result;
  run_job([&] { result.emplace(work()); }, threads);
  return std::move(*result);
}

}  // namespace millrace::python
