// The most frequent value of each of many segments, the smallest of equally frequent ones: always exact.
//
// Both processors guess first: the most frequent value of a small sample is counted, and if it makes up more than half
// of the segment, it is the answer. In label propagation most segments are like that after a few iterations. Other
// segments are counted in a hash table.
#pragma once

#include <cstdint>

namespace millrace {

// result[i] = the most frequent of values[offset[i]], ..., values[offset[i + 1] - 1], for i in [0, segments). Empty
// segments are skipped. The values are reordered in their segments.
void most_frequent(const std::uint64_t* offset, std::uint64_t segments, std::uint32_t* values, std::uint32_t* result,
                   int threads);

}  // namespace millrace
