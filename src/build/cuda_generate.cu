#include <algorithm>
#include <bit>

#include "millrace/build/collect_cuda.cuh"
#include "millrace/build/cuda_generate.h"
#include "millrace/build/cuda_primitives.h"
#include "millrace/core/error.h"

namespace millrace {
namespace cuda {
namespace {

constexpr unsigned threads = 256;

unsigned blocks_for(const CudaDevice& device, std::uint64_t items) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(
      (items + threads - 1) / threads, 1, static_cast<std::uint64_t>(device.info().multiprocessors) * 32));
}

// Bound by the random atomics on counters, in L2 and memory. Hubs need no special treatment: the heaviest vertex of
// RMAT 30 has 0.03% of the edges, and additions to one counter take a clock each.
__global__ void count_degrees_kernel(GeneratedEdges edges, bool undirected, std::uint32_t* out, std::uint32_t* in,
                                     unsigned long long* self_loops) {
  const std::uint64_t count = edges.num_edges();
  unsigned long long loops = 0;
  for (std::uint64_t i = thread_number(); i < count; i += num_threads()) {
    const Edge edge = edges.edge(i);
    const bool loop = edge.source == edge.target;
    loops += loop;
    atomicAdd(&out[edge.source], 1u);
    if (!undirected)
      atomicAdd(&in[edge.target], 1u);
    else if (!loop)
      atomicAdd(&out[edge.target], 1u);
  }
  if (loops > 0) atomicAdd(self_loops, loops);
}

__device__ std::uint64_t total_degree(const std::uint32_t* out, const std::uint32_t* in, std::uint64_t v) {
  return std::uint64_t{out[v]} + (in ? in[v] : 0);
}

__global__ void highest_degree_kernel(const std::uint32_t* out, const std::uint32_t* in, std::uint64_t n,
                                      unsigned long long* highest) {
  unsigned long long mine = 0;
  for (std::uint64_t v = thread_number(); v < n; v += num_threads()) {
    const unsigned long long total = total_degree(out, in, v);
    mine = mine > total ? mine : total;
  }
  atomicMax(highest, mine);
}

// Sort keys that are larger for smaller degrees.
__global__ void degree_keys_kernel(const std::uint32_t* out, const std::uint32_t* in, std::uint64_t n,
                                   std::uint32_t highest, std::uint32_t* keys, VertexId* vertices) {
  for (std::uint64_t v = thread_number(); v < n; v += num_threads()) {
    keys[v] = highest - static_cast<std::uint32_t>(total_degree(out, in, v));
    vertices[v] = static_cast<VertexId>(v);
  }
}

__global__ void invert_kernel(const VertexId* vertex_at, std::uint64_t n, VertexId* rank) {
  for (std::uint64_t place = thread_number(); place < n; place += num_threads())
    rank[vertex_at[place]] = static_cast<VertexId>(place);
}

__global__ void gather_kernel(const std::uint32_t* values, const VertexId* vertex_at, std::uint64_t n,
                              std::uint32_t* gathered) {
  for (std::uint64_t place = thread_number(); place < n; place += num_threads())
    gathered[place] = values[vertex_at[place]];
}

// Edges with a row in the windows of a sample.
struct TakeSample {
  const std::uint64_t* member;
  const VertexId* rank;
  bool undirected;

  __device__ VertexId place(VertexId v) const { return rank ? rank[v] : v; }
  __device__ void take(VertexId row, VertexId neighbour, unsigned end, EdgeKeys& found) const {
    if (!((member[row / 64] >> (row % 64)) & 1)) return;
    found.key[end] = std::uint64_t{place(row)} << 32 | place(neighbour);
    found.taken[end] = true;
  }
  __device__ EdgeKeys operator()(const Edge& edge) const {
    EdgeKeys found{};
    take(edge.source, edge.target, 0, found);
    if (undirected) take(edge.target, edge.source, 1, found);
    return found;
  }
};

}  // namespace
}  // namespace cuda

