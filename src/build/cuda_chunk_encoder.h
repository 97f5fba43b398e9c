// Encodes planned pages on a GPU, a chunk at a time. A chunk is as much as a staging buffer can hold; two buffers take
// turns, so that pages are copied and checksummed while the next are made.
#pragma once

#include <span>
#include <vector>

#include "millrace/build/cuda_primitives.h"
#include "millrace/build/cuda_staging.h"
#include "millrace/build/page_task_cuda.h"
#include "millrace/devices/cuda.h"
#include "millrace/pages/page_builder.h"

namespace millrace::cuda {

// The most that a chunk may have, so that its memory is known beforehand.
struct ChunkLimits {
  // For batches of `most_keys`.
  ChunkLimits(const PageOptions& pages, std::uint64_t most_keys);

  std::uint32_t page_rows;  // more rows cannot fit: every 32 take a slice header
  std::uint32_t pages;
  std::uint32_t rows;
  std::uint32_t slices;
  std::uint64_t bytes;  // of all pages

  // The GPU memory of an encoder and two staging buffers, without CUB's scratch.
  std::uint64_t device_bytes() const;
};

// A chunk that has been submitted to the GPU.
struct StartedChunk {
  std::vector<PageTask> tasks;
  std::vector<std::vector<std::uint64_t>> keys;  // by task: the keys, if the host encodes the page
};

class ChunkEncoder {
 public:
  ChunkEncoder(CudaDevice& device, const PageOptions& pages, const ChunkLimits& limits);

  // Takes planned pages from the end of `pending` and encodes them into the staging buffer. Pages that do not fit are
  // cut in two; pages that then exceed the chunk are put back to `pending`.
  StartedChunk start(const KeyRows& rows, std::vector<PageTask>& pending, Staging& staging);
  // Waits for the pages of a chunk. Vertices that exceed a page are encoded here on the host; adds their number.
  std::vector<EncodedPage> finish(const StartedChunk& started, const KeyRows& rows, Staging& staging,
                                  std::uint64_t& vertices_by_host) const;

 private:
  void cut_last(const KeyRows& rows, std::vector<PageTask>& pending);
  std::vector<PageTask> take(std::vector<PageTask>& pending) const;
  Chunk measure(const KeyRows& rows, std::vector<PageTask>& tasks);
  bool cut_unfit(std::vector<PageTask>& tasks, std::vector<PageTask>& pending) const;
  void pack(Chunk& chunk, std::vector<PageTask>& tasks, Staging& staging);
  void send(const std::vector<PageTask>& tasks);
  void receive(std::vector<PageTask>& tasks);

  CudaDevice& device_;
  PageOptions pages_;
  ChunkLimits limits_;
  Primitives primitives_;
  CudaArray<PageTask> tasks_;
  CudaArray<std::uint32_t> order_[4];  // keys and rows, each twice for sorting
  CudaArray<std::uint32_t> hub_slices_, hub_first_;
  CudaArray<std::uint64_t> slice_words_, slice_first_;
};

}  // namespace millrace::cuda
