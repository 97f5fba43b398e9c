#include "millrace/store/async_reads.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "millrace/core/error.h"
#include "millrace/core/throttle.h"
#include "millrace/pages/format.h"

namespace millrace {
namespace {

// Enough for any disk at 1 MiB a read.
constexpr std::uint32_t reading_threads = 16;
// A kernel that always answers "try again" is given up.
constexpr int most_tries = 1000;

std::unique_ptr<AsyncReads> make_plain_reads(std::span<const File> files, std::span<std::byte> region,
                                             ReaderKind kind) {
  if (kind != ReaderKind::threads) {
    if (auto reads = make_uring_reads(files, region)) return reads;
    if (kind == ReaderKind::uring)
      throw IoError("io_uring is not available: the kernel or this build has none; unset MILLRACE_READER");
  }
  return make_thread_reads(files, reading_threads);
}

}  // namespace

void cut_read(const DiskRead& read, std::uint64_t most_bytes, std::vector<DiskRead>& pieces) {
  for (std::uint64_t at = 0; at < read.bytes; at += most_bytes) {
    const std::uint64_t bytes = std::min(most_bytes, read.bytes - at);
    pieces.push_back({.ticket = read.ticket,
                      .file = read.file,
                      .offset = read.offset + at,
                      .bytes = bytes,
                      .least = std::min(read.least - at, bytes),  // only the last block may end early
                      .to = read.to + at});
  }
}

ReaderKind reader_from_environment() {
  disk_throttle();  // throws for a bad rate
  const char* const value = std::getenv("MILLRACE_READER");
  const std::string name = value ? value : "";
  if (name.empty()) return ReaderKind::best;
  if (name == "uring") return ReaderKind::uring;
  if (name == "threads") return ReaderKind::threads;
  throw UsageError("MILLRACE_READER={} is unknown; use uring or threads", name);
}

std::unique_ptr<AsyncReads> make_reads(std::span<const File> files, std::span<std::byte> region, ReaderKind kind) {
  auto reads = make_plain_reads(files, region, kind);
  const double rate = disk_throttle();
  return rate > 0 ? make_slow_reads(std::move(reads), rate) : std::move(reads);
}

ReadState advance(ReadAttempt& attempt, std::int64_t result, int& error) {
  DiskRead& read = attempt.read;
  error = 0;
  if (result == -EINTR || result == -EAGAIN) {
    if (++attempt.tries < most_tries) return ReadState::goes_on;
    error = static_cast<int>(-result);
    return ReadState::ended;
  }
  if (result < 0) {
    error = static_cast<int>(-result);
    return ReadState::ended;
  }
  const auto got = static_cast<std::uint64_t>(result);
  if (got >= read.least) return ReadState::ended;
  // Only whole blocks count, since a direct read has to begin at a block. An incomplete block is read again.
  const std::uint64_t kept = got / page_alignment * page_alignment;
  if (got == 0 || (kept == 0 && ++attempt.tries == most_tries)) {
    error = ReadEnd::too_short;
    return ReadState::ended;
  }
  read.offset += kept;
  read.to += kept;
  read.bytes -= kept;
  read.least -= kept;
  return ReadState::goes_on;
}

}  // namespace millrace
