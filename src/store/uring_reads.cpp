// Reads through io_uring: no thread waits for them, and files and memory are registered with the kernel beforehand.
#include "millrace/store/async_reads.h"

#if MILLRACE_WITH_URING

#include <liburing.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <mutex>

#include "millrace/core/error.h"

namespace millrace {
namespace {

constexpr unsigned ring_entries = 128;
// Registering memory touches all of it at once, which takes long for large regions; and the kernel accepts no larger
// buffer.
constexpr std::uint64_t most_known = std::uint64_t{1} << 30;

class UringReads final : public AsyncReads {
 public:
  // Does not throw: usable() tells whether it works.
  UringReads(std::span<const File> files, std::span<std::byte> region, SubmitFault fault) : fault_(std::move(fault)) {
    io_uring_params parameters{};
    if (io_uring_queue_init_params(ring_entries, &ring_, &parameters) != 0) return;
    usable_ = true;
    for (const File& file : files) descriptors_.push_back(file.descriptor());
    files_known_ =
        io_uring_register_files(&ring_, descriptors_.data(), static_cast<unsigned>(descriptors_.size())) == 0;
    for (unsigned i = 0; i < ring_entries; ++i) free_.push_back(i);
    make_known(region);
  }
  ~UringReads() override {
    if (!usable_) return;
    {
      const std::lock_guard lock(mutex_);
      waiting_.clear();
    }
    std::vector<ReadEnd> ignored;
    try {
      while (under_way() > 0) collect(true, ignored);
    } catch (const Error&) {
    }
    io_uring_queue_exit(&ring_);
  }
  UringReads(const UringReads&) = delete;
  UringReads& operator=(const UringReads&) = delete;

  bool usable() const { return usable_; }
  std::string_view name() const override { return "io_uring"; }

  void submit(const DiskRead& read) override {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({read});
    start_waiting();
  }

  void collect(bool wait, std::vector<ReadEnd>& ended) override {
    const std::size_t before = ended.size();
    do {
      if (under_way() == 0) return;
      io_uring_cqe* first = nullptr;
      if (wait && must_wait()) {
        const int result = io_uring_wait_cqe(&ring_, &first);
        if (result == -EINTR) continue;
        if (result < 0) throw IoError("io_uring: cannot wait: {}", std::strerror(-result));
      }
      const std::lock_guard lock(mutex_);
      take_answers(ended);
      start_waiting();
      ended.insert(ended.end(), failed_.begin(), failed_.end());
      failed_.clear();
    } while (wait && ended.size() == before);
  }

 private:
  std::size_t under_way() {
    const std::lock_guard lock(mutex_);
    return ring_entries - free_.size() + waiting_.size() + failed_.size();
  }
  bool must_wait() {
    const std::lock_guard lock(mutex_);
    return failed_.empty() && free_.size() < ring_entries;
  }

  // Registers the region, so that the kernel need not look up its memory pages at each read. It may refuse, mostly
  // because of the limit on locked memory; reads work all the same.
  void make_known(std::span<std::byte> region) {
    if (region.empty() || region.size() > most_known) return;
    const iovec buffer{region.data(), region.size()};
    if (io_uring_register_buffers(&ring_, &buffer, 1) == 0) known_ = region;
  }

  void prepare(io_uring_sqe* sqe, unsigned index) {
    const DiskRead& read = flying_[index].read;
    const int file = files_known_ ? static_cast<int>(read.file) : descriptors_[read.file];
    const auto bytes = static_cast<unsigned>(read.bytes);
    const std::byte* const known_end = known_.data() + known_.size();
    if (!known_.empty() && read.to >= known_.data() && read.to + read.bytes <= known_end)
      io_uring_prep_read_fixed(sqe, file, read.to, bytes, read.offset, 0);
    else
      io_uring_prep_read(sqe, file, read.to, bytes, read.offset);
    if (files_known_) sqe->flags |= IOSQE_FIXED_FILE;
    sqe->user_data = index;
  }

  void start_waiting() {
    std::vector<unsigned> prepared;
    if (broken_ != 0) fail(prepared);
    while (!waiting_.empty() && !free_.empty()) {
      io_uring_sqe* const sqe = io_uring_get_sqe(&ring_);
      if (!sqe) break;
      const unsigned index = free_.back();
      free_.pop_back();
      flying_[index] = waiting_.front();
      waiting_.pop_front();
      prepare(sqe, index);
      prepared.push_back(index);
    }
    if (prepared.empty()) return;
    for (;;) {
      const int fault = fault_ ? fault_() : 0;
      const int result = fault != 0 ? fault : io_uring_submit(&ring_);
      if (result >= 0 && io_uring_sq_ready(&ring_) == 0) return;
      if (result >= 0 || result == -EINTR || result == -EAGAIN || result == -EBUSY) continue;
      // The kernel has accepted all but the last io_uring_sq_ready() of them.
      prepared.erase(prepared.begin(), prepared.end() - static_cast<std::ptrdiff_t>(io_uring_sq_ready(&ring_)));
      broken_ = -result;
      return fail(prepared);
    }
  }

  // Nothing can be submitted any more: ends the reads that the kernel has not accepted, both prepared and waiting ones.
  void fail(const std::vector<unsigned>& prepared) {
    for (const unsigned index : prepared) {
      failed_.push_back({flying_[index].read.ticket, broken_});
      free_.push_back(index);
    }
    for (const ReadAttempt& attempt : waiting_) failed_.push_back({attempt.read.ticket, broken_});
    waiting_.clear();
  }

  void take_answers(std::vector<ReadEnd>& ended) {
    io_uring_cqe* cqe = nullptr;
    unsigned head = 0, count = 0;
    io_uring_for_each_cqe(&ring_, head, cqe) {
      ++count;
      const auto index = static_cast<unsigned>(cqe->user_data);
      int error = 0;
      if (advance(flying_[index], cqe->res, error) == ReadState::ended)
        ended.push_back({flying_[index].read.ticket, error});
      else
        waiting_.push_front(flying_[index]);
      free_.push_back(index);
    }
    io_uring_cq_advance(&ring_, count);
  }

  SubmitFault fault_;
  io_uring ring_{};
  bool usable_ = false;
  bool files_known_ = false;
  std::vector<int> descriptors_;
  std::span<std::byte> known_;
  std::mutex mutex_;
  std::deque<ReadAttempt> waiting_;  // reads that wait for a free entry of the ring
  ReadAttempt flying_[ring_entries];
  std::vector<unsigned> free_;
  int broken_ = 0;               // why nothing can be submitted any more
  std::vector<ReadEnd> failed_;  // reads that ended for this reason and were not collected yet
};

}  // namespace

std::unique_ptr<AsyncReads> make_uring_reads(std::span<const File> files, std::span<std::byte> region,
                                             SubmitFault fault) {
  auto reads = std::make_unique<UringReads>(files, region, std::move(fault));
  if (!reads->usable()) return nullptr;
  return reads;
}

}  // namespace millrace

#else

namespace millrace {

std::unique_ptr<AsyncReads> make_uring_reads(std::span<const File>, std::span<std::byte>, SubmitFault) {
  return nullptr;
}

}  // namespace millrace

#endif
