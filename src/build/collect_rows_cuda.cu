#include "millrace/build/collect_cuda.cuh"
#include "millrace/build/collect_rows_cuda.h"

namespace millrace::cuda {
namespace {

// Most edges are outside of the range of rows: the neighbour is renumbered only once the row is known to be inside.
struct TakeRows {
  const VertexId* rank;
  std::uint64_t first, last;
  KeyBits bits;
  bool inward, both, keep_self_loops, one_segment;

  __device__ VertexId place(VertexId v) const { return rank ? rank[v] : v; }
  __device__ void take(VertexId vertex, VertexId neighbour, unsigned end, EdgeKeys& found) const {
    const VertexId row = place(vertex);
    // Without segments a row key is the row.
    if (one_segment && (row < first || row >= last)) return;
    const std::uint64_t key = bits.key(row, place(neighbour)), row_key = bits.row_key(key);
    if (row_key < first || row_key >= last) return;
    found.key[end] = key;
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

__global__ void __launch_bounds__(collect_threads)
    count_blocks_kernel(GeneratedEdges edges, TakeRows take, BlockFinder block_of, std::uint64_t num_blocks,
                        unsigned long long* counts) {
  const std::uint64_t count = edges.num_edges();
  for (std::uint64_t i = thread_number(); i < count; i += num_threads()) {
    const EdgeKeys found = take(edges.edge(i));
#pragma unroll
    for (unsigned end = 0; end < 2; ++end) {
      if (!found.taken[end]) continue;
      const std::uint64_t row_key = take.bits.row_key(found.key[end]);
      const std::uint64_t block = block_of(take.bits.row_of(row_key));
      atomicAdd(&counts[take.bits.segment_of(row_key) * num_blocks + block], 1ull);
    }
  }
}

TakeRows rows_to_take(const GeneratedRows& rows, const KeyBits& bits, bool keep_self_loops) {
  return {.rank = rows.rank,
          .first = rows.first,
          .last = rows.last,
          .bits = bits,
          .inward = rows.orientation == Orientation::in && !rows.undirected,
          .both = rows.undirected,
          .keep_self_loops = keep_self_loops,
          .one_segment = bits.num_segments() == 1};
}

}  // namespace

void collect_rows(const CudaDevice& device, const GeneratedEdges& edges, const GeneratedRows& rows,
                  const CudaBuildOptions& options, std::uint64_t* keys, std::uint64_t capacity,
                  unsigned long long* cursor) {
  const TakeRows take = rows_to_take(rows, options.bits, options.keep_self_loops);
  collect(device, edges, take, keys, capacity, cursor);
}

void count_blocks(const CudaDevice& device, const GeneratedEdges& edges, const GeneratedRows& rows,
                  bool keep_self_loops, const BlockFinder& block_of, const KeyBits& bits, std::uint64_t num_blocks,
                  unsigned long long* counts) {
  const unsigned blocks = collect_blocks(device, edges.num_edges());
  count_blocks_kernel<<<blocks, collect_threads, 0, device.main_stream()>>>(
      edges, rows_to_take(rows, bits, keep_self_loops), block_of, num_blocks, counts);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
