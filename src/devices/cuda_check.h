// Turns what the CUDA runtime returns into typed errors. For files that use the runtime.
#pragma once

#include <cuda_runtime.h>

namespace millrace {

[[noreturn]] void throw_cuda_error(cudaError_t status, const char* call, const char* file, int line);

}  // namespace millrace

// Throws DeviceError, or DoesNotFitError where memory ran out, with the call and its place. The error is forgotten
// here, where it can be: a plug-in has a CUDA runtime of its own, which remembers its own errors.
#define MILLRACE_CUDA(call)                                             \
  do {                                                                  \
    if (const cudaError_t status_ = (call); status_ != cudaSuccess) {   \
      cudaGetLastError();                                               \
      ::millrace::throw_cuda_error(status_, #call, __FILE__, __LINE__); \
    }                                                                   \
  } while (false)
