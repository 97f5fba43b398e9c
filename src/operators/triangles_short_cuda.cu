// Triangles of vertices with a short list, on a GPU. Each has a warp: all pairs in the list are dealt to its lanes, and
// each is looked up in the list of its later vertex. Bound by the way to these lists.
#include "millrace/operators/triangles_cuda.cuh"

namespace millrace::cuda {
namespace {

constexpr unsigned short_threads = 256, short_warps = short_threads / lanes;

__device__ inline std::uint32_t pairs_before(std::uint32_t i) { return i * (i - 1) / 2; }

// One warp's memory for a short list.
struct ShortList {
  const std::uint32_t* others[most_short];  // the lists of its values
  std::uint32_t other_sizes[most_short];
  std::uint32_t values[most_short];
  std::uint32_t counts[most_short];
};

template <bool by_vertex, bool weighted>
__device__ unsigned long long count_short(const TriangleWork& work, VertexId u, std::uint32_t size, ShortList& shared) {
  const std::uint32_t* const list = work.of.begin(u);
  std::uint32_t first = most_short, last = 0;  // values that have a list
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
__global__ void __launch_bounds__(short_threads) short_kernel(TriangleWork work) {
  __shared__ ShortList shared[short_warps];
  const std::uint64_t count = work.of.lists.last - work.of.lists.first;
  unsigned long long found = 0;
  for (;;) {
    unsigned long long drawn = 0;
    if (lane_id() == 0) drawn = atomicAdd(&work.progress->short_drawn, static_cast<unsigned long long>(lanes));
    drawn = __shfl_sync(whole_warp, drawn, 0);
    if (drawn >= count) break;
    const std::uint64_t mine = drawn + lane_id();
    const auto u = static_cast<VertexId>(work.of.lists.first + mine);
    const std::uint32_t size = mine < count ? work.of.size(u) : 0;
    for (unsigned chosen = __ballot_sync(whole_warp, size >= 2 && size <= most_short); chosen != 0;
         chosen &= chosen - 1) {
      const int lane = __ffs(chosen) - 1;
      found += count_short<by_vertex, weighted>(work, __shfl_sync(whole_warp, u, lane),
                                                __shfl_sync(whole_warp, size, lane), shared[threadIdx.x / lanes]);
    }
  }
  found = warp_sum(found);
  if (lane_id() == 0 && found > 0) atomicAdd(&work.progress->triangles, found);
}

}  // namespace

void count_short_lists(const TriangleWork& work, bool weighted, const CudaDevice& device) {
  const auto kernel = !work.by_vertex ? short_kernel<false, false>
                      : weighted      ? short_kernel<true, true>
                                      : short_kernel<true, false>;
  kernel<<<resident_blocks(kernel, short_threads, 0, device), short_threads, 0, device.main_stream()>>>(work);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
