#include "millrace/core/team.h"

#include <sched.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/core/timeline.h"

namespace millrace {
namespace {

// Thrown at a meeting that can no longer be complete because a member failed. Never leaves Team.
struct Abandoned {};

// The threads that run jobs of teams now, the callers among them. Those that wait for a job occupy no core.
std::atomic<std::size_t> num_working{0};
// This thread is one of them. A job may itself run a team, whose caller it is: it is counted once.
thread_local bool is_working = false;

std::size_t num_cores() {
  static const std::size_t cores = [] {
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? static_cast<std::size_t>(CPU_COUNT(&allowed))
                                                               : std::size_t{std::thread::hardware_concurrency()};
  }();
  return cores;
}

}  // namespace

Team::Team(std::size_t size) : size_(size), jobs_(std::make_unique<Jobs[]>(size)) {
  threads_.reserve(size - 1);
  try {
    for (std::size_t i = 1; i < size; ++i) threads_.emplace_back([this, i] { work(i); });
  } catch (const std::system_error& error) {
    close();
    throw IoError("cannot start a thread: {}; allow this user or control group more of them (ulimit -u, pids.max)",
                  error.code().message());
  }
}

Team::~Team() { close(); }

void Team::close() {
  closing_ = true;
  for (std::size_t i = 1; i <= threads_.size(); ++i) {
    jobs_[i].given.add(1);
    jobs_[i].given.wake();
  }
  for (std::thread& thread : threads_) thread.join();
}

// Polling occupies a core: with more threads than cores, perhaps the core of the thread that it waits for.
bool Team::looks() const { return std::max(size_, num_working.load(std::memory_order_relaxed)) <= num_cores(); }

void Team::run(const std::function<void(std::size_t)>& job, std::size_t members) {
  job_ = &job;
  members_ = members;
  timeline_ = Timeline::current();
  request_ = StopRequest::current();
  failed_ = false;
  error_ = nullptr;
  arrived_ = 0;
  busy_.store(static_cast<std::uint32_t>(members - 1));
  const std::size_t more = is_working ? members - 1 : members;
  num_working += more;
  for (std::size_t i = 1; i < members; ++i) {
    jobs_[i].given.add(1);
    jobs_[i].given.wake();
  }
  do_job(0);
  for (std::uint32_t busy = busy_.load(); busy > 0; busy = busy_.load()) busy_.await_change(busy, looks());
  num_working -= more;
  if (error_) std::rethrow_exception(error_);
}

void Team::meet() {
  const std::uint32_t meeting = meetings_.load();
  if (failed_) throw Abandoned();
  if (++arrived_ == members_) {
    arrived_ = 0;
    meetings_.add(1);
    meetings_.wake();
    return;
  }
  if (!failed_) meetings_.await_change(meeting, looks());
  if (failed_) throw Abandoned();
}

void Team::work(std::size_t i) {
  for (std::uint32_t done = 0;; ++done) {
    jobs_[i].given.await_change(done, looks());
    if (closing_) return;
    do_job(i);
    if (busy_.add(~std::uint32_t{0}) == 0) busy_.wake();
  }
}

void Team::do_job(std::size_t i) {
  const Timeline::InForce in_force(timeline_);
  const StopRequest::InForce stoppable(request_);
  const bool was_working = std::exchange(is_working, true);
  try {
    (*job_)(i);
  } catch (const Abandoned&) {
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    fail();
  }
  is_working = was_working;
}

void Team::fail() {
  failed_ = true;
  meetings_.add(1);
  meetings_.wake();
}

}  // namespace millrace
