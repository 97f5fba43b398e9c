#include "millrace/stream/fed_pages.h"

#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"

namespace millrace {
namespace {

// One thread verifies some 8 GB/s. All cores together would be faster, but would slow down the threads that drive the
// disk.
constexpr unsigned most_verifiers = 4;

}  // namespace

FedPages::FedPages(const Pass& pass, const PageCache& cache, const std::byte* region, PageLoads& loads, Queues& queues)
    : pass_(pass),
      page_bytes_(cache.page_bytes()),
      slot_bytes_(cache.slot_bytes()),
      region_(region),
      loads_source_(loads),
      queues_(queues),
      places_(cache.num_pages()),
      pages_left_(pass.steps.size()),
      step_before_(pass.steps.size(), none),
      verifiers_(std::min(most_verifiers, static_cast<unsigned>(omp_get_max_threads()))) {
  for (const PageRun& run : pass.held) note(run, none, none);
  std::vector<std::uint32_t> last_in_slot;
  for (std::uint32_t s = 0; s < pass.steps.size(); ++s) {
    const Step& step = pass.steps[s];
    if (step.slot >= last_in_slot.size()) last_in_slot.resize(step.slot + 1, none);
    step_before_[s] = std::exchange(last_in_slot[step.slot], s);
    for (const PageRun& run : step.runs) {
      const auto load = static_cast<std::uint32_t>(loads_.size());
      note(run, s, step.load ? load : none);
      pages_left_[s] += run.count;
      if (step.load) loads_.push_back({s, &run});
    }
  }
}

FedPages::~FedPages() {
  started_ = static_cast<std::uint32_t>(loads_.size());  // start no more loads
  while (in_flight_ > 0) {
    try {
      collect(true);
    } catch (...) {  // the first error was thrown already
    }
  }
}

void FedPages::note(const PageRun& run, std::uint32_t step, std::uint32_t load) {
  std::uint64_t at = run.place;
  for (std::uint32_t p = run.first; p < run.first + run.count; at += page_bytes_[p++])
    places_[p] = {.at = at, .step = step, .load = load};
}

std::vector<std::uint32_t> FedPages::order(const Pass& pass) {
  std::vector<std::uint32_t> pages, held;
  const auto add = [](const PageRun& run, std::vector<std::uint32_t>& to) {
    for (std::uint32_t i = 0; i < run.count; ++i) to.push_back(run.first + i);
  };
  for (const PageRun& run : pass.held) add(run, held);
  std::uint64_t loads = 0, loads_done = 0, held_done = 0;
  for (const Step& step : pass.steps) {
    loads += step.load;
    if (!step.load)
      for (const PageRun& run : step.runs) add(run, pages);
  }
  for (const Step& step : pass.steps) {
    if (!step.load) continue;
    for (const PageRun& run : step.runs) add(run, pages);
    ++loads_done;
    for (; held_done * loads < held.size() * loads_done; ++held_done) pages.push_back(held[held_done]);
  }
  pages.insert(pages.end(), held.begin() + static_cast<std::ptrdiff_t>(held_done), held.end());
  return pages;
}

HostRun FedPages::pages_of(const PageRun& run) {
  throw_if_interrupted();
  const Place& first = places_[run.first];
  if (first.load != none)
    await(first.load);
  else
    start_loads(false);
  HostRun part{.data = region_ + first.at, .pages = 0, .bytes = 0};
  for (std::uint32_t p = run.first; p < run.first + run.count; ++p) {
    const Place& place = places_[p];
    if (place.at != first.at + part.bytes || place.step != first.step || place.load != first.load) break;
    if (place.at / slot_bytes_ != first.at / slot_bytes_) break;  // mark_source is for one slot
    ++part.pages;
    part.bytes += page_bytes_[p];
  }
  return part;
}

void FedPages::given(std::uint32_t queue, const PageRun& run, const HostRun& part) {
  const Place& place = places_[run.first];
  // Needed for held pages too: the next pass may overwrite them.
  queues_.mark_source(queue, static_cast<std::uint32_t>(place.at / slot_bytes_));
  if (place.step != none) pages_left_[place.step] -= part.pages;
}

void FedPages::await(std::uint32_t load) {
  while (!loads_[load].arrived) {
    start_loads(in_flight_ == 0);
    collect(!loads_[load].arrived);
  }
  await_verified(load);
  // Keep the disk busy while the device gets this page.
  start_loads(false);
}

void FedPages::start_loads(bool wait) {
  for (; started_ < loads_.size() && loads_source_.has_room(); ++started_, wait = false) {
    const Load& load = loads_[started_];
    const std::uint32_t before = step_before_[load.step];
    if (before != none && pages_left_[before] > 0) {
      // The device asks in the order of steps: it has asked before for the pages of the previous step in this slot.
      if (wait) throw InternalError("a slot is awaited that the device has not read");
      return;
    }
    if (!queues_.source_free(pass_.steps[load.step].slot, wait)) return;
    disk_.set(true);  // a read from the system's cache is over when start() returns
    loads_source_.start(started_, *load.run);
    ++in_flight_;
  }
}

void FedPages::collect(bool wait) {
  std::vector<LoadEnd> ended;
  loads_source_.collect(wait && in_flight_ > 0, ended);
  std::exception_ptr error;
  for (const LoadEnd& end : ended) {
    --in_flight_;
    loads_[end.ticket].arrived = true;
    if (end.error) error = end.error;
  }
  disk_.set(in_flight_ > 0);
  if (error) std::rethrow_exception(error);
  for (const LoadEnd& end : ended) verifiers_.give([this, load = end.ticket] { verify(load); });
  start_loads(false);
}

void FedPages::verify(std::uint32_t load) {
  const PageRun& run = *loads_[load].run;
  std::exception_ptr damage;
  try {
    for (std::uint32_t p = run.first; p < run.first + run.count; ++p) loads_source_.verify(p, region_ + places_[p].at);
  } catch (...) {
    damage = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    loads_[load].verified = true;
    if (damage && !damage_) damage_ = damage;
  }
  verified_.notify_one();
}

void FedPages::await_verified(std::uint32_t load) {
  std::unique_lock lock(mutex_);
  verified_.wait(lock, [&] { return loads_[load].verified; });
  if (damage_) std::rethrow_exception(damage_);
}

}  // namespace millrace
