// Pages of random bytes, with a checksum of each, and lists of pages.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "millrace/pages/crc32c.h"
#include "millrace/stream/pipeline.h"

namespace millrace::test {

using Pages = std::vector<std::uint32_t>;

inline Pages all_pages(std::uint32_t count) {
  Pages pages(count);
  std::iota(pages.begin(), pages.end(), 0u);
  return pages;
}

// Random bytes as pages, those of each group back to back and the groups apart.
class RandomPages : public PagesInMemory {
 public:
  RandomPages(Pages page_bytes, const Pages& groups, std::uint64_t seed) : page_bytes_(std::move(page_bytes)) {
    std::mt19937_64 random(seed);
    std::uint64_t place = 0;
    for (std::uint32_t p = 0; p < page_bytes_.size(); ++p) {
      if (std::find(groups.begin(), groups.end(), p) != groups.end()) place += 1000;
      places_.push_back(place);
      place += page_bytes_[p];
    }
    bytes_.resize(place);
    for (std::byte& byte : bytes_) byte = static_cast<std::byte>(random());
    for (std::uint32_t p = 0; p < page_bytes_.size(); ++p) crc_.push_back(crc32c({page_data(p), page_bytes_[p]}));
  }
  const std::byte* page_data(std::uint32_t page) const override { return bytes_.data() + places_[page]; }
  const Pages& page_bytes() const { return page_bytes_; }
  std::uint32_t crc(std::uint32_t page) const { return crc_[page]; }

 private:
  Pages page_bytes_;
  std::vector<std::uint64_t> places_;
  std::vector<std::byte> bytes_;
  Pages crc_;
};

}  // namespace millrace::test
