#include "millrace/engine/cuda_loader.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>

#include "millrace/devices/cuda_check.h"

namespace millrace {

CudaLoader::CudaLoader(CudaDevice& device, const PageReader& reader, With with, std::uint64_t bytes,
                       std::uint32_t stream)
    : reader_(reader), with_(with), stream_(device.queue_stream(stream)) {
  device.select();
  for (Chunk& chunk : chunks_) {
    chunk.memory = Buffer(bytes, device.host_memory(), "a buffer of the loader");
    std::fill_n(chunk.memory.data(), bytes, std::byte{});  // touched memory is pinned fast
    chunk.pinned = PinnedRange(chunk.memory.data(), bytes);
    MILLRACE_CUDA(cudaEventCreateWithFlags(&chunk.sent, cudaEventDisableTiming));
  }
}

CudaLoader::~CudaLoader() {
  for (Chunk& chunk : chunks_) {
    if (!chunk.sent) continue;
    cudaEventSynchronize(chunk.sent);
    cudaEventDestroy(chunk.sent);
  }
}

void CudaLoader::load(std::uint32_t first, std::uint32_t last, std::byte* to) {
  Chunk& chunk = chunks_[turn_ ^= 1];
  MILLRACE_CUDA(cudaEventSynchronize(chunk.sent));
  std::uint64_t bytes = 0;
  for (std::uint32_t p = first; p < last; ++p) {
    const std::span page(chunk.memory.data() + bytes, bytes_with(with_, reader_.table()[p]));
    reader_.read(p, page);
    bytes += align_page(page.size());
  }
  MILLRACE_CUDA(cudaMemcpyAsync(to, chunk.memory.data(), bytes, cudaMemcpyHostToDevice, stream_));
  MILLRACE_CUDA(cudaEventRecord(chunk.sent, stream_));
}

}  // namespace millrace

#endif
