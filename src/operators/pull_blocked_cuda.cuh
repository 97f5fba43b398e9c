// Pulls blocked pages on a GPU if every source sends and every target takes: rows have few neighbours in a segment, so
// that most of a slice's time is the chain of reads that leads to them. Therefore a warp opens four slices at once, and
// gathers from two at a time. What is gathered is combined with what earlier segments left. Bound by reads of the
// source attribute in the second-level cache. Only nvcc reads this.
#pragma once

#include "millrace/operators/pull_cuda.cuh"

namespace millrace::cuda {

// Whether a program is pulled so.
template <class Program>
inline constexpr bool pulls_blocked =
    !takes_first<Program> && !takes_weights<Program> && !can_join<Program> && !pull_counts<Program, AllActive>;

// Slices that a warp opens together: half a work block.
inline constexpr std::uint32_t blocked_slices = warps_per_block / 2;

// A slice while its columns are read, four at a time.
struct BlockedSlice {
  const std::uint32_t* widths;  // four in each word
  const std::uint32_t* words;   // of the next column
  std::uint32_t columns;
  std::uint32_t last;  // the neighbour read last
  VertexId vertex;
  std::uint32_t length;

  // The words of the columns from `column` on; their widths in bits are in `width`.
  __device__ void load(std::uint32_t width, std::uint64_t policy, std::uint32_t (&word)[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t bits = (width >> (8 * i)) & 0xff;
      word[i] = lane_id() < bits ? load_streaming(words + lane_id(), policy) : 0;
      words += bits;
    }
  }
  __device__ void decode(std::uint32_t width, std::uint32_t step, const std::uint32_t (&word)[4],
                         std::uint32_t (&neighbour)[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      last += column_value(word[i], (width >> (8 * i)) & 0xff) + step;
      neighbour[i] = last;
    }
  }
};

template <class Program>
__device__ inline void combine_four(const Program& program, const std::uint32_t (&neighbour)[4], std::uint32_t column,
                                    std::uint32_t length, Pending<Program> (&message)[4]) {
#pragma unroll
  for (int i = 0; i < 4; ++i) message[i] = program.message(column + i < length ? neighbour[i] : 0);
}

template <class Program>
__global__ void __launch_bounds__(block_threads, 4)
    pull_blocked_kernel(PageSpan span, Program program, PullOutput output) {
  const std::uint32_t i = blockIdx.x * warps_per_block + threadIdx.x / lanes;
  if (i >= 2 * span.num_blocks) return;
  const WorkBlock work = span.blocks[i / 2];
  const std::uint32_t first = work.first_slice + i % 2 * blocked_slices;
  const std::byte* const page = span.base + work.offset;
  const PageHeader& header = *reinterpret_cast<const PageHeader*>(page);
  const std::uint32_t num_slices = header.slices;
  if (first >= num_slices) return;
  const std::uint64_t policy = streaming_policy();

  // First headers, then vertices, lengths and the first widths: the reads of all slices overlap.
  BlockedSlice slice[blocked_slices];
  std::uint32_t width[blocked_slices];
  {
    SliceHeader head[blocked_slices];
    std::uint32_t slot[blocked_slices], shortfall[blocked_slices];
#pragma unroll
    for (std::uint32_t k = 0; k < blocked_slices; ++k)
      head[k] = read_header(slice_headers(page) + min(first + k, num_slices - 1));
#pragma unroll
    for (std::uint32_t k = 0; k < blocked_slices; ++k) {
      const std::uint32_t* const start = slice_words(page, num_slices, head[k]);
      const std::uint32_t* const words = start + width_words(head[k].columns);
      slot[k] = lane_id() < head[k].slot_bits ? load_streaming(words + lane_id(), policy) : 0;
      shortfall[k] =
          lane_id() < head[k].length_bits ? load_streaming(words + head[k].slot_bits + lane_id(), policy) : 0;
      width[k] = load_streaming(start, policy);
      slice[k].widths = start;
      slice[k].words = words + head[k].slot_bits + head[k].length_bits;
      slice[k].columns = head[k].columns;
      slice[k].last = head[k].first_neighbour - span.step;
    }
#pragma unroll
    for (std::uint32_t k = 0; k < blocked_slices; ++k) {
      slice[k].vertex = header.first_vertex + head[k].first_slot + column_value(slot[k], head[k].slot_bits);
      slice[k].length = slice[k].columns - column_value(shortfall[k], head[k].length_bits);
      if (first + k >= num_slices) slice[k].length = slice[k].columns = 0;
    }
  }

  if (first < header.hub_slices) {
    // The slices of hubs, and those that share the block with some, one by one.
    PassCounts counts;
#pragma unroll 1
    for (std::uint32_t k = 0; k < blocked_slices && first + k < num_slices; ++k) {
      WarpSlice open = open_slice(page, header, read_header(slice_headers(page) + first + k), span.step);
      Pending<Program> gathered = nothing_pending<Program>();
      WarpWeights<NoWeight> weightless;
      const bool found = gather(open, weightless, open.length > 0, AllActive{}, program, gathered, counts);
      if (first + k < header.hub_slices)
        finish_hub(program, page, header, span.spots[work.page], first + k, open.vertex, found, gathered, output,
                   counts);
      else if (found)
        deliver_to(program, open.vertex, gathered, open.length, output, counts);
    }
    return;
  }

#pragma unroll
  for (std::uint32_t k = 0; k < blocked_slices; k += 2) {
    BlockedSlice& a = slice[k];
    BlockedSlice& b = slice[k + 1];
    Pending<Program> kept_a = nothing_pending<Program>(), kept_b = kept_a;
    if (a.length > 0) kept_a = program.kept[a.vertex];
    if (b.length > 0) kept_b = program.kept[b.vertex];
    Pending<Program> sum_a = nothing_pending<Program>(), sum_b = sum_a;
    const std::uint32_t columns = max(a.columns, b.columns);
    std::uint32_t width_a = width[k], width_b = width[k + 1];
    for (std::uint32_t column = 0;;) {
      std::uint32_t word_a[4], word_b[4], neighbour_a[4], neighbour_b[4];
      a.load(column < a.columns ? width_a : 0, policy, word_a);
      b.load(column < b.columns ? width_b : 0, policy, word_b);
      a.decode(column < a.columns ? width_a : 0, span.step, word_a, neighbour_a);
      b.decode(column < b.columns ? width_b : 0, span.step, word_b, neighbour_b);
      Pending<Program> message_a[4], message_b[4];
      combine_four(program, neighbour_a, column, a.length, message_a);
      combine_four(program, neighbour_b, column, b.length, message_b);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (column + j < a.length) sum_a = combine<Program>(sum_a, message_a[j]);
        if (column + j < b.length) sum_b = combine<Program>(sum_b, message_b[j]);
      }
      column += 4;
      if (column >= columns) break;
      width_a = column < a.columns ? load_streaming(a.widths + column / 4, policy) : 0;
      width_b = column < b.columns ? load_streaming(b.widths + column / 4, policy) : 0;
    }
    if (a.length > 0) program.kept[a.vertex] = combine<Program>(kept_a, sum_a);
    if (b.length > 0) program.kept[b.vertex] = combine<Program>(kept_b, sum_b);
  }
}

}  // namespace millrace::cuda
