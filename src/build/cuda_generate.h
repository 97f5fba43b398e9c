// Synthetic graphs on a GPU. Their edges are never stored: every pass makes them again, which is faster than reading
// them. Results are the same as those of generate.cpp and order.cpp, edge for edge.
#pragma once

#include <span>
#include <vector>

#include "millrace/build/generate.h"
#include "millrace/build/generate_edge.h"
#include "millrace/devices/cuda.h"

namespace millrace {

struct GeneratedEdges {
  GenerateOptions::Kind kind = GenerateOptions::Kind::rmat;  // or uniform
  std::uint32_t scale = 20;
  std::uint32_t edge_factor = 16;
  std::uint64_t seed = 1;

  MILLRACE_HD std::uint64_t num_vertices() const { return std::uint64_t{1} << scale; }
  MILLRACE_HD std::uint64_t num_edges() const { return num_vertices() * edge_factor; }
  MILLRACE_HD Edge edge(std::uint64_t index) const {
    const std::uint64_t stream = mix(seed * 2);
    return kind == GenerateOptions::Kind::rmat ? rmat_edge(stream, index, scale) : uniform_edge(stream, index, scale);
  }
};

// Whether a GPU can make such a graph: not grids, and no graph with weights.
inline bool generated_on_gpu(const GenerateOptions& options) {
  return options.kind != GenerateOptions::Kind::grid && !options.weights;
}
inline GeneratedEdges generated_edges(const GenerateOptions& options) {
  return {options.kind, options.scale, options.edge_factor, options.seed};
}

// Like Degrees, in the memory of the GPU.
struct CudaDegrees {
  CudaArray<std::uint32_t> out;
  CudaArray<std::uint32_t> in;  // empty if undirected
  std::uint64_t self_loops = 0;
};
CudaDegrees count_degrees(CudaDevice& device, const GeneratedEdges& edges, bool undirected);

// Ranks by falling total degree, equal degrees by vertex; and the vertex at each rank.
struct CudaOrder {
  CudaArray<VertexId> rank;
  CudaArray<VertexId> vertex_at;
};
CudaOrder rank_by_degree(CudaDevice& device, const CudaDegrees& degrees);

// values[vertex_at[place]] for every place: turns degrees by vertex into degrees by rank.
CudaArray<std::uint32_t> renumber(CudaDevice& device, const CudaArray<std::uint32_t>& values,
                                  const CudaArray<VertexId>& vertex_at);

// The keys (row << 32 | neighbour) of all edges whose row has its bit set in `member`, in any order; afterwards
// renumbered by `rank` (on the GPU; null: not renumbered). If undirected, both ends are rows.
std::vector<std::uint64_t> take_sample(CudaDevice& device, const GeneratedEdges& edges, bool undirected,
                                       std::span<const std::uint64_t> member, const VertexId* rank);

}  // namespace millrace
