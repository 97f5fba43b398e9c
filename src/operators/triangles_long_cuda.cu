// Triangles of vertices with a long list, on a GPU. Each has a block: the list is put into a hash table in shared
// memory, and warps scan the lists of its members against that; where such a list is much longer, they look members up
// in it instead. Bound by shared memory.
#include "millrace/operators/triangles_cuda.cuh"

namespace millrace::cuda {
namespace {

constexpr unsigned long_threads = 512;
constexpr std::uint32_t most_slots = 8192;  // of a hash table, at most half of them used
constexpr std::uint32_t empty = ~0u;

// A set of values in shared memory, and what triangles add to each.
struct HashTable {
  std::uint32_t* slots;
  std::uint32_t* counts;  // null: not counted
  std::uint32_t shift, mask;

  // Room for `size` values, sparse enough for most looks to end at once.
  __device__ HashTable(std::uint32_t* memory, bool counted, std::uint32_t size)
      : slots(memory), counts(counted ? memory + most_slots : nullptr) {
    const std::uint32_t bits = max(8, min(13, 34 - __clz(size)));
    static_assert(most_slots == 1u << 13);
    shift = 32 - bits;
    mask = (1u << bits) - 1;
  }
  __device__ std::uint32_t place(VertexId v) const { return (v * 2654435769u) >> shift; }
  __device__ void clear() const {
    for (std::uint32_t i = threadIdx.x; i <= mask; i += blockDim.x) {
      slots[i] = empty;
      if (counts) counts[i] = 0;
    }
  }
  __device__ void insert(std::uint32_t value, VertexId v) const {
    for (std::uint32_t i = place(v); atomicCAS(&slots[i], empty, value) != empty; i = (i + 1) & mask) {
    }
  }
  // The slot of a vertex, or an empty one.
  template <bool weighted>
  __device__ std::uint32_t find(VertexId v) const {
    std::uint32_t i = place(v);
    while (slots[i] != empty && slots[i] >> weighted != v) i = (i + 1) & mask;
    return i;
  }
};

// What a warp found for one v.
struct Found {
  std::uint32_t triangles = 0, to_u = 0, to_v = 0;
};

template <bool by_vertex, bool weighted>
__device__ void add_found(const HashTable& table, std::uint32_t slot, std::uint32_t edge_uv, std::uint32_t edge_vw,
                          Found& found) {
  ++found.triangles;
  if constexpr (by_vertex) {
    found.to_u += edge_vw;
    found.to_v += weighted ? 1 + (table.slots[slot] & 1) : 1;
    atomicAdd(&table.counts[slot], edge_uv);
  }
}

// A warp takes v = list[i]; the table has the values [first, last) of the list.
template <bool by_vertex, bool weighted>
__device__ Found count_member(const TriangleWork& work, const std::uint32_t* list, std::uint32_t i, std::uint32_t first,
                              std::uint32_t last, const HashTable& table) {
  Found found;
  const VertexId v = list[i] >> weighted;
  const std::uint32_t candidates_end = work.ascending ? min(i, last) : last;
  if (!work.has_list(v) || candidates_end <= first) return found;
  const std::uint32_t* const other = work.with.begin(v);
  const std::uint32_t size = work.with.size(v);
  const std::uint32_t edge_uv = weighted ? 1 + (list[i] & 1) : 1;
  // In steps of a warp: a look at the table takes two or three, one into the list some more for each of its bits.
  constexpr std::uint32_t scan_cost = 3, search_cost = 2;
  const std::uint32_t scan = (size + lanes - 1) / lanes * scan_cost;
  const std::uint32_t search =
      (candidates_end - first + lanes - 1) / lanes * search_cost * static_cast<std::uint32_t>(34 - __clz(size));
  if (scan <= search) {
    for (std::uint32_t j = lane_id(); j < size; j += lanes) {
      const std::uint32_t value = other[j];
      const std::uint32_t slot = table.find<weighted>(value >> weighted);
      if (table.slots[slot] != empty)
        add_found<by_vertex, weighted>(table, slot, edge_uv, weighted ? 1 + (value & 1) : 1, found);
    }
  } else {
    for (std::uint32_t j = first + lane_id(); j < candidates_end; j += lanes) {
      const VertexId w = list[j] >> weighted;
      const std::uint32_t value = look_up<weighted>(other, size, w);
      if (value >> weighted == w)
        add_found<by_vertex, weighted>(table, by_vertex ? table.find<weighted>(w) : 0, edge_uv,
                                       weighted ? 1 + (value & 1) : 1, found);
    }
  }
  return found;
}

// All threads of a block call it together.
template <bool by_vertex, bool weighted>
__device__ unsigned long long count_long(const TriangleWork& work, VertexId u, std::uint32_t* memory,
                                         std::uint32_t& next_member) {
  const std::uint32_t* const list = work.of.begin(u);
  const std::uint32_t size = work.of.size(u);
  unsigned long long triangles = 0, to_u = 0;
  for (std::uint32_t first = 0; first < size; first += most_slots / 2) {
    const std::uint32_t last = min(size, first + most_slots / 2);
    const HashTable table(memory, by_vertex, last - first);
    table.clear();
    if (threadIdx.x == 0) next_member = 0;
    __syncthreads();
    for (std::uint32_t i = first + threadIdx.x; i < last; i += long_threads) table.insert(list[i], list[i] >> weighted);
    __syncthreads();
    for (;;) {
      std::uint32_t i = 0;
      if (lane_id() == 0) i = atomicAdd(&next_member, 1u);
      i = __shfl_sync(whole_warp, i, 0);
      if (i >= size) break;
      const Found found = count_member<by_vertex, weighted>(work, list, i, first, last, table);
      triangles += found.triangles;
      if constexpr (by_vertex) {
        to_u += found.to_u;
        const std::uint32_t to_v = __reduce_add_sync(whole_warp, found.to_v);
        if (lane_id() == 0 && to_v > 0)
          atomicAdd(&work.by_vertex[list[i] >> weighted], static_cast<unsigned long long>(to_v));
      }
    }
    __syncthreads();
    if constexpr (by_vertex) {
      for (std::uint32_t i = threadIdx.x; i <= table.mask; i += long_threads)
        if (table.counts[i] > 0)
          atomicAdd(&work.by_vertex[table.slots[i] >> weighted], static_cast<unsigned long long>(table.counts[i]));
      __syncthreads();
    }
  }
  if constexpr (by_vertex) {
    to_u = warp_sum(to_u);
    if (lane_id() == 0 && to_u > 0) atomicAdd(&work.by_vertex[u], to_u);
  }
  return triangles;
}

// Blocks draw 32 vertices at a time and take those with long lists.
template <bool by_vertex, bool weighted>
__global__ void __launch_bounds__(long_threads) long_kernel(TriangleWork work) {
  extern __shared__ std::uint32_t memory[];
  __shared__ unsigned long long drawn;
  __shared__ unsigned chosen;
  __shared__ std::uint32_t next_member;
  const std::uint64_t count = work.of.lists.last - work.of.lists.first;
  unsigned long long triangles = 0;
  for (;;) {
    if (threadIdx.x < lanes) {
      unsigned long long start = 0;
      if (lane_id() == 0) start = atomicAdd(&work.progress->long_drawn, static_cast<unsigned long long>(lanes));
      start = __shfl_sync(whole_warp, start, 0);
      const std::uint64_t mine = start + lane_id();
      const bool is_long = mine < count && work.of.size(static_cast<VertexId>(work.of.lists.first + mine)) > most_short;
      const unsigned ballot = __ballot_sync(whole_warp, is_long);
      if (lane_id() == 0) drawn = start, chosen = ballot;
    }
    __syncthreads();
    const std::uint64_t start = drawn;
    unsigned rest = chosen;
    __syncthreads();  // before they are drawn anew
    if (start >= count) break;
    for (; rest != 0; rest &= rest - 1)
      triangles += count_long<by_vertex, weighted>(
          work, static_cast<VertexId>(work.of.lists.first + start + __ffs(rest) - 1), memory, next_member);
  }
  triangles = warp_sum(triangles);
  if (lane_id() == 0 && triangles > 0) atomicAdd(&work.progress->triangles, triangles);
}

}  // namespace

void count_long_lists(const TriangleWork& work, bool weighted, const CudaDevice& device) {
  const std::size_t shared_bytes = most_slots * sizeof(std::uint32_t) * (work.by_vertex ? 2 : 1);
  const auto kernel = !work.by_vertex ? long_kernel<false, false>
                      : weighted      ? long_kernel<true, true>
                                      : long_kernel<true, false>;
  MILLRACE_CUDA(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)));
  kernel<<<resident_blocks(kernel, long_threads, shared_bytes, device), long_threads, shared_bytes,
           device.main_stream()>>>(work);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
