// Reads by threads that wait in pread: for kernels without io_uring.
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "millrace/store/async_reads.h"

namespace millrace {
namespace {

std::int64_t plain_read(int descriptor, std::byte* to, std::uint64_t bytes, std::uint64_t offset) {
  const ssize_t got = pread(descriptor, to, bytes, static_cast<off_t>(offset));
  return got < 0 ? -errno : got;
}

class ThreadReads final : public AsyncReads {
 public:
  ThreadReads(std::span<const File> files, std::uint32_t threads, ReadCall call) : call_(std::move(call)) {
    for (const File& file : files) descriptors_.push_back(file.descriptor());
    for (std::uint32_t t = 0; t < threads; ++t) threads_.emplace_back([this] { work(); });
  }
  ~ThreadReads() override {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    given_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  std::string_view name() const override { return "threads"; }

  void submit(const DiskRead& read) override {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(read);
      ++under_way_;
    }
    given_.notify_one();
  }

  void collect(bool wait, std::vector<ReadEnd>& ended) override {
    std::unique_lock lock(mutex_);
    if (wait) done_.wait(lock, [this] { return !ended_.empty() || under_way_ == 0; });
    ended.insert(ended.end(), ended_.begin(), ended_.end());
    ended_.clear();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      given_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      ReadAttempt attempt{waiting_.front()};
      waiting_.pop_front();
      lock.unlock();
      int error = 0;
      for (;;) {
        const DiskRead& read = attempt.read;
        const std::int64_t result = call_(descriptors_[read.file], read.to, read.bytes, read.offset);
        if (advance(attempt, result, error) == ReadState::ended) break;
      }
      lock.lock();
      ended_.push_back({attempt.read.ticket, error});
      --under_way_;
      done_.notify_one();
    }
  }

  ReadCall call_;
  std::vector<int> descriptors_;
  std::mutex mutex_;
  std::condition_variable given_, done_;
  std::deque<DiskRead> waiting_;
  std::vector<ReadEnd> ended_;
  std::uint64_t under_way_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<AsyncReads> make_thread_reads(std::span<const File> files, std::uint32_t threads, ReadCall call) {
  return std::make_unique<ThreadReads>(files, threads, call ? std::move(call) : ReadCall(plain_read));
}

}  // namespace millrace
