#include "millrace/store/read_tuning.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "millrace/core/stopwatch.h"
#include "millrace/pages/format.h"

namespace millrace {
namespace {

constexpr std::uint64_t mib = 1u << 20;
constexpr std::uint64_t smallest_file = 256 * mib;
constexpr std::uint64_t bytes_each = 96 * mib;
// A pass does more than read: checksums, copies, waits for slots. So many bytes in flight keep the disk busy meanwhile.
// More is not better: a disk that gave 3.4 GB/s with 16 MiB in flight gave 2.8 with 64.
constexpr std::uint64_t enough_in_flight = 16 * mib;

// The rate from `start` on in bytes a second, or 0 if a read failed; later reads of the pages report the error.
double measure(AsyncReads& reads, std::span<std::byte> scratch, std::uint64_t start, const ReadTuning& tuning) {
  const Stopwatch watch;
  std::vector<ReadEnd> ended;
  std::uint64_t started = 0, done = 0, read = 0;
  const std::uint64_t all = bytes_each / tuning.read_bytes;
  bool failed = false;
  std::vector<std::uint64_t> free;
  for (std::uint64_t i = 0; i < tuning.depth; ++i) free.push_back(i);
  while (done < all) {
    for (; started < all && !free.empty(); ++started) {
      const std::uint64_t place = free.back();
      free.pop_back();
      reads.submit({.ticket = place,
                    .file = 0,
                    .offset = start + started * tuning.read_bytes,
                    .bytes = tuning.read_bytes,
                    .least = tuning.read_bytes,
                    .to = scratch.data() + place * tuning.read_bytes});
    }
    ended.clear();
    reads.collect(true, ended);
    for (const ReadEnd& end : ended) {
      failed |= end.error != 0;
      free.push_back(end.ticket);
      ++done;
      read += tuning.read_bytes;
    }
  }
  return failed ? 0 : static_cast<double>(read) / watch.seconds();
}

ReadTuning tune(const File& file, AsyncReads& reads, std::span<std::byte> scratch) {
  // Few reads in flight first: more of them must be worth their memory.
  constexpr ReadTuning choices[] = {{mib, 8}, {4 * mib, 4}, {4 * mib, 8}};
  ReadTuning best;
  const std::uint64_t size = file.size();
  std::uint64_t part = 0;
  for (ReadTuning choice : choices) {
    if (choice.in_flight() > scratch.size()) continue;
    // Each choice reads another place, which no earlier read has brought into a cache.
    const std::uint64_t start = ++part * (size / 5) / page_alignment * page_alignment;
    choice.rate = measure(reads, scratch, start, choice);
    if (choice.rate > best.rate * 1.05) best = choice;
  }
  // Limited by memory.
  const std::uint64_t depth = std::min(enough_in_flight, scratch.size() / 8) / best.read_bytes;
  best.depth = std::max(best.depth, static_cast<std::uint32_t>(depth));
  return best;
}

}  // namespace

ReadTuning tune_reads(std::span<const File> files, AsyncReads& reads, std::span<std::byte> scratch) {
  if (files.empty() || files[0].size() < smallest_file) return {};
  struct stat status {};
  if (fstat(files[0].descriptor(), &status) != 0) return {};
  static std::mutex mutex;
  static std::map<std::pair<dev_t, std::string>, ReadTuning> known;
  const std::lock_guard lock(mutex);
  const auto key = std::pair(status.st_dev, std::string(reads.name()));
  if (const auto found = known.find(key); found != known.end() && found->second.in_flight() <= scratch.size())
    return found->second;
  return known[key] = tune(files[0], reads, scratch);
}

}  // namespace millrace