CudaDegrees count_degrees(CudaDevice& device, const GeneratedEdges& edges, bool undirected) {
  device.select();
  CudaDegrees degrees;
  degrees.out = CudaArray<std::uint32_t>(device, edges.num_vertices(), "degrees");
  degrees.out.zero();
  if (!undirected) {
    degrees.in = CudaArray<std::uint32_t>(device, edges.num_vertices(), "degrees");
    degrees.in.zero();
  }
  CudaArray<unsigned long long> loops(device, 1, "a count");
  loops.zero();
  const unsigned blocks = cuda::blocks_for(device, edges.num_edges());
  cuda::count_degrees_kernel<<<blocks, cuda::threads, 0, device.main_stream()>>>(edges, undirected, degrees.out.data(),
                                                                                 degrees.in.data(), loops.data());
  MILLRACE_CUDA(cudaGetLastError());
  device.copy_to_host(&degrees.self_loops, loops.data(), loops.bytes());
  return degrees;
}

CudaOrder rank_by_degree(CudaDevice& device, const CudaDegrees& degrees) {
  device.select();
  const std::uint64_t n = degrees.out.size();
  const unsigned blocks = cuda::blocks_for(device, n);
  CudaArray<unsigned long long> found(device, 1, "a count");
  found.zero();
  cuda::highest_degree_kernel<<<blocks, cuda::threads, 0, device.main_stream()>>>(degrees.out.data(), degrees.in.data(),
                                                                                  n, found.data());
  MILLRACE_CUDA(cudaGetLastError());
  std::uint64_t highest = 0;
  device.copy_to_host(&highest, found.data(), found.bytes());
  if (highest > ~std::uint32_t{0})
    throw DoesNotFitError("a vertex has {} edges; on a GPU vertices with at most {} can be ordered by degree", highest,
                          ~std::uint32_t{0});

  CudaArray<std::uint32_t> keys(device, n, "vertex order"), other_keys(device, n, "vertex order");
  CudaArray<VertexId> vertices(device, n, "vertex order"), other_vertices(device, n, "vertex order");
  cuda::degree_keys_kernel<<<blocks, cuda::threads, 0, device.main_stream()>>>(
      degrees.out.data(), degrees.in.data(), n, static_cast<std::uint32_t>(highest), keys.data(), vertices.data());
  MILLRACE_CUDA(cudaGetLastError());
  cuda::Primitives::Pairs pairs{keys.data(), other_keys.data(), vertices.data(), other_vertices.data()};
  cuda::Primitives(device).sort_pairs(pairs, n, static_cast<std::uint32_t>(std::bit_width(highest | 1)));
  if (pairs.values != vertices.data()) vertices.swap(other_vertices);
  // The keys are not needed any more: their memory gets the ranks.
  cuda::invert_kernel<<<blocks, cuda::threads, 0, device.main_stream()>>>(vertices.data(), n, keys.data());
  MILLRACE_CUDA(cudaGetLastError());
  return {std::move(keys), std::move(vertices)};
}

CudaArray<std::uint32_t> renumber(CudaDevice& device, const CudaArray<std::uint32_t>& values,
                                  const CudaArray<VertexId>& vertex_at) {
  device.select();
  CudaArray<std::uint32_t> gathered(device, values.size(), "degrees");
  cuda::gather_kernel<<<cuda::blocks_for(device, values.size()), cuda::threads, 0, device.main_stream()>>>(
      values.data(), vertex_at.data(), values.size(), gathered.data());
  MILLRACE_CUDA(cudaGetLastError());
  return gathered;
}

std::vector<std::uint64_t> take_sample(CudaDevice& device, const GeneratedEdges& edges, bool undirected,
                                       std::span<const std::uint64_t> member, const VertexId* rank) {
  device.select();
  CudaArray<std::uint64_t> members(device, member.size(), "sample");
  device.copy_to_device(members.data(), member.data(), member.size_bytes());
  const cuda::TakeSample take{members.data(), rank, undirected};
  CudaArray<unsigned long long> cursor(device, 1, "a count");
  CudaArray<std::uint64_t> keys(device, std::uint64_t{1} << 20, "sample");
  // Tries again with more memory if there are more keys than fit.
  for (;;) {
    cursor.zero();
    cuda::collect(device, edges, take, keys.data(), keys.size(), cursor.data());
    std::uint64_t count = 0;
    device.copy_to_host(&count, cursor.data(), cursor.bytes());
    if (count > keys.size()) {
      keys = {};
      keys = CudaArray<std::uint64_t>(device, count, "sample");
      continue;
    }
    std::vector<std::uint64_t> sample(count);
    device.copy_to_host(sample.data(), keys.data(), count * sizeof(std::uint64_t));
    return sample;
  }
}

}  // namespace millrace
