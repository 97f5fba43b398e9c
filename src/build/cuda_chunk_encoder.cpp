#include "millrace/build/cuda_chunk_encoder.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>
#include <iterator>

#include "millrace/build/encode_keys.h"
#include "millrace/core/parallel.h"

namespace millrace::cuda {
namespace {

constexpr std::uint64_t staging_bytes = std::uint64_t{256} << 20;
constexpr std::uint64_t chunk_rows = std::uint64_t{16} << 20;

// A planned page from its segment and its first and last vertex, key and row; its slices are not known yet.
PageTask planned(std::uint32_t segment, VertexId first_vertex, VertexId last_vertex, std::uint32_t first_key,
                 std::uint32_t last_key, std::uint32_t first_row, std::uint32_t last_row) {
  PageTask task;
  task.segment = segment;
  task.first_vertex = first_vertex;
  task.vertex_count = last_vertex - first_vertex;
  task.first_key = first_key;
  task.num_keys = last_key - first_key;
  task.first_row = first_row;
  task.num_rows = last_row - first_row;
  task.encoded_here = task.num_keys > 0;
  return task;
}

PageTask planned(const PageTask& task) {
  return planned(task.segment, task.first_vertex, task.first_vertex + task.vertex_count, task.first_key,
                 task.first_key + task.num_keys, task.first_row, task.first_row + task.num_rows);
}
PageTask before_cut(const PageTask& task) {
  return planned(task.segment, task.first_vertex, task.cut_vertex, task.first_key, task.cut_key, task.first_row,
                 task.cut_row);
}
PageTask after_cut(const PageTask& task) {
  return planned(task.segment, task.cut_vertex, task.first_vertex + task.vertex_count, task.cut_key,
                 task.first_key + task.num_keys, task.cut_row, task.first_row + task.num_rows);
}

}  // namespace

ChunkLimits::ChunkLimits(const PageOptions& options, std::uint64_t most_keys) {
  // Keys take less memory in pages than as keys, except in the smallest batches.
  const std::uint64_t wanted = std::clamp<std::uint64_t>(most_keys * sizeof(std::uint64_t), options.page_bytes,
                                                         std::max<std::uint64_t>(staging_bytes, options.page_bytes));
  page_rows = options.page_bytes / static_cast<std::uint32_t>(sizeof(SliceHeader)) * lanes;
  pages = static_cast<std::uint32_t>(wanted / options.page_bytes);
  bytes = std::uint64_t{pages} * options.page_bytes;
  rows = static_cast<std::uint32_t>(std::min(most_keys, std::max<std::uint64_t>(chunk_rows, page_rows)));
  slices = static_cast<std::uint32_t>(bytes / sizeof(SliceHeader));
}

std::uint64_t ChunkLimits::device_bytes() const {
  return 2 * bytes + std::uint64_t{pages} * sizeof(PageTask) + (std::uint64_t{rows} + 1) * 6 * sizeof(std::uint32_t) +
         (std::uint64_t{slices} + 1) * 2 * sizeof(std::uint64_t);
}

ChunkEncoder::ChunkEncoder(CudaDevice& device, const PageOptions& pages, const ChunkLimits& limits)
    : device_(device),
      pages_(pages),
      limits_(limits),
      primitives_(device),
      tasks_(device, limits.pages, "pages"),
      hub_slices_(device, std::uint64_t{limits.rows} + 1, "rows"),
      hub_first_(device, std::uint64_t{limits.rows} + 1, "rows"),
      slice_words_(device, std::uint64_t{limits.slices} + 1, "slices"),
      slice_first_(device, std::uint64_t{limits.slices} + 1, "slices") {
  for (auto& part : order_) part = CudaArray<std::uint32_t>(device, limits.rows, "rows");
}

void ChunkEncoder::send(const std::vector<PageTask>& tasks) {
  device_.copy_to_device(tasks_.data(), tasks.data(), tasks.size() * sizeof(PageTask));
}
void ChunkEncoder::receive(std::vector<PageTask>& tasks) {
  device_.copy_to_host(tasks.data(), tasks_.data(), tasks.size() * sizeof(PageTask));
}

StartedChunk ChunkEncoder::start(const KeyRows& rows, std::vector<PageTask>& pending, Staging& staging) {
  while (pending.back().num_rows > limits_.page_rows) cut_last(rows, pending);
  std::vector<PageTask> tasks = take(pending);
  Chunk chunk = measure(rows, tasks);
  while (cut_unfit(tasks, pending)) chunk = measure(rows, tasks);
  pack(chunk, tasks, staging);

  std::vector<std::vector<std::uint64_t>> keys(tasks.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (tasks[t].num_keys == 0 || tasks[t].place != PageTask::nowhere) continue;
    keys[t].resize(tasks[t].num_keys);
    device_.copy_to_host(keys[t].data(), rows.keys + tasks[t].first_key, keys[t].size() * sizeof(std::uint64_t));
  }
  return {std::move(tasks), std::move(keys)};
}

// A page with more rows than can fit is cut without a try, since a chunk might not hold them.
void ChunkEncoder::cut_last(const KeyRows& rows, std::vector<PageTask>& pending) {
  std::vector<PageTask> last{pending.back()};
  send(last);
  find_cuts(rows, tasks_.data(), 1, device_.main_stream());
  receive(last);
  pending.back() = after_cut(last[0]);
  pending.push_back(before_cut(last[0]));
}

// Takes half as many pages as the chunk can hold, because some will be cut in two.
std::vector<PageTask> ChunkEncoder::take(std::vector<PageTask>& pending) const {
  std::vector<PageTask> tasks;
  std::uint64_t rows = 0;
  while (!pending.empty() && tasks.size() < std::max(limits_.pages / 2, 1u)) {
    const PageTask& next = pending.back();
    rows += next.num_rows;
    if (next.num_rows > limits_.page_rows || rows > limits_.rows) break;
    tasks.push_back(next);
    pending.pop_back();
  }
  return tasks;
}

// Lays out the slices of all tasks and computes their sizes.
Chunk ChunkEncoder::measure(const KeyRows& rows, std::vector<PageTask>& tasks) {
  CUstream_st* const stream = device_.main_stream();
  for (PageTask& task : tasks) task = planned(task);
  Primitives::Pairs order{order_[0].data(), order_[1].data(), order_[2].data(), order_[3].data()};
  Chunk chunk{.rows = rows,
              .tasks = tasks_.data(),
              .num_tasks = static_cast<std::uint32_t>(tasks.size()),
              .first_row = tasks.front().first_row,
              .num_rows = tasks.back().first_row + tasks.back().num_rows - tasks.front().first_row,
              .hub_edges = hub_slice_columns(pages_) * lanes,
              .parallel = pages_.keep_parallel_edges,
              .order_key = order.keys,
              .order_row = order.values,
              .hub_slices = hub_slices_.data(),
              .hub_first = hub_first_.data(),
              .num_slices = 0,
              .slice_words = slice_words_.data(),
              .slice_first = slice_first_.data(),
              .output = nullptr};
  if (chunk.num_rows == 0) return chunk;
  send(tasks);
  find_cuts(rows, tasks_.data(), chunk.num_tasks, stream);
  label_rows(chunk, stream);
  primitives_.sort_pairs(order, chunk.num_rows,
                         Chunk::length_bits + static_cast<std::uint32_t>(std::bit_width(tasks.size())));
  chunk.order_key = order.keys;
  chunk.order_row = order.values;
  primitives_.exclusive_sum(chunk.hub_slices, chunk.hub_first, std::uint64_t{chunk.num_rows} + 1);
  lay_out_pages(chunk, stream);
  receive(tasks);

  for (PageTask& task : tasks) {
    // This size is without the topology words, so such pages cannot fit, and their slices might exceed the chunk.
    if (task.bytes() > pages_.page_bytes) task.encoded_here = 0;
    if (!task.encoded_here) task.num_slices = 0;
    task.first_slice = chunk.num_slices;
    chunk.num_slices += task.num_slices;
  }
  send(tasks);
  measure_slices(chunk, stream);
  primitives_.exclusive_sum(chunk.slice_words, chunk.slice_first, std::uint64_t{chunk.num_slices} + 1);
  measure_pages(chunk, stream);
  receive(tasks);
  for (PageTask& task : tasks)
    if (task.bytes() > pages_.page_bytes) task.encoded_here = 0;
  return chunk;
}

// Cuts pages that do not fit; true if there were any. Pages of a single vertex are not cut.
bool ChunkEncoder::cut_unfit(std::vector<PageTask>& tasks, std::vector<PageTask>& pending) const {
  std::vector<PageTask> cut;
  for (const PageTask& task : tasks) {
    if (task.num_keys == 0 || task.encoded_here || task.vertex_count == 1) {
      cut.push_back(task);
    } else {
      cut.push_back(before_cut(task));
      cut.push_back(after_cut(task));
    }
  }
  const bool any = cut.size() > tasks.size();
  for (; cut.size() > limits_.pages; cut.pop_back()) pending.push_back(cut.back());
  tasks = std::move(cut);
  return any;
}

// Assigns places to the pages and writes them.
void ChunkEncoder::pack(Chunk& chunk, std::vector<PageTask>& tasks, Staging& staging) {
  std::uint64_t used = 0;
  for (PageTask& task : tasks) {
    if (!task.encoded_here) continue;
    task.place = used;
    used += task.bytes();
  }
  send(tasks);
  chunk.output = staging.on_device();
  device_.set_bytes(staging.on_device(), 0, used);
  pack_pages(chunk, device_.main_stream());
  staging.start_copy(used);
}

std::vector<EncodedPage> ChunkEncoder::finish(const StartedChunk& started, const KeyRows& rows, Staging& staging,
                                              std::uint64_t& vertices_by_host) const {
  staging.wait();
  std::vector<std::vector<EncodedPage>> made(started.tasks.size());
  parallel_for_each(made.size(), [&](std::uint64_t t) {
    const PageTask& task = started.tasks[t];
    if (task.place != PageTask::nowhere) {
      const std::byte* const page = staging.on_host() + task.place;
      EncodedPage& encoded = made[t].emplace_back();
      encoded.bytes.assign(page, page + task.bytes());
      encoded.entry = describe_page(encoded.bytes);
    } else if (task.num_keys > 0) {
      PageEncoder encoder(pages_);
      encode_keys(started.keys[t], task.first_vertex, task.first_vertex + task.vertex_count, rows.bits, encoder,
                  made[t]);
    }
  });
  std::vector<EncodedPage> pages;
  for (std::size_t t = 0; t < made.size(); ++t) {
    vertices_by_host += started.tasks[t].num_keys > 0 && started.tasks[t].place == PageTask::nowhere;
    std::ranges::move(made[t], std::back_inserter(pages));
  }
  return pages;
}

}  // namespace millrace::cuda

#endif
