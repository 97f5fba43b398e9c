// One set of pages, those of an orientation, as the kernels of a GPU see it: a description of every page, which is in
// the memory of the GPU; and the pages themselves, where all of them stay there.
#pragma once

#include <vector>

#include "millrace/devices/cuda.h"
#include "millrace/operators/pages_cuda.h"
#include "millrace/store/store.h"

namespace millrace {

class CudaPageSet {
 public:
  // `first_page`: the number of its first page, where the pages of several sets are numbered through. The store must
  // outlive this.
  CudaPageSet(const Store& store, Orientation orientation, With with, std::uint32_t first_page, CudaDevice& device);

  Orientation orientation() const { return orientation_; }
  With with() const { return with_; }  // what is loaded of the pages
  const PageTable& table() const { return store_.table(orientation_); }
  std::uint32_t num_pages() const { return table().size(); }
  std::uint32_t first_page() const { return first_page_; }
  // The numbers of its pages, where those of several sets are numbered through.
  std::vector<std::uint32_t> numbered(std::vector<std::uint32_t> pages) const;
  // What a page takes in memory, and all of them.
  std::uint32_t page_bytes(std::uint32_t page) const { return align_page(bytes_with(with_, table()[page])); }
  std::uint64_t bytes() const { return bytes_; }
  // No page has a neighbour of this number or above.
  std::uint64_t num_sources() const;

  // For pages that stay: takes memory for all of them, gives it back, and loads them into it. The largest page of the
  // run takes `largest_page` bytes.
  void allocate() { resident_ = CudaArray<std::byte>(device_, bytes_, "the pages"); }
  void release() { resident_ = {}; }
  void load(std::uint32_t largest_page);
  const std::byte* data() const { return resident_.data(); }

  // Describes the pages on the GPU; what follows is for pages that are described.
  void describe();
  const PageSpot* spots() const { return spots_.data(); }
  std::uint32_t hub_slices() const { return first_hub_slice_.back(); }
  // Where a page begins, among the pages of this set as they lie side by side.
  std::uint64_t offset(std::uint32_t page) const { return offsets_[page]; }
  // Some consecutive pages, with a base to which their offsets are added.
  PageSpan span(const std::byte* base, std::uint32_t first, std::uint32_t count) const;
  // The pages of one segment, of those that stay.
  PageSpan segment(std::uint32_t number) const {
    const std::uint32_t first = table().first_page(number);
    return span(data(), first, table().first_page(number + 1) - first);
  }

 private:
  const Store& store_;
  CudaDevice& device_;
  Orientation orientation_;
  With with_;
  std::uint32_t first_page_;
  std::uint32_t step_;
  std::uint64_t bytes_;
  std::vector<std::uint32_t> first_block_;
  std::vector<std::uint32_t> first_hub_slice_;
  std::vector<std::uint64_t> offsets_;  // of pages
  CudaArray<PageSpot> spots_;
  CudaArray<WorkBlock> blocks_;
  CudaArray<WorkBlock> hub_slices_;
  CudaArray<std::byte> resident_;
};

}  // namespace millrace
