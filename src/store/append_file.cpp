#include "millrace/store/append_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/store/fleeting.h"

namespace millrace {

std::uint64_t AppendFile::block_memory(std::uint64_t left, std::uint64_t files) {
  const std::uint64_t most = Fleeting::in_force() ? most_block_bytes / 8 : most_block_bytes;  // to a cache, not a disk
  return std::clamp(left / 32 / files / file_alignment * file_alignment, 16 * file_alignment, most);
}

AppendFile::AppendFile(const std::filesystem::path& path, Budget& budget, std::uint64_t files)
    : path_(path), file_(File::create(path)) {
  if (!Fleeting::in_force()) file_.go_direct();  // else it will be read soon: the system's cache keeps it
  block_bytes_ = block_memory(budget.limit() - budget.used(), files);
  for (Buffer& block : blocks_) block = Buffer(block_bytes_, budget, "blocks on their way to disk");
}

AppendFile::~AppendFile() {
  try {
    await_write();
  } catch (const std::exception&) {  // callers that need to know call finish()
  }
}

std::uint64_t AppendFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t place = size();
  while (!bytes.empty()) {
    const std::uint64_t count = std::min<std::uint64_t>(bytes.size(), block_bytes_ - filled_);
    std::memcpy(blocks_[current_].data() + filled_, bytes.data(), count);
    filled_ += count;
    bytes = bytes.subspan(count);
    if (filled_ == block_bytes_) write_block();
  }
  return place;
}

void AppendFile::align(std::uint64_t alignment) {
  static constexpr std::byte zeroes[4096] = {};
  std::uint64_t left = (alignment - size() % alignment) % alignment;
  for (; left > 0; left -= std::min<std::uint64_t>(left, sizeof zeroes))
    append({zeroes, std::min<std::uint64_t>(left, sizeof zeroes)});
}

void AppendFile::write_block() {
  await_write();
  // Deferred, in case the system refuses another thread: then the block is written before the next one.
  writing_ = std::async(std::launch::async | std::launch::deferred, [this, block = current_, offset = written_] {
    file_.write({blocks_[block].data(), block_bytes_}, offset);
  });
  current_ ^= 1;
  written_ += block_bytes_;
  filled_ = 0;
}

void AppendFile::await_write() {
  if (writing_.valid()) writing_.get();
}

void AppendFile::finish() {
  await_write();
  if (filled_ > 0) {
    // Direct writes need whole sectors: the last one is padded, and the file is then cut to its size.
    const std::uint64_t whole = (filled_ + file_alignment - 1) / file_alignment * file_alignment;
    std::memset(blocks_[current_].data() + filled_, 0, whole - filled_);
    file_.write({blocks_[current_].data(), whole}, written_);
    file_.truncate(size());
    written_ += std::exchange(filled_, 0);
  }
  for (Buffer& block : blocks_) block = Buffer();
}

void AppendFile::sync() { file_.sync(); }

}  // namespace millrace
