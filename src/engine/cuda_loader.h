// One thread's way from the store to a GPU: while one chunk is on the link, the other is being read.
#pragma once

#include "millrace/devices/cuda.h"
#include "millrace/store/store.h"

namespace millrace {

class CudaLoader {
 public:
  // What a thread reads before it hands it to the link; copies of this size use 96% of it.
  static constexpr std::uint64_t chunk_bytes = 4u << 20;

  // Takes two buffers of `bytes`, chunk_bytes or the largest page, from the host's budget.
  CudaLoader(CudaDevice& device, const PageReader& reader, With with, std::uint64_t bytes, std::uint32_t stream);
  ~CudaLoader();
  CudaLoader(const CudaLoader&) = delete;
  CudaLoader& operator=(const CudaLoader&) = delete;

  // Pages [first, last), which fit a chunk, to `to` and on.
  void load(std::uint32_t first, std::uint32_t last, std::byte* to);

 private:
  struct Chunk {
    Buffer memory;
    PinnedRange pinned;
    CUevent_st* sent = nullptr;
  };
  const PageReader& reader_;
  With with_;
  CUstream_st* stream_;
  Chunk chunks_[2];
  int turn_ = 0;
};

}  // namespace millrace
