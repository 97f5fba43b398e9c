#include "millrace/plan/machine_rates.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/threads.h"
#include "millrace/pages/decode.h"
#include "millrace/plan/devices.h"
#include "millrace/report/cuda_limits.h"
#include "millrace/report/limits.h"

namespace millrace {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

// Edges a second that threads decode, or decode and gather a value for each.
double measure_decoding(const PageSet& pages, std::uint64_t num_vertices, int threads, bool gather) {
  constexpr std::uint32_t tile_columns = 64;
  const Decoder& decoder = chosen_decoder();
  Array<float> values(num_vertices, unlimited_budget(), "measurement");
  std::fill(values.begin(), values.end(), 1.0f);
  std::atomic<float> sink = 0;  // so that the reads are not optimised away
  double best = 1e300;
  for (int turn = 0; turn < 3; ++turn) {
    const Stopwatch watch;
    Draw draw;
    on_threads(threads, [&](const ThreadOf&) {
      alignas(64) std::uint32_t tile[tile_columns * lanes];
      Slice slice;
      float sum = 0;
      draw.for_each(pages.table().size(), [&](std::uint64_t p) {
        const PageView page = pages.page(static_cast<std::uint32_t>(p));
        for (std::uint32_t s = 0; s < page.header().slices; ++s) {
          open_slice(page, s, decoder, slice);
          if (gather && decoder.sum) {
            alignas(64) float sums[lanes];
            decoder.sum(slice.walk, slice.columns, slice.length, values.data(), sums);
            sum += sums[0];
            continue;
          }
          for (std::uint32_t column = 0; column < slice.columns; column += tile_columns) {
            const std::uint32_t columns = std::min(tile_columns, slice.columns - column);
            decoder.neighbours(slice.walk, columns, tile);
            if (gather)
              for (std::uint32_t lane = 0; lane < lanes; ++lane)
                for (std::uint32_t c = column; c < std::min(column + columns, slice.length[lane]); ++c)
                  sum += values[tile[(c - column) * lanes + lane]];
          }
        }
      });
      if (sum < 0) sink = sum;
    });
    best = std::min(best, watch.seconds());
  }
  return sink < 0 ? 0 : static_cast<double>(pages.table().num_edges()) / best;
}

// 0 where the file system has no direct reads, or no room.
double measure_disk(const std::filesystem::path& path) try {
  constexpr std::uint64_t bytes = 256 * mebibyte;
  {
    Buffer noise(bytes, unlimited_budget(), "measurement");
    auto* const words = reinterpret_cast<std::uint64_t*>(noise.data());
    for (std::uint64_t i = 0; i < bytes / 8; ++i) words[i] = mix(i);  // a disk may compress
    const File file = File::create(path);
    file.write({noise.data(), bytes}, 0);
    file.sync();
  }
  const double rate = measure_direct_reads(File::open(path));
  std::filesystem::remove(path);
  return rate;
} catch (const IoError&) {
  return 0;
}

std::vector<RateIn> rates_of(const std::vector<GatherRate>& measured) {
  std::vector<RateIn> rates;
  for (const GatherRate& one : measured) rates.push_back({one.bytes, one.rate});
  return rates;
}

}  // namespace

std::vector<HostRates::ByThreads> measure_by_threads(int all, const std::function<HostRates::ByThreads(int)>& measure) {
  constexpr int most_turns = 4;
  constexpr double as_good = 0.7;  // as with fewer threads: memory may be busy with those, and a core with others
  std::vector<HostRates::ByThreads> rates;
  HostRates::ByThreads best;  // with fewer threads
  for (int threads = 1;; threads = std::min(2 * threads, all)) {
    HostRates::ByThreads these{.threads = threads};
    const auto is_sound = [&] {
      return these.decoded >= as_good * best.decoded && these.gathered >= as_good * best.gathered;
    };
    for (int turn = 0; turn == 0 || (turn < most_turns && !is_sound()); ++turn) {
      const HostRates::ByThreads again = measure(threads);
      these.decoded = std::max(these.decoded, again.decoded);
      these.gathered = std::max(these.gathered, again.gathered);
    }
    if (is_sound()) rates.push_back(these);
    best.decoded = std::max(best.decoded, these.decoded);
    best.gathered = std::max(best.gathered, these.gathered);
    if (threads == all) return rates;
  }
}

HostRates measure_host(const Store& store, const std::filesystem::path& folder) {
  const int all = omp_get_max_threads();
  HostRates rates;
  for (const std::uint64_t bytes : {mebibyte, 16 * mebibyte, 256 * mebibyte}) {
    const MachineLimits limits = measure_limits(bytes, all);
    rates.read_bandwidth = std::max(rates.read_bandwidth, limits.read_bandwidth);
    rates.random_reads.push_back({bytes, limits.gather_rate});
  }
  const Orientation o = store.has(Orientation::in) ? Orientation::in : Orientation::out;
  const PageSet pages = store.load_pages(o, With::topology, unlimited_budget());
  rates.by_threads = measure_by_threads(all, [&](int threads) {
    return HostRates::ByThreads{.threads = threads,
                                .decoded = measure_decoding(pages, store.num_vertices(), threads, false),
                                .gathered = measure_decoding(pages, store.num_vertices(), threads, true)};
  });
  rates.disk = measure_disk(folder / "disk");
  return rates;
}

std::vector<GpuRates> measure_gpus() {
  std::vector<GpuRates> rates;
  const std::array sizes{mebibyte, 16 * mebibyte, 64 * mebibyte, 1024 * mebibyte};
  for (const CudaInfo& gpu : cuda_devices()) {
    const ChosenDevice device({.cuda = true, .ordinal = gpu.ordinal}, Budget::unlimited);
    const CudaLimits limits = measure_cuda_limits(*device.cuda(), sizes);
    const CudaBeside beside = measure_cuda_beside(*device.cuda(), sizes);
    rates.push_back({.to_device = limits.to_device,
                     .to_host = limits.to_host,
                     .both_ways = beside.both_ways,
                     .to_device_beside_reads = beside.to_device_beside_reads,
                     .copy = limits.copy,
                     .random_reads = rates_of(limits.gathers),
                     .atomics = rates_of(beside.atomics),
                     .launch_seconds = limits.launch_seconds});
  }
  return rates;
}

}  // namespace millrace
