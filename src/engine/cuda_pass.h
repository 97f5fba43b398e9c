// What a pass over pages on a GPU is given, and what it returns.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "millrace/devices/cuda.h"
#include "millrace/operators/pages_cuda.h"
#include "millrace/stream/page_help.h"

namespace millrace {

// The bytes of the pages of passes, by where they were.
struct CudaTraffic {
  std::uint64_t loaded_bytes = 0;  // over the link
  std::uint64_t cached_bytes = 0;  // found in device memory
  std::uint64_t disk_bytes = 0;    // read on the way
  std::uint64_t helped_bytes = 0;  // of pages that the cpu computed on instead

  CudaTraffic& operator+=(const CudaTraffic& more) {
    loaded_bytes += more.loaded_bytes;
    cached_bytes += more.cached_bytes;
    disk_bytes += more.disk_bytes;
    helped_bytes += more.helped_bytes;
    return *this;
  }
};

// Enqueues a kernel over a span.
using CudaLaunch = std::function<void(const PageSpan& span, CUstream_st* stream)>;
// The same on one of several GPUs, which is selected.
using CudaLaunchOn = std::function<void(std::size_t device, const PageSpan& span, CUstream_st* stream)>;

// How the cpu takes part in the passes of a superstep: there is one pass, or one for each segment.
struct CudaHelpedPasses {
  PageHelp& help;
  std::optional<double> share;
  HelpOrder order = HelpOrder::high;
  bool by_segments = false;
};

}  // namespace millrace
