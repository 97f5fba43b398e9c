// Makes pages from sorted keys, on the host.
#pragma once

#include <span>
#include <vector>

#include "millrace/build/keys.h"
#include "millrace/pages/encode.h"

namespace millrace {

// Appends the pages of the rows [first, last). `keys` are all their edges in one segment: ascending, and merged unless
// parallel edges are kept.
void encode_keys(std::span<const std::uint64_t> keys, VertexId first, VertexId last, const KeyBits& bits,
                 PageEncoder& encoder, std::vector<EncodedPage>& pages);

}  // namespace millrace
