#include "millrace/pages/encode.h"

#include <algorithm>
#include <array>
#include <utility>

#include "millrace/core/error.h"

namespace millrace {

using Lane = PageBuilder::Lane;

std::uint32_t hub_slice_columns(const PageOptions& options) {
  // A page with one hub slice whose every value takes 32 bits.
  constexpr std::uint32_t column_bytes = lanes * sizeof(std::uint32_t) + 1;
  constexpr std::uint32_t fixed =
      sizeof(PageHeader) + sizeof(SliceHeader) + column_bytes + 2 * (read_ahead_bytes + section_alignment) + 16;
  const std::uint32_t bytes_per_column = (1 + weight_columns(options.weight_type)) * column_bytes;
  return std::min(max_slice_columns, (options.page_bytes - fixed) / bytes_per_column);
}

PageEncoder::PageEncoder(const PageOptions& options) : options_(options), builder_(options) {
  if (options.page_bytes < min_page_bytes || options.page_bytes > max_page_bytes)
    throw UsageError("a page may take {} to {} bytes, not {}", min_page_bytes, max_page_bytes, options.page_bytes);
  hub_columns_ = hub_slice_columns(options);
}

void PageEncoder::encode(const Rows& rows, std::vector<EncodedPage>& pages) {
  if (rows.num_edges() == 0 || encode_small(rows, pages)) return;
  if (rows.vertex_count() == 1) return encode_large(rows, pages);
  // Too much for one page: cut near the middle of the edges, with at least one vertex on either side.
  const std::uint64_t middle = rows.offsets.front() + rows.num_edges() / 2;
  const auto above = std::upper_bound(rows.offsets.begin(), rows.offsets.end(), middle) - rows.offsets.begin();
  const auto cut = std::clamp<std::uint32_t>(static_cast<std::uint32_t>(above) - 1, 1, rows.vertex_count() - 1);
  encode(rows.range(0, cut), pages);
  encode(rows.range(cut, rows.vertex_count()), pages);
}

bool PageEncoder::encode_small(const Rows& rows, std::vector<EncodedPage>& pages) {
  builder_.clear();
  std::uint32_t hubs = 0;
  for (std::uint32_t row = 0; row < rows.vertex_count(); ++row) {
    if (rows.length(row) < hub_row_length) continue;
    ++hubs;
    for (std::uint64_t at = rows.offsets[row]; at < rows.offsets[row + 1];) {
      at += add_hub_slice(rows, row, at, rows.offsets[row + 1]);
      if (full()) return false;
    }
  }
  const std::uint32_t hub_slices = builder_.num_slices();
  sort_rows_by_length(rows);
  std::array<Lane, lanes> lane;
  for (std::size_t first = 0; first < order_.size(); first += lanes) {
    const auto count = std::min<std::size_t>(lanes, order_.size() - first);
    for (std::size_t l = 0; l < count; ++l) {
      const std::uint32_t row = order_[first + l];
      lane[l] = {row, rows.offsets[row], static_cast<std::uint32_t>(rows.length(row))};
    }
    builder_.add_slice(rows, {lane.data(), count});
    if (full()) return false;
  }
  pages.push_back(builder_.finish(PageKind::small, rows, hubs + static_cast<std::uint32_t>(order_.size()), hub_slices));
  return true;
}

void PageEncoder::encode_large(const Rows& row, std::vector<EncodedPage>& pages) {
  for (std::uint64_t at = row.offsets[0]; at < row.offsets[1];) {
    builder_.clear();
    while (at < row.offsets[1]) {
      const std::uint64_t taken = add_hub_slice(row, 0, at, row.offsets[1]);
      if (full()) {
        builder_.remove_last_slice();
        break;
      }
      at += taken;
    }
    pages.push_back(builder_.finish(PageKind::large, row, 1, builder_.num_slices()));
  }
}

std::uint64_t PageEncoder::add_hub_slice(const Rows& rows, std::uint32_t slot, std::uint64_t first,
                                         std::uint64_t last) {
  const std::uint64_t count = std::min<std::uint64_t>(last - first, std::uint64_t{hub_columns_} * lanes);
  const std::uint64_t segment = (count + lanes - 1) / lanes;
  std::array<Lane, lanes> lane;
  for (std::uint64_t l = 0; l < lanes; ++l) {
    const std::uint64_t start = std::min(l * segment, count);
    lane[l] = {slot, first + start, static_cast<std::uint32_t>(std::min(segment, count - start))};
  }
  builder_.add_slice(rows, lane);
  return count;
}

// A counting sort over the lengths below hub_row_length: by falling length, rows of equal length by vertex.
void PageEncoder::sort_rows_by_length(const Rows& rows) {
  std::array<std::uint32_t, hub_row_length> place{};
  std::uint32_t count = 0;
  for (std::uint32_t row = 0; row < rows.vertex_count(); ++row) {
    const std::uint64_t length = rows.length(row);
    if (length == 0 || length >= hub_row_length) continue;
    ++place[length];
    ++count;
  }
  std::uint32_t next = 0;
  for (std::uint32_t length = hub_row_length; length-- > 1;) next += std::exchange(place[length], next);
  order_.resize(count);
  for (std::uint32_t row = 0; row < rows.vertex_count(); ++row) {
    const std::uint64_t length = rows.length(row);
    if (length > 0 && length < hub_row_length) order_[place[length]++] = row;
  }
}

}  // namespace millrace
