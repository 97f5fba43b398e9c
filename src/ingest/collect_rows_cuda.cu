#include "millrace/ingest/collect_cuda.cuh"
#include "millrace/ingest/collect_rows_cuda.h"

namespace millrace::cuda {
namespace {

// Most edges are outside of the range of rows: the neighbour is renumbered only once the row is known to be inside.
struct TakeRows {
  const VertexId* rank;
  VertexId first, last;
  std::uint32_t neighbour_bits;
  bool inward, both, keep_self_loops;

  __device__ VertexId place(VertexId v) const { return rank ? rank[v] : v; }
  __device__ void take(VertexId vertex, VertexId neighbour, unsigned end, EdgeKeys& found) const {
    const VertexId row = place(vertex);
    if (row < first || row >= last) return;
    found.key[end] = std::uint64_t{row} << neighbour_bits | place(neighbour);
    found.taken[end] = true;
  }
  __device__ EdgeKeys operator()(const Edge& edge) const {
    EdgeKeys found{};
    const bool loop = edge.source == edge.target;
    if (loop && !keep_self_loops) return found;
    if (inward)
      take(edge.target, edge.source, 0, found);
    else
      take(edge.source, edge.target, 0, found);
    if (both && !loop) take(edge.target, edge.source, 1, found);
    return found;
  }
};

}  // namespace

void collect_rows(const CudaDevice& device, const GeneratedEdges& edges, const GeneratedRows& rows,
                  const CudaBuildOptions& options, std::uint64_t* keys, std::uint64_t capacity,
                  unsigned long long* cursor) {
  const TakeRows take{.rank = rows.rank,
                      .first = rows.first,
                      .last = rows.last,
                      .neighbour_bits = options.neighbour_bits,
                      .inward = rows.orientation == Orientation::in && !rows.undirected,
                      .both = rows.undirected,
                      .keep_self_loops = options.keep_self_loops};
  collect(device, edges, take, keys, capacity, cursor);
}

}  // namespace millrace::cuda
