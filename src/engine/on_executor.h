// Finds out which kind of executor there is, for what takes programs. A file with programs for GPUs has to be compiled
// by nvcc. Compiled by another compiler, its programs run on the cpu alone.
#pragma once

#include "millrace/engine/compiled_by.h"
#include "millrace/engine/cpu_executor_programs.h"
#include "millrace/engine/cuda_executor.h"
#ifdef __CUDACC__
#include "millrace/engine/cuda_executor.cuh"
#include "millrace/engine/cuda_executor_exchange.cuh"
#include "millrace/engine/cuda_executor_sparse.cuh"
#include "millrace/engine/cuda_lists.cuh"
#endif

namespace millrace {

// What both executors are checked with.
namespace executor_detail {
struct AnyProgram {
  using Message = VertexId;
  using Combine = Min;
  MILLRACE_HD Message message(VertexId source) const { return source; }
  MILLRACE_HD bool absorb(VertexId, Message) { return true; }
};
struct AnyPredicate {
  MILLRACE_HD bool operator()(VertexId) const { return true; }
};
struct AnyCombine {
  MILLRACE_HD bool operator()(bool a, bool b) const { return a && b; }
};
template <class E>
concept IsComplete = RunsPrograms<E, AnyProgram, AnyPredicate, AnyPredicate, AnyPredicate, AnyCombine>;
static_assert(IsComplete<CpuExecutor> && IsComplete<CudaExecutor>);
}  // namespace executor_detail

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
