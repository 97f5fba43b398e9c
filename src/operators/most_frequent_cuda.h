// The most frequent value of each of many segments on a GPU: see most_frequent.h. Segments of up to 512 values are done
// by a warp, or a part of one, in one kernel. Longer ones are listed in parts of 5120 values for two more kernels: the
// first counts the guess, with a warp for each part; the second counts the undecided segments, with a block for each
// part, which is now a share of all hash values.
#pragma once

#include "millrace/devices/cuda.h"

namespace millrace::cuda {

inline constexpr std::uint64_t max_warp_values = 512;
inline constexpr std::uint64_t part_values = 5120;

struct LongSegment {
  unsigned long long best;   // a packed pair of count and value, the best of all parts
  unsigned long long count;  // of the candidate
  std::uint32_t segment;
  std::uint32_t candidate;
};
struct LongPart {
  std::uint32_t number;  // index of the long segment in the list
  std::uint32_t part;
};
struct LongCursors {
  unsigned long long segments, parts, next_part;
};

class MostFrequent {
 public:
  // For up to `max_values` values at a time.
  MostFrequent(CudaDevice& device, std::uint64_t max_values)
      : device_(device),
        max_values_(max_values),
        segments_(device, max_segments(max_values), "long segments"),
        parts_(device, max_parts(max_values), "parts of long segments"),
        cursors_(device, 1, "long segments") {}

  std::uint64_t max_values() const { return max_values_; }
  // The memory that it allocates.
  static std::uint64_t memory(std::uint64_t max_values) {
    return max_segments(max_values) * sizeof(LongSegment) + max_parts(max_values) * sizeof(LongPart) +
           sizeof(LongCursors);
  }

  // Like most_frequent() of the cpu, with everything in the memory of the device and on its main stream. Values are
  // below 2^32 - 1 and are not reordered. A segment has less than 2^32 values.
  void operator()(const std::uint64_t* offset, std::uint64_t segments, const std::uint32_t* values,
                  std::uint32_t* result);

 private:
  static std::uint64_t max_segments(std::uint64_t values) { return values / max_warp_values + 1; }
  static std::uint64_t max_parts(std::uint64_t values) { return max_segments(values) + values / part_values + 1; }

  CudaDevice& device_;
  std::uint64_t max_values_;
  CudaArray<LongSegment> segments_;
  CudaArray<LongPart> parts_;
  CudaArray<LongCursors> cursors_;
};

}  // namespace millrace::cuda
