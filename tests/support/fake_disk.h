// A simulated disk in memory: loads end in any order and with any delay, and fail on request.
#pragma once

#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "millrace/stream/page_loads.h"

namespace millrace::test {

class FakeDisk : public PageLoads {
 public:
  // Pages of random bytes. Loads write to `region`.
  FakeDisk(std::vector<std::uint32_t> page_bytes, std::vector<std::byte>& region, std::uint64_t seed)
      : page_bytes_(std::move(page_bytes)), region_(region), random_(seed) {
    for (const std::uint32_t bytes : page_bytes_) {
      std::vector<std::byte> page(bytes);
      for (std::byte& byte : page) byte = static_cast<std::byte>(random_());
      crc_.push_back(crc32c(page));
      pages_.push_back(std::move(page));
    }
  }

  std::set<std::uint32_t> failing;  // pages that cannot be read
  std::set<std::uint32_t> damaged;  // pages that arrive with a wrong byte
  std::uint32_t most_in_flight = 8;
  std::chrono::milliseconds delay{0};  // whenever someone waits for it
  std::uint64_t loads = 0;             // so far
  std::uint32_t deepest = 0;           // most loads pending at a time

  const std::vector<std::uint32_t>& page_bytes() const { return page_bytes_; }
  std::uint32_t crc(std::uint32_t page) const { return crc_[page]; }
  bool idle() const { return flying_.empty(); }

  bool has_room() const override {
    const std::lock_guard lock(mutex_);
    return flying_.size() < most_in_flight;
  }
  void start(std::uint32_t ticket, const PageRun& run) override {
    const std::lock_guard lock(mutex_);
    if (flying_.contains(ticket)) throw InternalError("ticket {} twice", ticket);
    // A thread that still reads the slot will find wrong bytes.
    std::memset(region_.data() + run.place, 0xdd, run.bytes);
    flying_[ticket] = run;
    ++loads;
    deepest = std::max(deepest, static_cast<std::uint32_t>(flying_.size()));
  }
  void collect(bool wait, std::vector<LoadEnd>& ended) override {
    if (wait) std::this_thread::sleep_for(delay);
    if (wait && random_() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 100));
    const std::lock_guard lock(mutex_);
    if (flying_.empty()) return;
    const std::uint64_t least = wait ? 1 : 0;
    for (std::uint64_t count = least + random_() % 2; count > 0 && !flying_.empty(); --count) {
      const auto at = std::next(flying_.begin(), static_cast<long>(random_() % flying_.size()));
      ended.push_back({at->first, bring(at->second)});
      flying_.erase(at);
    }
  }
  void verify(std::uint32_t page, const std::byte* data) const override {
    if (crc32c({data, page_bytes_[page]}) != crc_[page]) throw BadInputError("page {} is damaged", page);
  }

 private:
  std::exception_ptr bring(const PageRun& run) {
    std::uint64_t place = run.place;
    for (std::uint32_t p = run.first; p < run.first + run.count; place += page_bytes_[p++]) {
      if (failing.contains(p)) return std::make_exception_ptr(IoError("page {} cannot be read", p));
      std::memcpy(region_.data() + place, pages_[p].data(), page_bytes_[p]);
      if (damaged.contains(p)) region_[place + page_bytes_[p] / 2] ^= std::byte{1};
    }
    return nullptr;
  }

  std::vector<std::uint32_t> page_bytes_;
  std::vector<std::byte>& region_;
  std::mt19937_64 random_;
  std::vector<std::vector<std::byte>> pages_;
  std::vector<std::uint32_t> crc_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, PageRun> flying_;
};

}  // namespace millrace::test
