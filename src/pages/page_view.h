// Reads a page in place. The page has passed check_page (or was written by us and its checksum matches): the functions
// here do not check it again.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "millrace/pages/decode.h"
#include "millrace/pages/format.h"

namespace millrace {

class PageView {
 public:
  PageView() = default;
  explicit PageView(const std::byte* page) : page_(page) {}

  const PageHeader& header() const { return *reinterpret_cast<const PageHeader*>(page_); }
  std::span<const SliceHeader> slices() const {
    return {reinterpret_cast<const SliceHeader*>(page_ + sizeof(PageHeader)), header().slices};
  }
  const std::uint32_t* words() const {
    return reinterpret_cast<const std::uint32_t*>(page_ + sizeof(PageHeader) + header().slices * sizeof(SliceHeader));
  }
  bool has_weights() const { return header().weight_type != WeightType::none; }
  // Where the weight words of each slice begin. This and the next functions are only for pages with weights.
  const std::uint32_t* weight_table() const {
    return reinterpret_cast<const std::uint32_t*>(page_ + header().topology_bytes);
  }
  const std::uint32_t* weight_words(std::uint32_t s) const {
    return weight_table() + header().slices + weight_table()[s];
  }
  const std::uint32_t* end_of_weights() const { return weight_table() + header().slices + header().weight_words; }
  bool keeps_parallel_edges() const { return (header().flags & page_flag_parallel) != 0; }

 private:
  const std::byte* page_ = nullptr;
};

// One slice opened for reading: the vertex and the length of each lane, and a walk down the gap columns.
struct Slice {
  alignas(64) std::uint32_t vertex[lanes];  // for lanes of length 0 some vertex of the page, unused
  alignas(64) std::uint32_t length[lanes];
  ColumnWalk walk;
  std::uint32_t columns;
};

// Opens slice `index`. Lanes are in order of falling length; in a hub slice all lanes belong to one vertex.
inline void open_slice(const PageView& page, std::uint32_t index, const Decoder& decoder, Slice& slice) {
  const SliceHeader& header = page.slices()[index];
  const std::uint32_t* words = page.words() + header.word;
  const auto* widths = reinterpret_cast<const std::uint8_t*>(words);
  words += width_words(header.columns);
  const std::uint32_t first_vertex = page.header().first_vertex + header.first_slot;
  decoder.unpack(words, header.slot_bits, slice.vertex);
  for (std::uint32_t l = 0; l < lanes; ++l) slice.vertex[l] += first_vertex;
  words += header.slot_bits;
  decoder.unpack(words, header.length_bits, slice.length);
  for (std::uint32_t l = 0; l < lanes; ++l) slice.length[l] = header.columns - slice.length[l];
  words += header.length_bits;
  slice.columns = header.columns;
  slice.walk = ColumnWalk{.words = words, .widths = widths, .step = page.keeps_parallel_edges() ? 0u : 1u, .last = {}};
  for (std::uint32_t l = 0; l < lanes; ++l) slice.walk.last[l] = header.first_neighbour - slice.walk.step;
}

// The bytes that opening a slice reads: its header, widths, slots and lengths.
inline std::uint64_t opened_bytes(const Slice& slice) {
  const auto* start = reinterpret_cast<const std::uint32_t*>(slice.walk.widths);
  return sizeof(SliceHeader) + 4 * static_cast<std::uint64_t>(slice.walk.words - start);
}

// Value `lane` of a column of `width` bits. Reads 8 bytes, which the read-ahead padding allows.
inline std::uint32_t column_value(const std::uint32_t* column, std::uint32_t width, std::uint32_t lane) {
  const std::uint32_t bit = lane * width;
  std::uint64_t two_words;
  std::memcpy(&two_words, column + (bit >> 5), 8);
  return static_cast<std::uint32_t>((two_words >> (bit & 31)) & ((std::uint64_t{1} << width) - 1));
}

// Writes the neighbours of one lane of a slice to `neighbours` and returns how many: reads one row alone.
std::uint32_t decode_lane(const PageView& page, std::uint32_t slice, std::uint32_t lane, VertexId* neighbours);

// Writes the weights of a slice, column after column of 32 lanes, as the bits of the page's weight type. Past the end
// of a lane they are zero.
void decode_weights(const PageView& page, std::uint32_t slice, const Decoder& decoder, std::uint64_t* weights);

}  // namespace millrace
