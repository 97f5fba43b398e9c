// Makes pages from sorted keys (row << neighbour_bits | neighbour), on the host.
#pragma once

#include <span>
#include <vector>

#include "millrace/pages/encode.h"

namespace millrace {

// Appends the pages of the rows [first, last). `keys` are all their edges: ascending, and merged unless parallel edges
// are kept.
void encode_keys(std::span<const std::uint64_t> keys, VertexId first, VertexId last, std::uint32_t neighbour_bits,
                 PageEncoder& encoder, std::vector<EncodedPage>& pages);

}  // namespace millrace
