// A buffer on a GPU and one on the host, to copy data between them while the GPU continues.
#pragma once

#include "millrace/devices/cuda.h"

namespace millrace::cuda {

class Staging {
 public:
  Staging(CudaDevice& device, std::uint64_t bytes);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  std::uint64_t size() const { return memory_.size(); }
  std::byte* on_device() { return memory_.data(); }
  const std::byte* on_host() const { return host_.data(); }
  // Copies the first bytes to the host: after the earlier work of the main stream, and at the same time as later work.
  void start_copy(std::uint64_t bytes);
  void wait();

 private:
  CudaDevice& device_;
  CudaArray<std::byte> memory_;
  Array<std::byte> host_;
  PinnedRange pinned_;
  CUevent_st* written_ = nullptr;
  CUevent_st* copied_ = nullptr;
};

}  // namespace millrace::cuda
