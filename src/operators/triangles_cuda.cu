// Triangles on a GPU. A vertex with a short list gets a warp: its lanes take all pairs of the list, and search for one
// vertex of a pair in the list of the later one. Bound by the latency of reaching these lists. A vertex with a long
// list gets a block: the list goes to a hash table in shared memory, and warps scan the lists of its members for values
// in it; if such a list is much longer, they search for the members in it instead. Bound by shared memory.
#include <algorithm>

#include "millrace/devices/cuda_check.h"
#include "millrace/operators/counts_cuda.cuh"
#include "millrace/operators/triangles_cuda.h"

namespace millrace::cuda {
namespace {

constexpr unsigned small_threads = 256, small_warps = small_threads / lanes;
constexpr unsigned large_threads = 512;
constexpr std::uint32_t most_small = 64;    // values in a short list
constexpr std::uint32_t most_slots = 8192;  // slots of a hash table, at most half of them used
constexpr std::uint32_t empty = ~0u;

// Counters from which kernels draw vertices, and the sum.
struct Progress {
  unsigned long long triangles;
  unsigned long long small_drawn, large_drawn;
};

struct Work {
  NeighbourLists of, with;
  unsigned long long* by_vertex;
  bool ascending;
  Progress* progress;

  __device__ bool has_list(VertexId v) const { return v - with.lists.first < with.lists.last - with.lists.first; }
};

// Searches for w in an ascending list that is not empty: returns its value, else that before it, else the first.
template <bool weighted>
__device__ std::uint32_t look_up(const std::uint32_t* list, std::uint32_t size, VertexId w) {
  while (size > 1) {
    const std::uint32_t half = size / 2;
    if ((list[half] >> weighted) <= w) list += half;
    size -= half;
  }
  return *list;
}

__device__ inline std::uint32_t pairs_before(std::uint32_t i) { return i * (i - 1) / 2; }

// The shared memory of a warp for a short list.
struct SmallList {
  const std::uint32_t* others[most_small];  // the lists of its values
  std::uint32_t other_sizes[most_small];
  std::uint32_t values[most_small];
  std::uint32_t counts[most_small];
};

template <bool by_vertex, bool weighted>
__device__ unsigned long long count_small(const Work& work, VertexId u, std::uint32_t size, SmallList& shared) {
  const std::uint32_t* const list = work.of.begin(u);
  std::uint32_t first = most_small, last = 0;  // the range of values that have a list
  for (std::uint32_t i = lane_id(); i < size; i += lanes) {
    const std::uint32_t value = list[i];
    const VertexId v = value >> weighted;
    shared.values[i] = value;
    shared.counts[i] = 0;
    shared.other_sizes[i] = 0;
    if (work.has_list(v)) {
      shared.others[i] = work.with.begin(v);
      shared.other_sizes[i] = work.with.size(v);
      first = min(first, i);
      last = max(last, i + 1);
    }
  }
  first = __reduce_min_sync(whole_warp, first);
  last = __reduce_max_sync(whole_warp, last);
  __syncwarp();
  unsigned long long found = 0;
  std::uint32_t to_u = 0;
  const std::uint32_t begin = work.ascending ? pairs_before(max(first, 1u)) : first * size;
  const std::uint32_t end = first >= last ? begin : work.ascending ? pairs_before(last) : last * size;
  for (std::uint32_t pair = begin + lane_id(); pair < end; pair += lanes) {
    std::uint32_t i, j;
    if (work.ascending) {
      i = static_cast<std::uint32_t>((1.0f + sqrtf(8.0f * static_cast<float>(pair) + 1.0f)) * 0.5f);
      while (pairs_before(i) > pair) --i;
      while (pairs_before(i + 1) <= pair) ++i;
      j = pair - pairs_before(i);
    } else {
      i = pair / size;
      j = pair % size;
    }
    if (shared.other_sizes[i] == 0) continue;
    const VertexId w = shared.values[j] >> weighted;
    const std::uint32_t value = look_up<weighted>(shared.others[i], shared.other_sizes[i], w);
    if (value >> weighted != w) continue;
    ++found;
    if constexpr (by_vertex) {
      to_u += weighted ? 1 + (value & 1) : 1;
      atomicAdd(&shared.counts[i], weighted ? 1 + (shared.values[j] & 1) : 1);
      atomicAdd(&shared.counts[j], weighted ? 1 + (shared.values[i] & 1) : 1);
    }
  }
  __syncwarp();
  if constexpr (by_vertex) {
    to_u = __reduce_add_sync(whole_warp, to_u);
    if (to_u > 0) {
      if (lane_id() == 0) atomicAdd(&work.by_vertex[u], static_cast<unsigned long long>(to_u));
      for (std::uint32_t i = lane_id(); i < size; i += lanes)
        if (shared.counts[i] > 0)
          atomicAdd(&work.by_vertex[shared.values[i] >> weighted], static_cast<unsigned long long>(shared.counts[i]));
    }
  }
  __syncwarp();
  return found;
}

// Warps draw 32 vertices at a time and take those with short lists.
template <bool by_vertex, bool weighted>
__global__ void __launch_bounds__(small_threads) small_kernel(Work work) {
  __shared__ SmallList shared[small_warps];
  const std::uint64_t count = work.of.lists.last - work.of.lists.first;
  unsigned long long found = 0;
  for (;;) {
    unsigned long long drawn = 0;
    if (lane_id() == 0) drawn = atomicAdd(&work.progress->small_drawn, static_cast<unsigned long long>(lanes));
    drawn = __shfl_sync(whole_warp, drawn, 0);
    if (drawn >= count) break;
    const std::uint64_t mine = drawn + lane_id();
    const auto u = static_cast<VertexId>(work.of.lists.first + mine);
    const std::uint32_t size = mine < count ? work.of.size(u) : 0;
    for (unsigned chosen = __ballot_sync(whole_warp, size >= 2 && size <= most_small); chosen != 0;
         chosen &= chosen - 1) {
      const int lane = __ffs(chosen) - 1;
      found += count_small<by_vertex, weighted>(work, __shfl_sync(whole_warp, u, lane),
                                                __shfl_sync(whole_warp, size, lane), shared[threadIdx.x / lanes]);
    }
  }
  found = warp_sum(found);
  if (lane_id() == 0 && found > 0) atomicAdd(&work.progress->triangles, found);
}

// A set of values in shared memory, and the count of triangles for each.
struct HashTable {
  std::uint32_t* slots;
  std::uint32_t* counts;  // null: not counted
  std::uint32_t shift, mask;

