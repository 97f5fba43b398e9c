// Unpacking columns: the innermost loop of everything. One portable implementation and two vectorised ones,
// chosen once by what the CPU can do; all give the same values.
#pragma once

#include <cstdint>
#include <span>

namespace millrace {

// A walk down the gap columns of a slice: where it stands and the last neighbour of each lane.
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
  // Decodes the next `columns` columns into tile[columns][32] (64-byte aligned) and moves the walk on. Lanes past
  // their length receive meaningless ids.
  void (*neighbours)(ColumnWalk& walk, std::uint32_t columns, std::uint32_t* tile);
  // Walks all columns of a slice and sums values[neighbour] over each lane's first length[lane] of them, in order, into
  // sums[32]. Reads and decodes overlap, which a tile in between would hinder. Null where the CPU has no
  // gather instruction.
  void (*sum)(ColumnWalk& walk, std::uint32_t columns, const std::uint32_t* length, const float* values, float* sums);
};

// The fastest decoder this CPU runs.
const Decoder& best_decoder();

// All decoders this CPU runs, the portable one first.
std::span<const Decoder* const> available_decoders();

// Null where not compiled in or not supported by the CPU.
const Decoder* avx2_decoder();
const Decoder* avx512_decoder();

}  // namespace millrace
