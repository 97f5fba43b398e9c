#include "millrace/core/threads.h"

#include <omp.h>

#include <memory>

#include "millrace/core/error.h"
#include "millrace/core/timeline.h"

namespace millrace::threads_detail {
namespace {

// Each calling thread has its own team, so that devices that work at the same time do not wait for each other.
thread_local std::unique_ptr<Team> team;
thread_local bool in_body = false;

thread_local std::size_t most_threads = ~std::size_t{0};

// Makes a team of `size` threads; returns how many it has: fewer if the system gives no more.
std::size_t make_team(std::size_t size) {
  if (team && team->size() >= size) return size;
  if (size < most_threads) {
    try {
      team = std::make_unique<Team>(size);
      return size;
    } catch (const IoError&) {
      most_threads = size;
    }
  }
  return team ? team->size() : 1;
}

// While this lives, loops inside a body run on its thread alone.
class InBody {
 public:
  InBody() {
    in_body = true;
    omp_set_num_threads(1);
  }
  ~InBody() {
    in_body = false;
    omp_set_num_threads(before_);
  }

 private:
  const int before_ = omp_get_max_threads();
};

}  // namespace

void run(std::size_t threads, const std::function<void(const ThreadOf&)>& job) {
  if (!in_body) threads = make_team(threads);
  if (in_body || threads == 1) {
    const Timeline::Span span("busy");
    return job(ThreadOf(0, 1, nullptr));
  }
  Team& here = *team;
  here.run(
      [&](std::size_t i) {
        const InBody inside;
        const Timeline::Span span("busy");
        job(ThreadOf(i, threads, &here));
      },
      threads);
}

}  // namespace millrace::threads_detail
