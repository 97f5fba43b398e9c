#include "millrace/core/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "millrace/core/error.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

constexpr std::uint64_t small_page = 4096;
constexpr std::uint64_t huge_page = 2u << 20;

// The number after `name` at the start of a line of the file, or 0.
std::uint64_t field_of(const std::filesystem::path& file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name)) return std::strtoull(line.c_str() + name.size(), nullptr, 10);
  return 0;
}

// The memory that a cgroup has left. Its file cache counts as free: the kernel drops it when memory is needed.
std::uint64_t left_in(const std::filesystem::path& group) {
  std::uint64_t most = 0, used = 0;
  if (!(std::ifstream(group / "memory.max") >> most)) return Budget::unlimited;  // "max", or not there
  std::ifstream(group / "memory.current") >> used;
  const std::uint64_t files =
      field_of(group / "memory.stat", "inactive_file ") + field_of(group / "memory.stat", "active_file ");
  used -= std::min(used, files);
  return most - std::min(most, used);
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

// Memory backed by a file without a name in the directory for temporary files. Its disk space is reserved now:
// otherwise a full disk would end the process at a later write.
void* map_file(std::uint64_t bytes, const std::string& what) {
  std::error_code nowhere;
  std::string path = (std::filesystem::temp_directory_path(nowhere) / "millrace-XXXXXX").string();
  const int file = nowhere ? -1 : mkostemp(path.data(), O_CLOEXEC);
  const auto refuse = [&](int error) {
    if (file >= 0) close(file);
    throw DoesNotFitError("{} needs {} in a temporary file, {}: {}; TMPDIR names the directory", what,
                          format_size(bytes), path, std::strerror(error));
  };
  if (file < 0) refuse(nowhere ? nowhere.value() : errno);
  unlink(path.c_str());
  if (const int error = posix_fallocate(file, 0, static_cast<off_t>(bytes))) refuse(error);
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) refuse(errno);
  close(file);
  return mapped;
}

}  // namespace

void Budget::charge(std::uint64_t bytes, const std::string& what) {
  std::uint64_t used = use_->now;
  do {
    if (bytes > limit_ || used > limit_ - bytes)
      throw OverBudgetError("with {}, {} are needed by now, but {} allows {}; allow more", what,
                            format_size_at_least(option_.value(used + bytes)), option_.name,
                            format_size_at_most(option_.given(limit_)));
  } while (!use_->now.compare_exchange_weak(used, used + bytes));
  std::uint64_t peak = use_->peak;
  while (peak < used + bytes && !use_->peak.compare_exchange_weak(peak, used + bytes)) {
  }
}

void Budget::require(std::uint64_t bytes, const std::string& what) const {
  if (!has_room(bytes)) refuse(bytes, what);
}

void Budget::refuse(std::uint64_t bytes, const std::string& what, const std::string& else_do) const {
  const std::uint64_t used = this->used();
  const std::string needed = format_size_at_least(option_.value(bytes > unlimited - used ? unlimited : used + bytes));
  throw DoesNotFitError("{} needs {} of memory, but {} allows {}; allow at least {}{}{}", what, needed, option_.name,
                        format_size_at_most(option_.given(limit_)), needed, else_do.empty() ? "" : ", or ", else_do);
}

Buffer::Buffer(std::uint64_t bytes, Budget& budget, const std::string& what) : bytes_(bytes) {
  if (bytes == 0) return;
  // More than any machine has; and rounding up below must not overflow.
  if (bytes >= std::uint64_t{1} << 62)
    throw DoesNotFitError("{} needs {}, more than any machine has", what, format_size(bytes));
  // Large buffers are aligned to huge pages: one huge page too many is mapped, and the excess is unmapped.
  const std::uint64_t unit = bytes >= huge_page ? huge_page : small_page;
  const std::uint64_t charged = buffer_memory(bytes);
  charge_ = Charge(charged, budget, what);
  if (budget.keep() == Keep::in_file) {
    data_ = static_cast<std::byte*>(map_file(charged, what));
    return;
  }
  const std::uint64_t mapped = charged + (unit - small_page);
  void* raw = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED)
    throw DoesNotFitError("{} needs {}, which the operating system refused", what, format_size(bytes));
  const auto start = reinterpret_cast<std::uintptr_t>(raw);
  const auto aligned = round_up(start, unit);
  if (aligned > start) munmap(raw, aligned - start);
  const auto tail = start + mapped - (aligned + charged);
  if (tail > 0) munmap(reinterpret_cast<void*>(aligned + charged), tail);
  data_ = reinterpret_cast<std::byte*>(aligned);
  if (unit == huge_page) madvise(data_, charged, MADV_HUGEPAGE);  // only a hint: if it fails, nothing is lost
}

Buffer::~Buffer() {
  if (data_) munmap(data_, buffer_memory(bytes_));
}

void Buffer::swap(Buffer& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(charge_, other.charge_);
}

Budget& unlimited_budget() {
  static Budget budget;
  return budget;
}

std::uint64_t available_memory() {
  std::uint64_t available = field_of("/proc/meminfo", "MemAvailable:") * 1024;
  if (available == 0) available = Budget::unlimited;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::")) continue;
    // The limits of all parent groups apply too.
    for (std::filesystem::path group = line.substr(3); group.has_relative_path(); group = group.parent_path())
      available = std::min(available, left_in(std::filesystem::path("/sys/fs/cgroup") / group.relative_path()));
    available = std::min(available, left_in("/sys/fs/cgroup"));
  }
  return available;
}

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace millrace
