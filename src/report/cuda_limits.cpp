// For builds without CUDA; cuda_limits.cu has the measurements.
#include "millrace/report/cuda_limits.h"

#include "millrace/version.h"

#if !MILLRACE_WITH_CUDA

#include "millrace/core/error.h"

namespace millrace {

CudaLimits measure_cuda_limits(CudaDevice&, std::span<const std::uint64_t>) {
  throw DeviceError("this millrace was built without CUDA: there is no GPU to measure");
}

CudaBeside measure_cuda_beside(CudaDevice&, std::span<const std::uint64_t>) {
  throw DeviceError("this millrace was built without CUDA: there is no GPU to measure");
}

}  // namespace millrace

#endif