  // Room for `size` values, sparse enough that most searches end at the first slot.
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
  // The slot of a vertex, or the empty slot where its search ends.
  template <bool weighted>
  __device__ std::uint32_t find(VertexId v) const {
    std::uint32_t i = place(v);
    while (slots[i] != empty && slots[i] >> weighted != v) i = (i + 1) & mask;
    return i;
  }
};

// The counts of a warp for one v.
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
__device__ Found count_member(const Work& work, const std::uint32_t* list, std::uint32_t i, std::uint32_t first,
                              std::uint32_t last, const HashTable& table) {
  Found found;
  const VertexId v = list[i] >> weighted;
  const std::uint32_t candidates_end = work.ascending ? min(i, last) : last;
  if (!work.has_list(v) || candidates_end <= first) return found;
  const std::uint32_t* const other = work.with.begin(v);
  const std::uint32_t size = work.with.size(v);
  const std::uint32_t edge_uv = weighted ? 1 + (list[i] & 1) : 1;
  // In steps of a warp: a test of the table takes two or three, a search in a list more, with the bits of its size.
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

// All threads of a block must call it.
template <bool by_vertex, bool weighted>
__device__ unsigned long long count_large(const Work& work, VertexId u, std::uint32_t* memory,
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
    for (std::uint32_t i = first + threadIdx.x; i < last; i += large_threads)
      table.insert(list[i], list[i] >> weighted);
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
      for (std::uint32_t i = threadIdx.x; i <= table.mask; i += large_threads)
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
__global__ void __launch_bounds__(large_threads) large_kernel(Work work) {
  extern __shared__ std::uint32_t memory[];
  __shared__ unsigned long long drawn;
  __shared__ unsigned chosen;
  __shared__ std::uint32_t next_member;
  const std::uint64_t count = work.of.lists.last - work.of.lists.first;
  unsigned long long triangles = 0;
  for (;;) {
    if (threadIdx.x < lanes) {
      unsigned long long start = 0;
      if (lane_id() == 0) start = atomicAdd(&work.progress->large_drawn, static_cast<unsigned long long>(lanes));
      start = __shfl_sync(whole_warp, start, 0);
      const std::uint64_t mine = start + lane_id();
      const bool large = mine < count && work.of.size(static_cast<VertexId>(work.of.lists.first + mine)) > most_small;
      const unsigned ballot = __ballot_sync(whole_warp, large);
      if (lane_id() == 0) drawn = start, chosen = ballot;
    }
    __syncthreads();
    const std::uint64_t start = drawn;
    unsigned rest = chosen;
    __syncthreads();  // before the next draw overwrites them
    if (start >= count) break;
    for (; rest != 0; rest &= rest - 1)
      triangles += count_large<by_vertex, weighted>(
          work, static_cast<VertexId>(work.of.lists.first + start + __ffs(rest) - 1), memory, next_member);
  }
  triangles = warp_sum(triangles);
  if (lane_id() == 0 && triangles > 0) atomicAdd(&work.progress->triangles, triangles);
}

template <class Kernel>
unsigned resident_blocks(Kernel kernel, unsigned threads, std::size_t shared_bytes, const CudaDevice& device) {
  int blocks = 0;  // per multiprocessor
  MILLRACE_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), shared_bytes));
  return static_cast<unsigned>(std::max(1, blocks) * device.info().multiprocessors);
}

template <bool by_vertex, bool weighted>
void launch(const Work& work, const CudaDevice& device) {
  constexpr std::size_t shared_bytes = most_slots * sizeof(std::uint32_t) * (by_vertex ? 2 : 1);
  const auto large = large_kernel<by_vertex, weighted>;
  const auto small = small_kernel<by_vertex, weighted>;
  MILLRACE_CUDA(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  large<<<resident_blocks(large, large_threads, shared_bytes, device), large_threads, shared_bytes,
          device.main_stream()>>>(work);
  MILLRACE_CUDA(cudaGetLastError());
  small<<<resident_blocks(small, small_threads, 0, device), small_threads, 0, device.main_stream()>>>(work);
  MILLRACE_CUDA(cudaGetLastError());
}

// How many values of the ascending `list` are below v; with `equal`, below or equal.
__device__ inline std::uint32_t values_below(const std::uint32_t* list, std::uint32_t size, std::uint32_t v,
                                             bool equal) {
  std::uint32_t low = 0;
  while (low < size) {
    const std::uint32_t middle = (low + size) / 2;
    if (list[middle] < v || (equal && list[middle] == v))
      low = middle + 1;
    else
      size = middle;
  }
  return low;
}

// A warp merges the two rows of a list. If weighted, values are even, and those of the second row become odd.
__global__ void __launch_bounds__(block_threads)
    merge_kernel(Lists<std::uint32_t> lists, const std::uint32_t* first_length, bool weighted, std::uint32_t* merged) {
  const std::uint64_t count = lists.last - lists.first;
  for (std::uint64_t i = thread_number() / lanes; i < count; i += num_threads() / lanes) {
    const std::uint64_t offset = lists.offset[i];
    const auto size = static_cast<std::uint32_t>(lists.offset[i + 1] - offset);
    const std::uint32_t first_size = first_length[lists.first + i];
    const std::uint32_t* const first = lists.values + offset;
    const std::uint32_t* const second = first + first_size;
    for (std::uint32_t j = lane_id(); j < first_size; j += lanes)
      merged[offset + j + values_below(second, size - first_size, first[j], false)] = first[j];
    for (std::uint32_t j = lane_id(); j < size - first_size; j += lanes)
      merged[offset + j + values_below(first, first_size, second[j], true)] = second[j] + weighted;
  }
}

// A warp copies each value of a merged list once.
__global__ void __launch_bounds__(block_threads)
    unique_kernel(Lists<std::uint32_t> lists, const std::uint32_t* merged, bool weighted, std::uint32_t* length) {
  const std::uint64_t count = lists.last - lists.first;
  for (std::uint64_t i = thread_number() / lanes; i < count; i += num_threads() / lanes) {
    const std::uint64_t offset = lists.offset[i];
    const auto size = static_cast<std::uint32_t>(lists.offset[i + 1] - offset);
    const std::uint32_t* const list = merged + offset;
    std::uint32_t taken = 0;
    for (std::uint32_t block = 0; block < size; block += lanes) {
      const std::uint32_t j = block + lane_id();
      std::uint32_t value = j < size ? list[j] : 0;
      const bool takes = j < size && (j == 0 || list[j - 1] >> weighted != value >> weighted);
      if (takes && weighted) {
        // Of equal values those of the first row come first: the value is in both rows if they begin even and end odd.
        std::uint32_t k = j;
        while (k + 1 < size && list[k + 1] >> 1 == value >> 1) ++k;
        value = (value & ~1u) + ((value & 1) == 0 && (list[k] & 1) == 1);
      }
      const unsigned takers = __ballot_sync(whole_warp, takes);
      if (takes) lists.values[offset + taken + __popc(takers & ((1u << lane_id()) - 1))] = value;
      taken += __popc(takers);
    }
    if (lane_id() == 0) length[lists.first + i] = taken;
  }
}

__global__ void __launch_bounds__(block_threads)
    degrees_kernel(NeighbourLists of, bool weighted, std::uint32_t* degree) {
  const std::uint64_t count = of.lists.last - of.lists.first;
  for (std::uint64_t i = thread_number() / lanes; i < count; i += num_threads() / lanes) {
    const auto u = static_cast<VertexId>(of.lists.first + i);
    const std::uint32_t* const list = of.begin(u);
    const std::uint32_t size = of.size(u);
    for (std::uint32_t j = lane_id(); j < size; j += lanes) atomicAdd(&degree[list[j] >> weighted], 1u);
    if (lane_id() == 0) atomicAdd(&degree[u], size);
  }
}

unsigned blocks_of_warps(std::uint64_t warps) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>((warps + warps_per_block - 1) / warps_per_block, 1, 1u << 16));
}

}  // namespace

