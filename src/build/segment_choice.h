// Whether the pages of a store are grouped by segments of neighbours, and how large these are: from a sample of the
// rows, and what reads of a vertex's value cost on the machine that will run.
#pragma once

#include <cstdint>
#include <optional>

#include "millrace/core/types.h"

namespace millrace {

// The cache that a segment's values should fit, and what the reads of a pull cost, in any unit.
struct CacheModel {
  std::uint64_t segment = 0;  // vertices, a power of two: as many as the cache holds values of beside what streams past
  std::uint64_t room = 0;     // vertices whose values it keeps where all are read, without segments
  double near = 1;            // a read of a value that the cache has
  double far = 1;             // of one that it does not have
  double part = 1;            // what a row adds in each segment that it has neighbours in
};
// The model of a GPU with so much second-level cache, measured on an H200.
CacheModel gpu_cache_model(std::uint64_t cache_bytes);
// The model of the cpu of this machine, by its last-level cache; measured on two cores with 32 MiB of it.
CacheModel cpu_cache_model();
// The model of the GPU of this machine, or of its cpu if it has no GPU.
CacheModel cache_model_here();

// With fewer vertices, all values fit any cache, and none is asked for.
inline constexpr std::uint64_t least_blocked = 1 << 17;

struct SegmentOptions {
  std::uint64_t vertices = 0;                      // in a segment, a power of two; 0: pages are not blocked
  bool automatic = false;                          // chosen from a sample
  std::optional<CacheModel> cache = std::nullopt;  // by what it is chosen; none: cache_model_here()
};

// What a sample of the rows shows, for each edge.
struct SampledReads {
  double parts = 1;  // rows, counted once for each segment
  double lines = 1;  // different cache lines of values that the rows of a window read
};

// The vertices in a segment, or 0 where pages are better not blocked. `hot`: the share of reads that the cache would
// serve without segments, if it kept the vertices of highest degree.
std::uint64_t choose_segment(std::uint64_t num_vertices, const CacheModel& cache, const SampledReads& reads,
                             double hot);

}  // namespace millrace
