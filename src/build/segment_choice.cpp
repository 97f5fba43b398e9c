#include "millrace/build/segment_choice.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <string>

#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/devices/cuda.h"
#include "millrace/pages/format.h"

namespace millrace {
namespace {

constexpr std::uint64_t value_bytes = 4;  // of the values that most algorithms read: f32, or a vertex

// As many values as fit `bytes`, a power of two.
std::uint64_t segment_of(std::uint64_t bytes) {
  return std::max(std::bit_floor(std::max<std::uint64_t>(bytes / value_bytes, 1)), min_segment);
}

// The size of the last-level cache of the first core. The system's own file is read first: on some virtual machines
// sysconf() returns ten times as much.
std::uint64_t last_level_cache() {
  std::string text;
  if (std::ifstream("/sys/devices/system/cpu/cpu0/cache/index3/size") >> text) {
    try {
      return parse_size(text);
    } catch (const Error&) {  // written in another way
    }
  }
  constexpr std::uint64_t usual = 16u << 20;
  const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? static_cast<std::uint64_t>(bytes) : usual;
}

}  // namespace

CacheModel gpu_cache_model(std::uint64_t cache_bytes) {
  // In ps an edge: 157 G reads a second of 16 MiB, 36 of what lies in memory, and rows of 2 to 16 neighbours in a
  // segment. A third of the cache leaves room for values of 8 bytes.
  const std::uint64_t segment = segment_of(cache_bytes / 3);
  return {.segment = segment, .room = 2 * segment, .near = 6.4, .far = 28, .part = 7.5};
}

CacheModel cpu_cache_model() {
  // In ns an edge of two cores. The cache is shared, and pages stream past: values get a quarter of it.
  const std::uint64_t segment = segment_of(last_level_cache() / 4);
  return {.segment = segment, .room = segment, .near = 0.65, .far = 3.3, .part = 2.5};
}

CacheModel cache_model_here() {
  const std::uint64_t bytes = first_gpu_cache();
  return bytes == 0 ? cpu_cache_model() : gpu_cache_model(bytes);
}

std::uint64_t choose_segment(std::uint64_t num_vertices, const CacheModel& cache, const SampledReads& reads,
                             double hot) {
  // Segments have to gain this much: they take more bytes, and searches look into each. Where few reads miss, hubs are
  // what is read, and the part of a hub in each segment costs more than the model says. The larger a skewed graph, the
  // more of its reads miss: it is compared with one of as many vertices without hubs.
  constexpr double worthwhile = 0.85, least_misses = 0.2, least_without_hubs = 0.5;
  if (cache.segment == 0 || 2 * num_vertices <= 3 * cache.segment) return 0;
  const double misses = std::min(1 - hot, reads.lines);
  const double without_hubs = 1 - static_cast<double>(cache.room) / static_cast<double>(num_vertices);
  if (misses < least_misses || 1 - hot < least_without_hubs * without_hubs) return 0;
  const double without = cache.near + misses * (cache.far - cache.near);
  const double with = cache.near + reads.parts * cache.part;
  return with < worthwhile * without ? cache.segment : 0;
}

}  // namespace millrace
