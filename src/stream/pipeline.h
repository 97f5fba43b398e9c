// Carries out a pass on a device: copies on several queues overlap each other and the computation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "millrace/stream/page_cache.h"
#include "millrace/stream/page_pool.h"

namespace millrace {

// Pages that lie back to back in host memory.
struct HostRun {
  const std::byte* data = nullptr;
  std::uint32_t pages = 0;
  std::uint64_t bytes = 0;
};

// The pages in host memory.
class HostPages {
 public:
  virtual ~HostPages() = default;
  // The first pages of a run, as many as one copy can take; waits for them if they are still being loaded.
  virtual HostRun pages_of(const PageRun& run) = 0;
  // Tells that the copy of these pages was submitted to a queue.
  virtual void given(std::uint32_t queue, const PageRun& run, const HostRun& part) = 0;
};

// All pages are in host memory, those of one group back to back, so that a run is one copy.
class PagesInMemory : public HostPages {
 public:
  virtual const std::byte* page_data(std::uint32_t page) const = 0;
  HostRun pages_of(const PageRun& run) final { return {page_data(run.first), run.count, run.bytes}; }
  void given(std::uint32_t, const PageRun&, const HostRun&) final {}
};

// What a pipeline needs of a device: queues, each of which runs its work in order. Calls return at once.
class Queues {
 public:
  virtual ~Queues() = default;
  virtual std::uint32_t count() const = 0;
  // Work submitted to any queue from now on starts after everything else that was submitted to the device before.
  virtual void fork() = 0;
  // Everything else that is submitted to the device from now on starts after the work submitted to any queue before.
  virtual void join() = 0;
  // Copies pages from host memory, which must not change until the copy is done, to their place in the slots.
  virtual void copy(std::uint32_t queue, const PageRun& pages, const std::byte* from) = 0;
  // The last use of the slot is the work that was submitted to the queue so far.
  virtual void mark(std::uint32_t queue, std::uint32_t slot) = 0;
  // The queue continues once the latest mark of the slot is reached; at once if it has none.
  virtual void wait(std::uint32_t queue, std::uint32_t slot) = 0;
  // Returns once the latest mark of the slot is reached.
  virtual void await(std::uint32_t slot) = 0;
  // Copies out of a slot of host memory, which has its own slots, were submitted to the queue.
  virtual void mark_source(std::uint32_t queue, std::uint32_t host_slot) = 0;
  // Whether all copies out of that slot are done; with `wait`, returns once they are.
  virtual bool source_free(std::uint32_t host_slot, bool wait) = 0;
};

// Submits the work on a run of pages in the slots to the queue.
using Compute = std::function<void(std::uint32_t queue, const PageRun& run)>;

// If the cpu takes part in a pass: the pages to load, in the order of the loads, and the sizes of all pages.
struct Helped {
  PagePool* pool = nullptr;
  std::span<const std::uint32_t> page_bytes = {};
};

// Submits a whole pass to the queues and joins them; returns long before the pass is done. Also joined if it throws;
// then forget_all() must be called on the cache that planned the pass. With a pool of the pages to load, in their
// order, only those are loaded that it still has when the load two before is done, and it returns soon after the last
// of these.
void run_pass(const Pass& pass, HostPages& host, Queues& queues, const Compute& compute, const Helped& helped = {});

}  // namespace millrace
