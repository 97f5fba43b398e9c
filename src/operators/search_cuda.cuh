// edge_map by pulling on a GPU if the first active source is taken (First): rows are searched until one is found.
// Hardly any of the topology is read, so this is bound by chains of dependent reads. Therefore many warps run until all
// is done, each with several slices at once.
//   If few rows still want a message, they are collected and walked alone: search_few_kernel.
// Only nvcc reads this.
#pragma once

#include "millrace/operators/pull_cuda.cuh"
#include "millrace/operators/row_cuda.cuh"

namespace millrace::cuda {

// The counts of a thread, in as few registers as possible.
struct SearchCounts {
  std::uint32_t edges = 0, bytes = 0, joined = 0, open_rows = 0, open_edges = 0;
  std::uint64_t joined_edges = 0;
  __device__ operator PassCounts() const { return {edges, bytes, joined, joined_edges, open_rows, open_edges}; }
};

// Finds the first active source of each lane that wants a message. In a hub slice all lanes are one row: once a lane
// has found one, later lanes are dropped.
template <class Program, class Active>
__device__ inline bool search(WarpSlice& slice, bool wanted, bool hub, const Active& active, std::uint32_t by_twos,
                              Pending<Program>& gathered, SearchCounts& counts) {
  bool open = wanted && slice.length > 0;
  bool found = false;
  WarpWeights<NoWeight> weightless;
  walk_columns<true>(
      slice, weightless,
      [&]<std::size_t count>(std::uint32_t column, const std::uint32_t(&neighbour)[count], const NoWeight(&)[count]) {
        bool hit[count];
#pragma unroll
        for (std::uint32_t i = 0; i < count; ++i) {
          // No branch between the tests, so that they overlap.
          const bool there = open & (column + i < slice.length);
          hit[i] = there & active(there ? neighbour[i] : 0);
        }
#pragma unroll
        for (std::uint32_t i = count; i-- > 0;) {
          if (hit[i]) {
            found = true;
            gathered = neighbour[i];
          }
        }
        if (open) counts.edges += min(static_cast<std::uint32_t>(count), slice.length - column);
        open = open && !found && column + count < slice.length;
        if (hub) {
          const unsigned finders = __ballot_sync(whole_warp, found);
          if (finders != 0 && lane_id() > static_cast<std::uint32_t>(__ffs(finders) - 1)) open = false;
        }
        return __any_sync(whole_warp, open) != 0;
      },
      by_twos);
  return found;
}

// How many slices a warp opens together: half a work block.
inline constexpr std::uint32_t slices_at_once = warps_per_block / 2;

// Selects one of a few values in registers.
template <class T>
__device__ inline T pick(const T (&values)[slices_at_once], std::uint32_t k) {
  T value = values[0];
#pragma unroll
  for (std::uint32_t i = 1; i < slices_at_once; ++i)
    if (k == i) value = values[i];
  return value;
}

template <class Program, class Active>
__global__ void __launch_bounds__(block_threads, 4)
    search_kernel(PageSpan span, Program program, Active active, PullOutput output) {
  SearchCounts counts;
  const std::uint32_t warps = gridDim.x * warps_per_block;
  for (std::uint32_t i = blockIdx.x * warps_per_block + threadIdx.x / lanes; i < 2 * span.num_blocks; i += warps) {
    const WorkBlock work = span.blocks[i / 2];
    const std::uint32_t first = work.first_slice + i % 2 * slices_at_once;
    const std::byte* const page = span.base + work.offset;
    const PageHeader& header = *reinterpret_cast<const PageHeader*>(page);
    const std::uint32_t num_slices = header.slices;
    if (first >= num_slices) continue;
    // First headers, then vertices and lengths, then wants(): the reads of all slices overlap.
    VertexId vertex[slices_at_once];
    std::uint32_t length[slices_at_once];  // and the width of a column in the highest bits, to save registers
    constexpr std::uint32_t length_bits = 24, length_mask = (1u << length_bits) - 1;
    {
      SliceHeader slice[slices_at_once];
      std::uint32_t widths[slices_at_once];
#pragma unroll
      for (std::uint32_t k = 0; k < slices_at_once; ++k)
        slice[k] = read_header(slice_headers(page) + min(first + k, num_slices - 1));
#pragma unroll
      for (std::uint32_t k = 0; k < slices_at_once; ++k) {
        const std::uint32_t* const start = slice_words(page, num_slices, slice[k]);
        const std::uint32_t* const words = start + width_words(slice[k].columns);
        widths[k] = read_widths(reinterpret_cast<const std::uint8_t*>(start), 0, slice[k].columns, streaming_policy());
        vertex[k] = lane_id() < slice[k].slot_bits ? words[lane_id()] : 0;
        length[k] = lane_id() < slice[k].length_bits ? words[slice[k].slot_bits + lane_id()] : 0;
      }
#pragma unroll
      for (std::uint32_t k = 0; k < slices_at_once; ++k) {
        vertex[k] = header.first_vertex + slice[k].first_slot + column_value(vertex[k], slice[k].slot_bits);
        length[k] = (slice[k].columns - column_value(length[k], slice[k].length_bits)) | (widths[k] << length_bits);
      }
    }
    unsigned wanting = 0;  // a bit for each slice: whether this lane's row wants a message
#pragma unroll
    for (std::uint32_t k = 0; k < slices_at_once; ++k)
      if (first + k < num_slices && (length[k] & length_mask) > 0 && wants(program, vertex[k])) wanting |= 1u << k;
    const unsigned any_wanting = __reduce_or_sync(whole_warp, wanting);
#pragma unroll 1
    for (std::uint32_t k = 0; k < slices_at_once && first + k < num_slices; ++k) {
      const SliceHeader slice = read_header(slice_headers(page) + first + k);
      const std::uint32_t* const start = slice_words(page, num_slices, slice);
      WarpSlice open{.vertex = pick(vertex, k),
                     .length = pick(length, k) & length_mask,
                     .columns = slice.columns,
                     .last = slice.first_neighbour - span.step,
                     .step = span.step,
                     .widths = reinterpret_cast<const std::uint8_t*>(start),
                     .first_widths = pick(length, k) >> length_bits,
                     .words = start + width_words(slice.columns) + slice.slot_bits + slice.length_bits,
                     .policy = streaming_policy()};
      if ((any_wanting >> k) & 1) {
        const bool wanted = (wanting >> k) & 1;
        const bool hub = first + k < header.hub_slices;
        Pending<Program> gathered = nothing_pending<Program>();
        const bool found = search<Program>(open, wanted, hub, active, output.by_twos, gathered, counts);
        if (hub) {
          finish_hub(program, page, header, span.spots[work.page], first + k, open.vertex, found, gathered, output,
                     counts);
          if (output.counts_open && !__any_sync(whole_warp, found)) {
            counts.open_rows += lane_id() == 0;
            counts.open_edges += open.length;
          }
        } else if (found) {
          deliver_to(program, open.vertex, gathered, open.length, output, counts);
        } else if (wanted && output.counts_open) {
          ++counts.open_rows, counts.open_edges += open.length;
        }
      }
      if (lane_id() == 0) counts.bytes += static_cast<std::uint32_t>(sizeof(SliceHeader) + (open.words - start) * 4);
    }
  }
  add_counts(output.counts, counts);
}

// The first active source of a row, searched by all lanes of a warp; no_vertex if there is none.
template <class Active>
__device__ inline VertexId search_together(const PageSpan& pages, std::uint32_t page, std::uint32_t place,
                                           const Active& active, SearchCounts& counts) {
  VertexId first = no_vertex;
  walk_together(open_row(pages, page, place), RowWeights<NoWeight>(), pages.step,
                [&](std::uint32_t some, const VertexId(&neighbour)[4], const NoWeight(&)[4]) {
                  VertexId mine = no_vertex;
#pragma unroll
                  for (int i = 3; i >= 0; --i)
                    if (((some >> i) & 1) & active((some >> i) & 1 ? neighbour[i] : 0)) mine = neighbour[i];
                  counts.edges += __popc(some);
                  first = __reduce_min_sync(whole_warp, mine);
                  return first == no_vertex;
                });
  return first;
}

// The same for a hub: the parts of its row ascend.
template <class Active>
__device__ inline VertexId search_hub(const PageSpan& pages, std::uint32_t page, std::uint32_t place,
                                      const Active& active, SearchCounts& counts) {
  for (HubSlices at(pages, page, place); at.left > 0; at.next())
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
      if (const VertexId first = search_together(pages, at.page, at.slice * lanes + lane, active, counts);
          first != no_vertex)
        return first;
  return no_vertex;
}

// How many vertices a block tests together.
inline constexpr std::uint32_t few_block = 8 * block_threads;
// Rows up to this length are walked by one thread.
inline constexpr std::uint32_t few_lone_length = 32;

// Collects those of `few_block` vertices from `base` on that want a message and may have a row, for a block of threads.
template <class Program>
__device__ inline void collect_wanting(const Program& program, const RowPlaces& rows, std::uint64_t base,
                                       const std::uint32_t* degree, VertexId* wanting, std::uint32_t& count) {
  __syncthreads();  // nobody reads them any more
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  constexpr std::uint32_t each = few_block / block_threads;
  bool some[each];
#pragma unroll
  for (std::uint32_t i = 0; i < each; ++i) {
    const std::uint64_t v = base + i * block_threads + threadIdx.x;
    some[i] = v < rows.num_vertices && wants(program, static_cast<VertexId>(v));
  }
  // A vertex without edges is left out. The row index says which ones have none, but not if a row has a part in each of
  // several segments, and it is slow to read in host memory: then degrees are read instead.
#pragma unroll
  for (std::uint32_t i = 0; i < each; ++i) {
    const std::uint64_t v = base + i * block_threads + threadIdx.x;
    if (degree && (rows.far || rows.segments > 1))
      some[i] = some[i] && degree[v] > 0;
    else if (rows.segments == 1)
      some[i] = some[i] && rows.spots[v].page != RowSpot::no_row;
  }
#pragma unroll
  for (std::uint32_t i = 0; i < each; ++i) {
    const unsigned all = __ballot_sync(whole_warp, some[i]);
    if (all == 0) continue;
    std::uint32_t at = 0;
    if (lane_id() == 0) at = atomicAdd(&count, static_cast<unsigned>(__popc(all)));
    at = __shfl_sync(whole_warp, at, 0) + __popc(all & ((1u << lane_id()) - 1));
    if (some[i]) wanting[at] = static_cast<VertexId>(base + i * block_threads + threadIdx.x);
  }
  __syncthreads();
}

// Tests all vertices, collects those that want a message and searches their rows one by one.
template <class Program, class Active>
__global__ void __launch_bounds__(block_threads, 4)
    search_few_kernel(PageSpan pages, RowPlaces rows, Program program, Active active, PullOutput output) {
  __shared__ VertexId wanting[few_block];
  __shared__ std::uint32_t count;
  SearchCounts counts;
  for (std::uint64_t base = std::uint64_t{blockIdx.x} * few_block; base < rows.num_vertices;
       base += std::uint64_t{gridDim.x} * few_block) {
    collect_wanting(program, rows, base, output.row_degree, wanting, count);
    for (std::uint32_t i = threadIdx.x; i - lane_id() < count; i += block_threads) {
      const bool some = i < count;
      const VertexId v = some ? wanting[i] : 0;
      VertexId first = no_vertex;
      std::uint32_t length = 0;  // of the row, as far as it was opened
      bool hub = false, any_here = false;
      for (std::uint32_t segment = 0; segment < rows.segments; ++segment) {
        const bool open = some && first == no_vertex;
        if (!__any_sync(whole_warp, open)) break;
        const RowSpot spot = open ? rows.of(v, segment) : RowSpot{RowSpot::no_row, 0};
        const bool here = spot.page != RowSpot::no_row;
        const bool hub_here = spot.is_hub();
        any_here |= here;
        LoneRow row;
        if (here && !hub_here) row = open_row(pages, spot.page, spot.place);
        length += row.length;
        hub |= hub_here;
        const bool alone = here && !hub_here && row.length <= few_lone_length;
        // The first columns one by one: late in a search most sources are active.
        const auto look_at = [&]<int count>(std::uint32_t column, VertexId(&neighbour)[count]) {
          if (!alone || first != no_vertex || column >= row.length) return;
          const std::uint32_t there = row.next(column, pages.step, neighbour);
          counts.edges += __popc(there);
#pragma unroll
          for (int k = count - 1; k >= 0; --k)
            if (((there >> k) & 1) & active((there >> k) & 1 ? neighbour[k] : 0)) first = neighbour[k];
        };
        VertexId one[1], two[2], four[4];
        look_at(0, one);
        look_at(1, one);
        look_at(2, two);
        for (std::uint32_t column = 4; alone && column < row.length && first == no_vertex; column += 4)
          look_at(column, four);
        __syncwarp();
        for (unsigned longer = __ballot_sync(whole_warp, here && !alone); longer != 0; longer &= longer - 1) {
          const int owner = __ffs(longer) - 1;
          const std::uint32_t page = __shfl_sync(whole_warp, spot.page, owner);
          const std::uint32_t place = __shfl_sync(whole_warp, spot.place, owner);
          const VertexId found = (place & RowSpot::hub) != 0 ? search_hub(pages, page, place, active, counts)
                                                             : search_together(pages, page, place, active, counts);
          if (lane_id() == static_cast<std::uint32_t>(owner)) first = found;
        }
      }
      if (first != no_vertex) {
        deliver_to(program, v, first, hub ? 0 : length, output, counts);
      } else if (some && (any_here || !rows.far)) {
        ++counts.open_rows;
        counts.open_edges += !hub ? length : output.row_degree ? output.row_degree[v] : hub_row_length;
      }
    }
  }
  add_counts(output.counts, counts);
}

// Whether a vertex wants a message, for flag_pages_kernel. Vertices without edges do not, if degrees are given.
template <class Program>
struct Wanting {
  Program program;
  const std::uint32_t* degree;
  __device__ bool operator()(VertexId v) const { return (!degree || degree[v] > 0) && wants(program, v); }
};

template <class Program>
struct OpenRowOf {
  Program program;
  const std::uint32_t* degree;  // null: edges are not counted
  __device__ OpenRows operator()(VertexId v) const {
    if (!wants(program, v)) return {};
    if (!degree) return {1, 0, 0};
    return {degree[v] > 0, degree[v], degree[v]};
  }
};
struct AddOpenRows {
  __device__ OpenRows operator()(OpenRows a, OpenRows b) const {
    return {a.rows + b.rows, a.edges + b.edges, max(a.longest, b.longest)};
  }
};

}  // namespace millrace::cuda
