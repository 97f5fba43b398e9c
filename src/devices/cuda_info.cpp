// Which GPUs there are.
#include "millrace/devices/cuda.h"
#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include "millrace/core/error.h"
#include "millrace/devices/cuda_check.h"

namespace millrace {
namespace {

CudaInfo describe(int ordinal) {
  cudaDeviceProp properties{};
  MILLRACE_CUDA(cudaGetDeviceProperties(&properties, ordinal));
  CudaInfo info;
  info.ordinal = ordinal;
  info.name = properties.name;
  info.memory = properties.totalGlobalMem;
  info.multiprocessors = properties.multiProcessorCount;
  info.l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  info.architecture = fmt::format("{}.{}", properties.major, properties.minor);
  info.bus = fmt::format("{:04x}:{:02x}:{:02x}.0", properties.pciDomainID, properties.pciBusID, properties.pciDeviceID);
  MILLRACE_CUDA(cudaSetDevice(ordinal));
  std::size_t free = 0, total = 0;
  MILLRACE_CUDA(cudaMemGetInfo(&free, &total));
  info.free_memory = free;
  return info;
}

}  // namespace

bool built_with_cuda() { return true; }

CudaInfo cuda_device(int ordinal) {
  int count = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess)
    throw DeviceError("cuda:{}: there is no GPU to be used here ({}); @device@ cpu runs without one", ordinal,
                      cudaGetErrorString(status));
  if (ordinal >= count)
    throw DeviceError("cuda:{}: this machine has {} GPU{}, numbered from 0", ordinal, count, count == 1 ? "" : "s");
  return describe(ordinal);
}

std::uint64_t first_gpu_cache() {
  int bytes = 0;
  if (cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0) == cudaSuccess)
    return static_cast<std::uint64_t>(bytes);
  cudaGetLastError();
  return 0;
}

std::vector<CudaInfo> cuda_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  int current = 0;
  cudaGetDevice(&current);
  std::vector<CudaInfo> devices;
  for (int i = 0; i < count; ++i) {
    try {
      devices.push_back(describe(i));
    } catch (const Error&) {  // another process has taken it, or it is broken: it cannot be used
    }
  }
  cudaSetDevice(current);
  cudaGetLastError();
  return devices;
}

}  // namespace millrace

#else

#include "millrace/core/error.h"

namespace millrace {

bool built_with_cuda() { return false; }
CudaInfo cuda_device(int ordinal) {
  throw DeviceError("cuda:{}: this millrace was built without CUDA; @device@ cpu runs without a GPU", ordinal);
}
std::uint64_t first_gpu_cache() { return 0; }
std::vector<CudaInfo> cuda_devices() { return {}; }

}  // namespace millrace

#endif
