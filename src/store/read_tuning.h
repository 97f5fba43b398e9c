// How large reads should be, and how many at a time, so that a disk reaches its full rate.
#pragma once

#include "millrace/store/async_reads.h"

namespace millrace {

struct ReadTuning {
  std::uint64_t read_bytes = 4u << 20;
  std::uint32_t depth = 4;
  double rate = 0;  // measured bytes a second; 0: not measured
  std::uint64_t in_flight() const { return read_bytes * depth; }
};

// Tries a few sizes on the first file, reading into `scratch`: some tens of milliseconds, once per process and disk.
// Small files and small memories get the defaults.
ReadTuning tune_reads(std::span<const File> files, AsyncReads& reads, std::span<std::byte> scratch);

}  // namespace millrace
