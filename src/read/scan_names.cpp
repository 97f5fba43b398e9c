#include "millrace/read/scan_names.h"

#include <algorithm>
#include <array>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "millrace/store/store_files.h"

namespace millrace {
namespace {

constexpr std::uint64_t most_names = 1u << 16, most_bytes = 1u << 20;  // in memory at a time, but one name at least

// The bytes of a file from some offset on, in pieces, and their checksum.
class RestOfFile {
 public:
  RestOfFile(const File& file, std::uint64_t begin) : file_(file), begin_(begin) {}
  void read(std::span<std::byte> piece) {
    file_.read(piece, begin_ + size_);
    crc_ = crc32c_combine(crc_, crc32c(piece), piece.size());
    size_ += piece.size();
  }
  std::uint64_t size() const { return size_; }
  std::uint32_t crc() const { return crc_; }

 private:
  const File& file_;
  std::uint64_t begin_, size_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace

void scan_names(const Store& store, const std::function<void(OriginalId id, std::string_view name)>& take) {
  if (!store.has_names()) return;
  const File& file = store.files().names;
  const std::uint64_t count = store.num_vertices(), head = (count + 2) * sizeof(std::uint64_t), size = file.size();
  const auto demand = [&](bool sound) {
    if (!sound)
      throw DamagedStoreError("{}: its checksum or its offsets are wrong; the store is damaged", file.path().string());
  };
  demand(size >= head);
  RestOfFile numbers(file, 0), bytes(file, head);
  std::array<std::uint64_t, 2> first{};  // the number of names, and where the first begins
  numbers.read(std::as_writable_bytes(std::span(first)));
  demand(first[0] == count && first[1] == 0);
  std::vector<std::uint64_t> ends;  // of some names
  std::vector<char> text;
  for (OriginalId id = 0; id < count;) {
    ends.resize(std::min(most_names, count - id));
    numbers.read(std::as_writable_bytes(std::span(ends)));
    for (std::size_t done = 0; done < ends.size();) {
      const std::uint64_t begin = bytes.size();
      std::size_t last = done;  // of those that are read together
      while (last + 1 < ends.size() && ends[last + 1] <= begin + most_bytes && ends[last + 1] >= ends[last]) ++last;
      demand(ends[last] >= begin && ends[last] <= size - head);
      text.resize(ends[last] - begin);
      bytes.read(std::as_writable_bytes(std::span(text)));
      for (std::uint64_t at = begin; done <= last; at = ends[done++]) {
        demand(ends[done] >= at && ends[done] <= ends[last]);
        take(id++, {text.data() + (at - begin), static_cast<std::size_t>(ends[done] - at)});
      }
    }
  }
  demand(bytes.size() == size - head);
  demand(crc32c_combine(numbers.crc(), bytes.crc(), bytes.size()) == store.manifest().names->crc);
}

}  // namespace millrace
