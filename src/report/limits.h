// What this machine can do, measured on the spot: the limits that benchmarks are held against.
#pragma once

#include <cstdint>

#include "millrace/store/files.h"

namespace millrace {

struct MachineLimits {
  double read_bandwidth = 0;  // bytes a second, all threads streaming memory
  double gather_rate = 0;     // random 4-byte reads a second
};

// Takes about half a second. `gather_bytes` is the size of the attribute that a run reads at random.
MachineLimits measure_limits(std::uint64_t gather_bytes, int threads);

// Bytes a second of a file read from its start in pieces of 16 MiB, one after the other, past the system's cache: what
// dd would show. At most a GiB is read.
double measure_direct_reads(const File& file);

}  // namespace millrace
