// Reads by threads that wait in pread: for kernels without io_uring.
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>

#include "millrace/core/workers.h"
#include "millrace/store/async_reads.h"

namespace millrace {
namespace {

std::int64_t plain_read(int descriptor, std::byte* to, std::uint64_t bytes, std::uint64_t offset) {
  const ssize_t got = pread(descriptor, to, bytes, static_cast<off_t>(offset));
  return got < 0 ? -errno : got;
}

class ThreadReads final : public AsyncReads {
 public:
  ThreadReads(std::span<const File> files, std::uint32_t threads, ReadCall call)
      : call_(std::move(call)), workers_(threads) {
    for (const File& file : files) descriptors_.push_back(file.descriptor());
  }

  std::string_view name() const override { return "threads"; }

  void submit(const DiskRead& read) override {
    const std::lock_guard lock(mutex_);
    workers_.give([this, read] { work(read); });
    ++under_way_;
  }

  void collect(bool wait, std::vector<ReadEnd>& ended) override {
    std::unique_lock lock(mutex_);
    if (wait) done_.wait(lock, [this] { return !ended_.empty() || under_way_ == 0; });
    ended.insert(ended.end(), ended_.begin(), ended_.end());
    ended_.clear();
  }

 private:
  void work(const DiskRead& read) {
    ReadAttempt attempt{read};
    int error = 0;
    for (;;) {
      const DiskRead& left = attempt.read;
      const std::int64_t result = call_(descriptors_[left.file], left.to, left.bytes, left.offset);
      if (advance(attempt, result, error) == ReadState::ended) break;
    }
    const std::lock_guard lock(mutex_);
    ended_.push_back({attempt.read.ticket, error});
    --under_way_;
    done_.notify_one();
  }

  ReadCall call_;
  std::vector<int> descriptors_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::vector<ReadEnd> ended_;
  std::uint64_t under_way_ = 0;
  Workers workers_;  // last: they use the members above
};

}  // namespace

std::unique_ptr<AsyncReads> make_thread_reads(std::span<const File> files, std::uint32_t threads, ReadCall call) {
  return std::make_unique<ThreadReads>(files, threads, call ? std::move(call) : ReadCall(plain_read));
}

}  // namespace millrace
