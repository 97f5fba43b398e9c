// Triangles on a GPU: long lists, then short ones, each by kernels of their own.
#include "millrace/operators/triangles_cuda.cuh"

namespace millrace::cuda {

std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts,
                            std::uint64_t* progress, CudaDevice& device) {
  static_assert(sizeof(TriangleProgress) == triangle_progress * sizeof(std::uint64_t));
  device.set_bytes(progress, 0, sizeof(TriangleProgress));
  const TriangleWork work{.of = of,
                          .with = with,
                          .by_vertex = reinterpret_cast<unsigned long long*>(counts.by_vertex),
                          .ascending = counts.ascending,
                          .progress = reinterpret_cast<TriangleProgress*>(progress)};
  count_long_lists(work, counts.weighted, device);
  count_short_lists(work, counts.weighted, device);
  std::uint64_t triangles = 0;
  device.copy_to_host(&triangles, progress, sizeof triangles);
  return triangles;
}

}  // namespace millrace::cuda
