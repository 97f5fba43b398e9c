// Keys: an edge as an entry of the row at one of its ends, in 64 bits that sort as the pages of a store come: by
// segment of the neighbour, row, and neighbour in its segment. A store that is not blocked has one segment.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "millrace/core/types.h"

namespace millrace {

struct KeyBits {
  std::uint32_t row_bits = 0;
  std::uint32_t neighbour_bits = 0;  // of a neighbour in its segment
  VertexId num_vertices = 0;

  KeyBits() = default;
  // Segments of `segment` vertices, a power of two; 0: one segment.
  KeyBits(std::uint64_t vertices, std::uint64_t segment)
      : row_bits(static_cast<std::uint32_t>(std::bit_width(vertices > 0 ? vertices - 1 : 0))),
        neighbour_bits(segment > 0 ? static_cast<std::uint32_t>(std::bit_width(segment - 1)) : row_bits),
        num_vertices(static_cast<VertexId>(vertices)) {
    if (neighbour_bits > row_bits) neighbour_bits = row_bits;
  }

  MILLRACE_HD std::uint64_t key(VertexId row, VertexId neighbour) const {
    const std::uint64_t in_segment = neighbour & ((std::uint64_t{1} << neighbour_bits) - 1);
    const std::uint64_t segment = std::uint64_t{neighbour} >> neighbour_bits;
    return first_key(row_key(segment, row)) | in_segment;
  }
  MILLRACE_HD VertexId row(std::uint64_t key) const { return row_of(row_key(key)); }
  MILLRACE_HD VertexId neighbour(std::uint64_t key) const {
    const std::uint64_t in_segment = key & ((std::uint64_t{1} << neighbour_bits) - 1);
    return static_cast<VertexId>(segment_of(row_key(key)) << neighbour_bits | in_segment);
  }

  // A row key is (segment, row): what a key has beside the neighbour in its segment. Without segments it is the row.
  MILLRACE_HD std::uint64_t row_key(std::uint64_t key) const { return key >> neighbour_bits; }
  MILLRACE_HD std::uint64_t row_key(std::uint64_t segment, VertexId row) const { return (segment << row_bits) + row; }
  MILLRACE_HD VertexId row_of(std::uint64_t row_key) const {
    return static_cast<VertexId>(row_key & ((std::uint64_t{1} << row_bits) - 1));
  }
  MILLRACE_HD std::uint64_t segment_of(std::uint64_t row_key) const { return row_key >> row_bits; }
  // The lowest key of a row.
  MILLRACE_HD std::uint64_t first_key(std::uint64_t row_key) const { return row_key << neighbour_bits; }
  // One past the last row of those from `first` up to `last`, both row keys, that lie in the segment of `first`.
  MILLRACE_HD VertexId end_row(std::uint64_t first, std::uint64_t last) const {
    return segment_of(first) == segment_of(last) ? row_of(last) : num_vertices;
  }
  std::uint64_t num_segments() const {
    return num_vertices == 0 ? 1 : ((std::uint64_t{num_vertices} - 1) >> neighbour_bits) + 1;
  }
  // How many bits a key has, at most.
  std::uint32_t bits() const {
    const auto segment_bits = static_cast<std::uint32_t>(std::bit_width(num_segments() - 1));
    return std::max(row_bits + neighbour_bits + segment_bits, 1u);
  }
};

}  // namespace millrace
