// Triangles on the cpu: the vertices in the list of u are marked in a bitmap, and the lists of its neighbours are
// scanned for marks; if such a list is much longer, the vertices of u's list are searched in it instead. Bound by these
// tests, or for short lists by the latency of finding them.
#pragma once

#include "millrace/core/progress.h"
#include "millrace/devices/cpu.h"
#include "millrace/operators/triangles.h"

namespace millrace {

// Two bits per vertex for each thread; zero between calls.
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

// Adds the triangles whose last vertex u has a list in `of` and whose vertex v has one in `with` (triangles.h); returns
// how many. Progress counts the values of the lists in `of`.
std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts,
                            TriangleMarks& marks, int threads, Progress* progress = nullptr);

// Each list has two ascending rows one after the other, the first of `first_length` values. Replaces them in place by
// their union: ascending, no value twice, and if weighted plus 1 for values in both rows.
void unite_lists(const Lists<std::uint32_t>& lists, const std::uint32_t* first_length, bool weighted,
                 std::uint32_t* length, int threads);

// degree[v] += the number of lists that v is in + the length of its own list.
void add_degrees(const NeighbourLists& of, bool weighted, std::uint32_t* degree, int threads);

}  // namespace millrace
