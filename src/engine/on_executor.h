// Finds out which kind of executor there is, for what takes programs. A file with programs for GPUs has to be compiled
// by nvcc. Compiled by another compiler, its programs run on the cpu alone.
#pragma once

#include "millrace/engine/cpu_executor_programs.h"
#include "millrace/engine/cuda_executor.h"
#ifdef __CUDACC__
#include "millrace/engine/cuda_executor.cuh"
#include "millrace/engine/cuda_executor_exchange.cuh"
#include "millrace/engine/cuda_lists.cuh"
#endif

namespace millrace {

// Functions that differ between compilers, without a program of the file among their arguments, take this one: so the
// linker does not take one for the other.
#ifdef __CUDACC__
using CompiledBy = struct ForGpus;
#else
using CompiledBy = struct ForCpus;
#endif

// Throws DeviceError: the program was not compiled for GPUs.
[[noreturn]] void throw_not_for_gpu();

// Calls task(executor) with the executor's own type.
template <class Task>
decltype(auto) with_executor(Executor& executor, const Task& task) {
  if (executor.device().kind() == DeviceKind::cpu) return task(static_cast<CpuExecutor&>(executor));
#ifdef __CUDACC__
  return task(static_cast<CudaExecutor&>(executor));
#else
  throw_not_for_gpu();
#endif
}

}  // namespace millrace
