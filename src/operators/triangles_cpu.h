// Triangles on the cpu: the list of u is marked in bits, and the lists of its neighbours are scanned against them.
// Bound by the looks at the bits, where lists are long, else by the way to the lists.
#pragma once

#include "millrace/devices/cpu.h"
#include "millrace/operators/triangles.h"

namespace millrace {

// Bits of marks that each thread needs, times two where edges have weights.
class TriangleMarks {
 public:
  TriangleMarks() = default;
  TriangleMarks(CpuDevice& device, std::uint64_t num_vertices, bool weighted);
  std::uint64_t* of_thread(int thread, bool both) { return bits_.data() + (2 * thread + both) * words_; }

 private:
  std::uint64_t words_ = 0;
  Array<std::uint64_t> bits_;
};

// Adds the triangles whose last vertex has a list in `of` and whose second has one in `with`; returns how many.
std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts,
                            TriangleMarks& marks, int threads);

// Lists of two rows one after the other, `first_length` in the first, each ascending, become their union: ascending,
// no vertex twice, and where weighted, 1 more if in both. Writes their lengths.
void unite_lists(const Lists<std::uint32_t>& lists, const std::uint32_t* first_length, bool weighted,
                 std::uint32_t* length, int threads);

// degree[v] += the lists that v is in, and the length of its own.
void add_degrees(const NeighbourLists& of, bool weighted, std::uint32_t* degree, int threads);

}  // namespace millrace
