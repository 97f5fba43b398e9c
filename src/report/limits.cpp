#include "millrace/report/limits.h"

#include <algorithm>
#include <chrono>

#include "millrace/core/memory.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/threads.h"
#include "millrace/pages/format.h"

namespace millrace {
namespace {

// The shortest of three times, in seconds.
template <class Body>
double best_of_three(Body body) {
  double best = 1e300;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

MachineLimits measure_limits(std::uint64_t gather_bytes, int threads) {
  MachineLimits limits;
  volatile std::uint64_t sink = 0;

  Array<std::uint64_t> stream((std::uint64_t{256} << 20) / 8, unlimited_budget(), "measurement");
  std::fill(stream.begin(), stream.end(), 1);
  const double stream_seconds = best_of_three([&] {
    SharedSum<std::uint64_t> sum;
    on_threads(threads, [&](const ThreadOf& thread) {
      std::uint64_t mine = 0;
      thread.for_share(0, stream.size(), [&](std::uint64_t i) { mine += stream[i]; });
      sum.add(mine);
    });
    sink = sum.value();
  });
  limits.read_bandwidth = static_cast<double>(stream.size() * 8) / stream_seconds;

  const std::uint64_t values = std::max<std::uint64_t>(gather_bytes / 4, 1);
  Array<std::uint32_t> attribute(values, unlimited_budget(), "measurement");
  std::fill(attribute.begin(), attribute.end(), 1);
  constexpr std::uint64_t reads = std::uint64_t{1} << 24;
  const double gather_seconds = best_of_three([&] {
    SharedSum<std::uint64_t> sum;
    on_threads(threads, [&](const ThreadOf& thread) {
      std::uint64_t mine = 0;
      thread.for_share(0, reads, [&](std::uint64_t i) {
        // A multiply-shift into [0, values): independent addresses, so that the reads overlap.
        const std::uint64_t random = (i * 0x9e3779b97f4a7c15u) >> 32;
        mine += attribute[(random * values) >> 32];
      });
      sum.add(mine);
    });
    sink = sum.value();
  });
  limits.gather_rate = static_cast<double>(reads) / gather_seconds;
  return limits;
}

double measure_direct_reads(const File& file) {
  constexpr std::uint64_t piece = 16u << 20, most = std::uint64_t{1} << 30;
  const File source = file.reopen_direct();
  const std::uint64_t size = std::min(most, source.size() / page_alignment * page_alignment);
  if (size == 0) return 0;
  Buffer memory(piece, unlimited_budget(), "measurement");
  std::fill_n(memory.data(), piece, std::byte{});
  const Stopwatch watch;
  for (std::uint64_t at = 0; at < size; at += piece) source.read({memory.data(), std::min(piece, size - at)}, at);
  return static_cast<double>(size) / watch.seconds();
}

}  // namespace millrace
