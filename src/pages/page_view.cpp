#include "millrace/pages/page_view.h"

namespace millrace {

std::uint32_t decode_lane(const PageView& page, std::uint32_t slice, std::uint32_t lane, VertexId* neighbours) {
  const SliceHeader& header = page.slices()[slice];
  const std::uint32_t* words = page.words() + header.word;
  const auto* widths = reinterpret_cast<const std::uint8_t*>(words);
  words += width_words(header.columns) + header.slot_bits;
  const std::uint32_t length = header.columns - column_value(words, header.length_bits, lane);
  words += header.length_bits;
  const std::uint32_t step = page.keeps_parallel_edges() ? 0 : 1;
  std::uint32_t last = header.first_neighbour - step;
  for (std::uint32_t j = 0; j < length; ++j) {
    last += column_value(words, widths[j], lane) + step;
    words += widths[j];
    neighbours[j] = last;
  }
  return length;
}

void decode_weights(const PageView& page, std::uint32_t slice, const Decoder& decoder, std::uint64_t* weights) {
  const std::uint32_t parts = weight_columns(page.header().weight_type);
  const std::uint32_t columns = page.slices()[slice].columns;
  const std::uint32_t* words = page.weight_words(slice);
  const auto* widths = reinterpret_cast<const std::uint8_t*>(words);
  words += width_words(columns * parts);
  alignas(64) std::uint32_t column[lanes];
  for (std::uint32_t j = 0; j < columns; ++j, weights += lanes)
    for (std::uint32_t part = 0; part < parts; ++part) {
      decoder.unpack(words, *widths, column);
      words += *widths++;
      for (std::uint32_t l = 0; l < lanes; ++l)
        weights[l] = (part == 0 ? 0 : weights[l]) | std::uint64_t{column[l]} << (32 * part);
    }
}

}  // namespace millrace
