// The loop that all parsers of lines share.
#pragma once

#include <algorithm>

#include "millrace/read/parse_line.h"
#include "millrace/read/read_rows.h"

namespace millrace {

// Parses lines one by one with parse_line(p, ids, weight), which returns a LineResult and moves p past the line unless
// it is malformed.
template <std::size_t ids_per_row, bool weighted, class ParseLine>
void parse_lines(TextBlock& block, OriginalId* ids, double* weights, ParseLine&& parse_line) {
  const char* p = block.text.data();
  const char* const end = p + block.text.size();
  for (; p < end; ++block.lines) {
    OriginalId row[ids_per_row];
    ReadWeight weight;
    const char* const line = p;
    const LineResult result = parse_line(p, row, &weight);
    if (result == LineResult::malformed) {
      block.malformed = p;
      return;
    }
    if (result == LineResult::nothing) continue;
    std::copy_n(row, ids_per_row, ids + block.rows * ids_per_row);
    if constexpr (weighted) {
      weights[block.rows] = weight.value;
      block.look_at(weight, line);
    }
    ++block.rows;
  }
}

}  // namespace millrace
