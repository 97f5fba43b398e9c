// Gathering lists of rows on a GPU: the kernels that do not depend on a program.
#pragma once

#include "millrace/operators/list_ranges.h"
#include "millrace/operators/pages_cuda.h"

struct CUstream_st;

namespace millrace::cuda {

// Lengths of lists, as the sum of one or two arrays.
struct ListLengths {
  const std::uint32_t* first = nullptr;
  const std::uint32_t* second = nullptr;  // null: only the first
  const std::uint32_t* wanted = nullptr;  // a bit per vertex that has a list; other lists are empty; null: all
  MILLRACE_HD std::uint64_t operator[](std::uint64_t v) const {
    if (wanted && !((wanted[v / 32] >> (v % 32)) & 1)) return 0;
    return std::uint64_t{first[v]} + (second ? second[v] : 0);
  }
};

// Sums the lengths over each list_block of the vertices [first, last).
void sum_list_lengths(const ListLengths& lengths, std::uint64_t first, std::uint64_t last, std::uint64_t* sums,
                      CUstream_st* stream);
// offset[i] = the sum of the lengths of the first i of these vertices, for 0 to all of them. `sums`: scratch, as above.
void make_list_offsets(const ListLengths& lengths, std::uint64_t first, std::uint64_t last, std::uint64_t* sums,
                       std::uint64_t* offset, CUstream_st* stream);
// The number of edges in each hub slice, by its number.
void measure_hubs(const PageSpan& span, std::uint32_t* hub_lengths, CUstream_st* stream);

}  // namespace millrace::cuda
