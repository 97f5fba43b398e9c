#include "millrace/build/cuda_staging.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>

#include "millrace/devices/cuda_check.h"

namespace millrace::cuda {

Staging::Staging(CudaDevice& device, std::uint64_t bytes)
    : device_(device), memory_(device, bytes, "staging"), host_(bytes, device.host_memory(), "staging") {
  std::fill(host_.begin(), host_.end(), std::byte{0});  // memory is pinned faster once it has been touched
  pinned_ = PinnedRange(host_.data(), host_.size());
  MILLRACE_CUDA(cudaEventCreateWithFlags(&written_, cudaEventDisableTiming));
  if (const cudaError_t status = cudaEventCreateWithFlags(&copied_, cudaEventDisableTiming); status != cudaSuccess) {
    cudaEventDestroy(written_);
    MILLRACE_CUDA(status);
  }
}

Staging::~Staging() {
  cudaStreamSynchronize(device_.queue_stream(0));  // after an exception a copy may still be running
  cudaEventDestroy(written_);
  cudaEventDestroy(copied_);
}

void Staging::start_copy(std::uint64_t bytes) {
  CUstream_st* const queue = device_.queue_stream(0);
  MILLRACE_CUDA(cudaEventRecord(written_, device_.main_stream()));
  MILLRACE_CUDA(cudaStreamWaitEvent(queue, written_, 0));
  if (bytes > 0) MILLRACE_CUDA(cudaMemcpyAsync(host_.data(), memory_.data(), bytes, cudaMemcpyDeviceToHost, queue));
  MILLRACE_CUDA(cudaEventRecord(copied_, queue));
}

void Staging::wait() { MILLRACE_CUDA(cudaEventSynchronize(copied_)); }

}  // namespace millrace::cuda

#endif
