// How pages come to a region of memory: by loads that run beside everything else. On the host they come from disk.
#pragma once

#include <exception>
#include <vector>

#include "millrace/stream/page_cache.h"

namespace millrace {

struct LoadEnd {
  std::uint32_t ticket = 0;
  std::exception_ptr error = nullptr;  // null: it came
};

class PageLoads {
 public:
  virtual ~PageLoads() = default;
  // Whether another load would find the disk unoccupied enough. True where none is under way.
  virtual bool has_room() const = 0;
  // Begins to bring a run of pages to its place. One thread may do so while another collects.
  virtual void start(std::uint32_t ticket, const PageRun& run) = 0;
  // Appends the loads that have ended since. Where told to wait, at least one, unless none is under way. One thread at
  // a time.
  virtual void collect(bool wait, std::vector<LoadEnd>& ended) = 0;
  // Throws BadInputError where a page that came is not the one that was written.
  virtual void verify(std::uint32_t page, const std::byte* data) const = 0;
};

}  // namespace millrace
