// Measures what this machine can do: the limits with which benchmarks are compared.
#pragma once

#include <cstdint>

#include "millrace/store/files.h"

namespace millrace {

struct MachineLimits {
  double read_bandwidth = 0;  // bytes a second, if all threads stream memory
  double gather_rate = 0;     // random 4-byte reads a second
};

// Takes about half a second. `gather_bytes` is the size of the attribute that a run reads at random.
MachineLimits measure_limits(std::uint64_t gather_bytes, int threads);

// The rate in bytes a second of reading a file from its start in pieces of 16 MiB, one after the other, past the
// system's cache, like dd. Reads at most a GiB.
double measure_direct_reads(const File& file);

}  // namespace millrace
