// Reads that run beside the computation: through io_uring where the kernel offers it, else by threads that wait.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "millrace/store/files.h"

namespace millrace {

// Places, offsets and sizes are multiples of page_alignment, as direct reads want them.
struct DiskRead {
  std::uint64_t ticket = 0;  // the caller's
  std::uint32_t file = 0;    // of those given at the start
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t least = 0;  // must come; what is past the end of the file does not
  std::byte* to = nullptr;
};

struct ReadEnd {
  static constexpr int too_short = -1;  // the file ends before what must come
  std::uint64_t ticket = 0;
  int error = 0;  // 0, an errno or too_short
};

// Appends the read in pieces of `most_bytes`, whole blocks. All but the last must come whole.
void cut_read(const DiskRead& read, std::uint64_t most_bytes, std::vector<DiskRead>& pieces);

class AsyncReads {
 public:
  // Reads under way are waited for: their memory may go afterwards.
  virtual ~AsyncReads() = default;
  // "io_uring" or "threads".
  virtual std::string_view name() const = 0;
  // Begins a read. One thread may do so while another collects.
  virtual void submit(const DiskRead& read) = 0;
  // Appends the reads that have ended since. Where told to wait, at least one, unless none is under way. One thread at
  // a time.
  virtual void collect(bool wait, std::vector<ReadEnd>& ended) = 0;
};

enum class ReaderKind { best, uring, threads };
// MILLRACE_READER: "uring", "threads", or nothing for the best there is. Throws UsageError for anything else.
ReaderKind reader_from_environment();

// The files must outlive the reads. Memory in `region` is made known to the kernel beforehand where it lets us; reads
// may go elsewhere too. Throws IoError where the kind cannot be had.
std::unique_ptr<AsyncReads> make_reads(std::span<const File> files, std::span<std::byte> region, ReaderKind kind);

// What a submission is answered with instead, for tests: -errno, or 0 where it takes its course.
using SubmitFault = std::function<int()>;
// The two behind it. Without io_uring in the build or the kernel: null.
std::unique_ptr<AsyncReads> make_uring_reads(std::span<const File> files, std::span<std::byte> region,
                                             SubmitFault fault = {});
// How threads read, as pread does: bytes, or -errno.
using ReadCall = std::function<std::int64_t(int descriptor, std::byte* to, std::uint64_t bytes, std::uint64_t offset)>;
std::unique_ptr<AsyncReads> make_thread_reads(std::span<const File> files, std::uint32_t threads, ReadCall call = {});

// A read and how often it made no progress.
struct ReadAttempt {
  DiskRead read;
  int tries = 0;
};
enum class ReadState { ended, goes_on };
// What becomes of a read that was answered with `result` bytes, or -errno: it has ended, with an error or without; or
// the rest of it has to be asked for.
ReadState advance(ReadAttempt& attempt, std::int64_t result, int& error);

}  // namespace millrace
