// Reads as of a slower disk: another reader does them, and their ends are handed out no sooner than that disk would
// have brought the bytes, one read after another.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "millrace/store/async_reads.h"

namespace millrace {
namespace {

class SlowReads final : public AsyncReads {
 public:
  SlowReads(std::unique_ptr<AsyncReads> reads, double bytes_per_second)
      : bytes_per_second_(bytes_per_second), reads_(std::move(reads)) {}

  std::string_view name() const override { return reads_->name(); }

  void submit(const DiskRead& read) override {
    DiskRead numbered = read;
    {
      const std::lock_guard lock(mutex_);
      const std::chrono::duration<double> takes(static_cast<double>(read.bytes) / bytes_per_second_);
      free_at_ = std::max(free_at_, Clock::now()) + std::chrono::duration_cast<Clock::duration>(takes);
      if (free_.empty()) {
        free_.push_back(pending_.size());
        pending_.emplace_back();
      }
      numbered.ticket = free_.back();
      free_.pop_back();
      pending_[numbered.ticket] = {.end = {.ticket = read.ticket}, .due = free_at_};
    }
    reads_->submit(numbered);
  }

  void collect(bool wait, std::vector<ReadEnd>& ended) override {
    const std::size_t before = ended.size();
    take(false);
    hand_out(ended);
    while (wait && ended.size() == before) {
      if (read_.empty()) take(true);
      if (read_.empty()) return;  // none is pending
      std::this_thread::sleep_until(std::ranges::min(read_, {}, &Pending::due).due);
      hand_out(ended);
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Pending {
    ReadEnd end = {};
    Clock::time_point due = {};
  };

  // Takes the ends of reads from the reader.
  void take(bool wait) {
    ends_.clear();
    reads_->collect(wait, ends_);
    const std::lock_guard lock(mutex_);
    for (const ReadEnd& end : ends_) {
      Pending pending = pending_[end.ticket];
      pending.end.error = end.error;
      read_.push_back(pending);
      free_.push_back(end.ticket);
    }
  }
  void hand_out(std::vector<ReadEnd>& ended) {
    const Clock::time_point now = Clock::now();
    std::erase_if(read_, [&](const Pending& pending) {
      if (pending.due > now) return false;
      ended.push_back(pending.end);
      return true;
    });
  }

  const double bytes_per_second_;
  std::mutex mutex_;              // of what submit() uses too
  Clock::time_point free_at_{};   // once the disk would have brought all that was submitted
  std::vector<Pending> pending_;  // by the ticket that the reader has
  std::vector<std::size_t> free_;
  std::vector<Pending> read_;  // before they are due
  std::vector<ReadEnd> ends_;
  std::unique_ptr<AsyncReads> reads_;
};

}  // namespace

std::unique_ptr<AsyncReads> make_slow_reads(std::unique_ptr<AsyncReads> reads, double bytes_per_second) {
  return std::make_unique<SlowReads>(std::move(reads), bytes_per_second);
}

}  // namespace millrace