void unite_lists(const Lists<std::uint32_t>& lists, const std::uint32_t* first_length, bool weighted,
                 std::uint32_t* scratch, std::uint32_t* length, CudaDevice& device) {
  const unsigned blocks = blocks_of_warps(lists.last - lists.first);
  merge_kernel<<<blocks, block_threads, 0, device.main_stream()>>>(lists, first_length, weighted, scratch);
  unique_kernel<<<blocks, block_threads, 0, device.main_stream()>>>(lists, scratch, weighted, length);
  MILLRACE_CUDA(cudaGetLastError());
}

std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts,
                            std::uint64_t* progress, CudaDevice& device) {
  static_assert(sizeof(Progress) == triangle_progress * sizeof(std::uint64_t));
  device.set_bytes(progress, 0, sizeof(Progress));
  const Work work{of, with, reinterpret_cast<unsigned long long*>(counts.by_vertex), counts.ascending,
                  reinterpret_cast<Progress*>(progress)};
  if (!counts.by_vertex)
    launch<false, false>(work, device);
  else if (counts.weighted)
    launch<true, true>(work, device);
  else
    launch<true, false>(work, device);
  std::uint64_t triangles = 0;
  device.copy_to_host(&triangles, progress, sizeof triangles);
  return triangles;
}

void add_degrees(const NeighbourLists& of, bool weighted, std::uint32_t* degree, CudaDevice& device) {
  degrees_kernel<<<blocks_of_warps(of.lists.last - of.lists.first), block_threads, 0, device.main_stream()>>>(
      of, weighted, degree);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
