// The pages of a pass that a device would have to load, and that the cpu may compute on instead, where they lie in host
// memory. Both take from one list, the device from its front, in the order of its loads, and the cpu from its end; so
// both are done at about the same time, whatever their speeds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace millrace {

class PagePool {
 public:
  // The first `only_front` pages are never given to the cpu.
  explicit PagePool(std::vector<std::uint32_t> pages, std::size_t only_front = 0)
      : pages_(std::move(pages)), least_end_(only_front), most_front_(pages_.size()), end_(pages_.size()) {}

  // The cpu takes this share of the pages, however fast it is, but none of those that are for the front alone. To be
  // called before anybody takes pages.
  void fix_share(double share) {
    const auto of_cpu = static_cast<std::size_t>(share * static_cast<double>(pages_.size()) + 0.5);
    least_end_ = std::max(least_end_, pages_.size() - std::min(pages_.size(), of_cpu));
    most_front_ = least_end_;
  }

  // Up to `count` pages that nobody took before.
  std::span<const std::uint32_t> take_front(std::size_t count) {
    const std::lock_guard lock(mutex_);
    const std::size_t first = front_;
    if (closed_) return {};
    front_ = std::max(front_, std::min({front_ + count, end_, most_front_}));
    return {pages_.data() + first, front_ - first};
  }
  std::span<const std::uint32_t> take_back(std::size_t count) {
    const std::lock_guard lock(mutex_);
    const std::size_t last = end_;
    const std::size_t least = std::max(front_, least_end_);
    if (closed_ || end_ <= least) return {};
    end_ = std::max(least, end_ - std::min(end_, count));
    return {pages_.data() + end_, last - end_};
  }
  // How many pages the cpu could still take.
  std::size_t left() {
    const std::lock_guard lock(mutex_);
    const std::size_t least = std::max(front_, least_end_);
    return closed_ || end_ <= least ? 0 : end_ - least;
  }
  // Nobody gets more pages: something has failed.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }

  // What each has taken, once both have stopped taking: the number of pages of the device, and the pages of the cpu.
  std::size_t taken_front() const { return front_; }
  std::span<const std::uint32_t> taken_back() const { return {pages_.data() + end_, pages_.size() - end_}; }

 private:
  const std::vector<std::uint32_t> pages_;
  std::mutex mutex_;
  std::size_t front_ = 0, least_end_, most_front_, end_;
  bool closed_ = false;
};

}  // namespace millrace
