// A pass on some device: copies on several queues run beside each other and beside the computation on what is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "millrace/stream/page_cache.h"

namespace millrace {

// Pages that lie back to back on the host.
struct HostRun {
  const std::byte* data = nullptr;
  std::uint32_t pages = 0;
  std::uint64_t bytes = 0;
};

// The pages on the host.
class HostPages {
 public:
  virtual ~HostPages() = default;
  // Those of a run, from its first page on, that can be copied at once; waits for them where they are on their way.
  virtual HostRun pages_of(const PageRun& run) = 0;
  // A queue was given the copy of these.
  virtual void given(std::uint32_t queue, const PageRun& run, const HostRun& part) = 0;
};

// All pages in host memory, those of one group back to back, so that a run is one copy.
class PagesInMemory : public HostPages {
 public:
  virtual const std::byte* page_data(std::uint32_t page) const = 0;
  HostRun pages_of(const PageRun& run) final { return {page_data(run.first), run.count, run.bytes}; }
  void given(std::uint32_t, const PageRun&, const HostRun&) final {}
};

// What a pipeline needs of a device: queues whose work runs in order, each beside the others. Calls return at once.
class Queues {
 public:
  virtual ~Queues() = default;
  virtual std::uint32_t count() const = 0;
  // Work given to any queue from here on starts after everything else that the device has been given before.
  virtual void fork() = 0;
  // Everything else that the device is given from here on starts after what any queue has been given before.
  virtual void join() = 0;
  // Pages from host memory, which stays as it is until the copy is done, to their place in the region of slots.
  virtual void copy(std::uint32_t queue, const PageRun& pages, const std::byte* from) = 0;
  // The slot's last use is what the queue was given so far.
  virtual void mark(std::uint32_t queue, std::uint32_t slot) = 0;
  // The queue goes on once the slot's latest mark is reached; at once where it has none.
  virtual void wait(std::uint32_t queue, std::uint32_t slot) = 0;
  // The queue has been given copies out of a slot of host memory, which has slots of its own.
  virtual void mark_source(std::uint32_t queue, std::uint32_t host_slot) = 0;
  // Whether all copies out of it are done; where told to wait, returns once they are.
  virtual bool source_free(std::uint32_t host_slot, bool wait) = 0;
};

// Gives the queue the work on a run of pages that lie in the region.
using Compute = std::function<void(std::uint32_t queue, const PageRun& run)>;

// Gives the queues all of a pass: returns long before it is done, with the queues joined. Also joined when it throws,
// and then the cache that made the pass has to forget_all().
void run_pass(const Pass& pass, HostPages& host, Queues& queues, const Compute& compute);

}  // namespace millrace
