#include "millrace/build/encode_keys.h"

namespace millrace {

void encode_keys(std::span<const std::uint64_t> keys, VertexId first, VertexId last, const KeyBits& bits,
                 PageEncoder& encoder, std::vector<EncodedPage>& pages) {
  std::vector<std::uint64_t> offsets(std::size_t{last} - first + 1, 0);
  std::vector<VertexId> neighbours(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ++offsets[bits.row(keys[i]) - first + 1];
    neighbours[i] = bits.neighbour(keys[i]);
  }
  for (std::size_t row = 1; row < offsets.size(); ++row) offsets[row] += offsets[row - 1];
  encoder.encode({.first_vertex = first, .offsets = offsets, .neighbours = neighbours.data()}, pages);
}

}  // namespace millrace
