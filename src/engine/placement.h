// Where the pages of a run are.
#pragma once

#include <cstdint>
#include <string>

namespace millrace {

struct Placement {
  bool resident = true;           // all in the memory of the device
  std::uint64_t page_bytes = 0;   // of all pages
  std::uint64_t cache_bytes = 0;  // of device memory for pages
  std::uint32_t slots = 0;        // that it is cut into, where not resident
  std::uint64_t slot_bytes = 0;
  // Where host memory does not hold all pages either:
  bool from_disk = false;
  std::uint64_t host_bytes = 0;  // of host memory for pages; on the cpu the same as cache_bytes
  std::string reader = {};       // "io_uring" or "threads"
  bool direct = false;           // past the system's cache
};

}  // namespace millrace
