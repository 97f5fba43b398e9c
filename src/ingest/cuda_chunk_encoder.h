// Encodes a chunk of planned pages on a GPU at a time. A chunk is what a staging buffer can hold; two of them take
// turns, so that pages are copied and checksummed while the next are made.
#pragma once

#include <span>
#include <vector>

#include "millrace/devices/cuda.h"
#include "millrace/ingest/cuda_primitives.h"
#include "millrace/ingest/cuda_staging.h"
#include "millrace/ingest/page_task_cuda.h"
#include "millrace/pages/page_builder.h"

namespace millrace::cuda {

// What a chunk may have at most, so that its memory is known beforehand.
struct ChunkLimits {
  // For batches of `most_keys`.
  ChunkLimits(const PageOptions& pages, std::uint64_t most_keys);

  std::uint32_t page_rows;  // a page with more cannot fit: 32 of them take a slice header
  std::uint32_t pages;
  std::uint32_t rows;
  std::uint32_t slices;
  std::uint64_t bytes;  // of all pages

  // What an encoder and two staging buffers take on the GPU, without CUB's scratch.
  std::uint64_t device_bytes() const;
};

// A chunk that has been given to the GPU.
struct StartedChunk {
  std::vector<PageTask> tasks;
  std::vector<std::vector<std::uint64_t>> keys;  // by task: of those that are left to the host
};

class ChunkEncoder {
 public:
  ChunkEncoder(CudaDevice& device, const PageOptions& pages, const ChunkLimits& limits);

  // Takes planned pages from the end of `pending` and encodes them into the staging buffer. Pages that do not fit are
  // cut in two; what then exceeds the chunk goes back to `pending`.
  StartedChunk start(const KeyRows& rows, std::vector<PageTask>& pending, Staging& staging);
  // The pages of a chunk, once they have arrived. Vertices that exceed a page are encoded here; adds their number.
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
  CudaArray<std::uint32_t> order_[4];  // keys and rows, twice
  CudaArray<std::uint32_t> hub_slices_, hub_first_;
  CudaArray<std::uint64_t> slice_words_, slice_first_;
};

}  // namespace millrace::cuda
