// How pages come to a region of memory: by asynchronous loads. On the host they come from disk.
#pragma once

#include <exception>
#include <vector>

#include "millrace/stream/page_cache.h"

namespace millrace {

struct LoadEnd {
  std::uint32_t ticket = 0;
  std::exception_ptr error = nullptr;  // null: it succeeded
};

class PageLoads {
 public:
  virtual ~PageLoads() = default;
  // Whether the disk can take another load now. True if none is pending.
  virtual bool has_room() const = 0;
  // Starts to load a run of pages to its place. One thread may do so while another collects.
  virtual void start(std::uint32_t ticket, const PageRun& run) = 0;
  // Appends the loads that have ended since the last call. With `wait`, waits for at least one, unless none is pending.
  // For one thread at a time.
  virtual void collect(bool wait, std::vector<LoadEnd>& ended) = 0;
  // Throws BadInputError if a loaded page is not the one that was written.
  virtual void verify(std::uint32_t page, const std::byte* data) const = 0;
};

}  // namespace millrace
