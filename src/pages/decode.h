// Unpacking columns: the innermost loop of all operators. One portable implementation and two vectorised ones, chosen
// once by what the CPU supports; all give the same values.
#pragma once

#include <cstdint>
#include <span>

namespace millrace {

// The state of a walk down the gap columns of a slice: its position and the last neighbour of each lane.
struct ColumnWalk {
  const std::uint32_t* words;
  const std::uint8_t* widths;
  std::uint32_t step;  // added to every gap: 1, or 0 where parallel edges are kept
  alignas(64) std::uint32_t last[32];
};

struct Decoder {
  const char* name;
  // Unpacks one column of `width` bits into 32 values. May read (not use) 128 bytes past the column.
  void (*unpack)(const std::uint32_t* words, std::uint32_t width, std::uint32_t* values);
  // Decodes the next `columns` columns into tile[columns][32] (64-byte aligned) and advances the walk. Past the end of
  // a lane the ids are meaningless.
  void (*neighbours)(ColumnWalk& walk, std::uint32_t columns, std::uint32_t* tile);
  // Walks all columns of a slice; sums values[neighbour] over the first length[lane] neighbours of each lane, in order,
  // into sums[32]. Reads and decoding overlap; a tile in between would prevent that. Null if the CPU has no gather
  // instruction.
  void (*sum)(ColumnWalk& walk, std::uint32_t columns, const std::uint32_t* length, const float* values, float* sums);
};

// The fastest decoder this CPU runs, or the one that MILLRACE_DECODER names: "portable", "avx2" or "avx512". Throws
// UsageError if that is another name, or one that this CPU does not run.
const Decoder& chosen_decoder();

// All decoders this CPU runs, the portable one first.
std::span<const Decoder* const> available_decoders();

// Null if not compiled in or not supported by the CPU.
const Decoder* avx2_decoder();
const Decoder* avx512_decoder();

}  // namespace millrace
