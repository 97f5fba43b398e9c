#include "millrace/store/direct_reads.h"

#include "millrace/core/error.h"

namespace millrace {

RangeReader::RangeReader(const std::filesystem::path& path) : file_(File::open_direct(path)) {}

std::span<const std::byte> RangeReader::read(std::uint64_t offset, std::uint64_t bytes,
                                             std::span<std::byte> into) const {
  const std::uint64_t before = offset % file_alignment;
  const std::uint64_t whole = (before + bytes + file_alignment - 1) / file_alignment * file_alignment;
  if (into.size() < whole) throw InternalError("{} bytes of room for a range of {}", into.size(), whole);
  if (file_.read_up_to(into.first(whole), offset - before) < before + bytes)
    throw IoError("a temporary file is shorter than what was written to it; was it changed?");
  return into.subspan(before, bytes);
}

}  // namespace millrace
