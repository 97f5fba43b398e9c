// How much text is read at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

struct ReadBlocks {
  // Not explicit: most callers only have a size.
  ReadBlocks(std::size_t block_bytes = std::size_t{1} << 20, std::uint64_t most_memory = ~std::uint64_t{0})
      : bytes(block_bytes), memory(most_memory) {}

  std::size_t bytes;     // that a thread parses at a time, or fewer
  std::uint64_t memory;  // that all blocks and their rows may take, however many threads there are
};

}  // namespace millrace
