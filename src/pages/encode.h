// Encoding rows into pages: which rows share a slice, and where a page ends.
#pragma once

#include <vector>

#include "millrace/pages/page_builder.h"

namespace millrace {

// The most columns a hub slice may have so that one hub slice always fits a page.
std::uint32_t hub_slice_columns(const PageOptions& options);

// Turns rows into pages. Keeps scratch memory between calls: use one encoder per thread.
class PageEncoder {
 public:
  explicit PageEncoder(const PageOptions& options);

  // Appends the pages of `rows`: one small page if they fit, several if they do not, large pages for a vertex whose row
  // exceeds a page, none if there are no edges. The pages depend only on `rows` and the options.
  void encode(const Rows& rows, std::vector<EncodedPage>& pages);

 private:
  bool encode_small(const Rows& rows, std::vector<EncodedPage>& pages);
  void encode_large(const Rows& row, std::vector<EncodedPage>& pages);
  // Adds one slice with up to 32 x hub_columns edges from `first` on, cut into equal parts; returns how many.
  std::uint64_t add_hub_slice(const Rows& rows, std::uint32_t slot, std::uint64_t first, std::uint64_t last);
  void sort_rows_by_length(const Rows& rows);
  bool full() const { return builder_.bytes() > options_.page_bytes; }

  PageOptions options_;
  std::uint32_t hub_columns_;
  PageBuilder builder_;
  std::vector<std::uint32_t> order_;  // scratch: rows in order of falling length
};

}  // namespace millrace
