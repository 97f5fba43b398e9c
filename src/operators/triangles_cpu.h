// Triangles on the cpu: the list of u is marked in bits, and the lists of its neighbours are scanned against them;
// where these are much longer, it is looked up in them. Bound by the looks, or where lists are short by the way to
// them.
#pragma once

#include "millrace/core/progress.h"
#include "millrace/devices/cpu.h"
#include "millrace/operators/triangles.h"

namespace millrace {

// For each thread two bits per vertex: zero between calls.
class TriangleMarks {
 public:
  TriangleMarks(CpuDevice& device, std::uint64_t num_vertices);
  std::uint64_t* of_thread(int thread, bool second) {
    return bits_.data() + (2 * static_cast<std::uint64_t>(thread) + second) * words_;
  }

 private:
  std::uint64_t words_;
  Array<std::uint64_t> bits_;
};

// Adds the triangles whose last vertex has a list in `of` and whose second has one in `with`; returns how many.
// Progress is by values of the lists in `of`.
std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts,
                            TriangleMarks& marks, int threads, Progress* progress = nullptr);

// Lists of two rows one after the other, `first_length` values in the first, each ascending, become their union:
// ascending, none twice, and where weighted 1 more if in both. In place.
void unite_lists(const Lists<std::uint32_t>& lists, const std::uint32_t* first_length, bool weighted,
                 std::uint32_t* length, int threads);

// degree[v] += the lists that v is in, and the length of its own.
void add_degrees(const NeighbourLists& of, bool weighted, std::uint32_t* degree, int threads);

}  // namespace millrace
