#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/devices/cuda_check.h"
#include "millrace/devices/cuda_fill.h"

namespace millrace {
namespace {

template <class T>
__global__ void fill_kernel(T* at, T value, std::uint64_t count) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) at[i] = value;
}

// A value of any other size, byte for byte.
struct Pattern {
  std::uint8_t byte[64];
  std::uint32_t count;
};

__global__ void pattern_kernel(std::uint8_t* at, Pattern pattern, std::uint64_t total) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < total; i += step)
    at[i] = pattern.byte[i % pattern.count];
}

template <class T>
void fill_as(void* at, const void* value, std::uint64_t count, CUstream_st* stream) {
  T copy;
  __builtin_memcpy(&copy, value, sizeof(T));
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>((count + threads - 1) / threads, 4096));
  if (blocks > 0) fill_kernel<T><<<blocks, threads, 0, stream>>>(static_cast<T*>(at), copy, count);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace

void cuda_fill(void* at, const void* value, std::uint64_t value_bytes, std::uint64_t count, CUstream_st* stream) {
  switch (value_bytes) {
    case 2:
      return fill_as<std::uint16_t>(at, value, count, stream);
    case 4:
      return fill_as<std::uint32_t>(at, value, count, stream);
    case 8:
      return fill_as<std::uint64_t>(at, value, count, stream);
    default:
      break;
  }
  Pattern pattern{{}, static_cast<std::uint32_t>(value_bytes)};
  if (value_bytes > sizeof pattern.byte) throw InternalError("cannot fill with values of {} bytes", value_bytes);
  __builtin_memcpy(pattern.byte, value, value_bytes);
  pattern_kernel<<<4096, 256, 0, stream>>>(static_cast<std::uint8_t*>(at), pattern, count * value_bytes);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace
