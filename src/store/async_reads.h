// Reads that run at the same time as the computation: through io_uring if the kernel has it, else by threads that wait.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "millrace/store/files.h"

namespace millrace {

// One read. Addresses, offsets and sizes are multiples of page_alignment, as direct reads require.
struct DiskRead {
  std::uint64_t ticket = 0;  // chosen by the caller, returned in ReadEnd
  std::uint32_t file = 0;    // index into the files given to make_reads
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t least = 0;  // bytes that must be read; the file may end after them
  std::byte* to = nullptr;
};

struct ReadEnd {
  static constexpr int too_short = -1;  // the file ends before `least` bytes
  std::uint64_t ticket = 0;
  int error = 0;  // 0, an errno or too_short
};

// Appends the read in pieces of at most `most_bytes`, whole blocks. All pieces but the last must be read completely.
void cut_read(const DiskRead& read, std::uint64_t most_bytes, std::vector<DiskRead>& pieces);

class AsyncReads {
 public:
  // Waits for pending reads: their memory may be freed afterwards.
  virtual ~AsyncReads() = default;
  // "io_uring" or "threads".
  virtual std::string_view name() const = 0;
  // Starts a read. One thread may do so while another collects.
  virtual void submit(const DiskRead& read) = 0;
  // Appends the reads that have ended since the last call. With `wait`, waits for at least one, unless none is pending.
  // For one thread at a time.
  virtual void collect(bool wait, std::vector<ReadEnd>& ended) = 0;
};

enum class ReaderKind { best, uring, threads };
// Reads MILLRACE_READER: "uring", "threads", or empty for the best available. Throws UsageError for anything else, and
// for a MILLRACE_DISK_GBPS that is no rate.
ReaderKind reader_from_environment();

// The files must outlive the reads. `region` is registered with the kernel if possible; reads to other memory work too.
// Throws IoError if this kind is not available. MILLRACE_DISK_GBPS makes them slower, to see what other disks would do.
std::unique_ptr<AsyncReads> make_reads(std::span<const File> files, std::span<std::byte> region, ReaderKind kind);

// For tests: the result of a submission instead of the kernel's, as -errno; 0 to submit normally.
using SubmitFault = std::function<int()>;
// The two implementations. Null if the build or the kernel has no io_uring.
std::unique_ptr<AsyncReads> make_uring_reads(std::span<const File> files, std::span<std::byte> region,
                                             SubmitFault fault = {});
// The read call of the threads, like pread: returns bytes, or -errno.
using ReadCall = std::function<std::int64_t(int descriptor, std::byte* to, std::uint64_t bytes, std::uint64_t offset)>;
std::unique_ptr<AsyncReads> make_thread_reads(std::span<const File> files, std::uint32_t threads, ReadCall call = {});
// The same reads at a lower rate.
std::unique_ptr<AsyncReads> make_slow_reads(std::unique_ptr<AsyncReads> reads, double bytes_per_second);

// A read and how often it was tried without progress.
struct ReadAttempt {
  DiskRead read;
  int tries = 0;
};
enum class ReadState { ended, goes_on };
// Updates a read that was answered with `result` bytes, or -errno: either it has ended, with or without an error, or
// the rest of it has to be submitted again.
ReadState advance(ReadAttempt& attempt, std::int64_t result, int& error);

}  // namespace millrace
