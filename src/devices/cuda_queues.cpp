#include "millrace/devices/cuda_queues.h"

#if MILLRACE_WITH_CUDA

#include "millrace/devices/cuda_check.h"

namespace millrace {
namespace {

CUevent_st* make_event() {
  CUevent_st* event = nullptr;
  MILLRACE_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

}  // namespace

CudaQueues::CudaQueues(CudaDevice& device, std::byte* region, std::uint32_t slots)
    : device_(device), region_(region), slot_marks_(slots) {
  for (std::uint32_t i = 0; i <= count(); ++i) queue_marks_.push_back(make_event());
}

CudaQueues::~CudaQueues() {
  for (CUevent_st* event : slot_marks_)
    if (event) cudaEventDestroy(event);
  for (CUevent_st* event : queue_marks_) cudaEventDestroy(event);
  for (const auto& events : source_marks_)
    for (CUevent_st* event : events)
      if (event) cudaEventDestroy(event);
}

void CudaQueues::fork() {
  CUevent_st* const now = queue_marks_.back();
  MILLRACE_CUDA(cudaEventRecord(now, device_.main_stream()));
  for (std::uint32_t q = 0; q < count(); ++q) MILLRACE_CUDA(cudaStreamWaitEvent(device_.queue_stream(q), now));
}

void CudaQueues::join() {
  for (std::uint32_t q = 0; q < count(); ++q) {
    MILLRACE_CUDA(cudaEventRecord(queue_marks_[q], device_.queue_stream(q)));
    MILLRACE_CUDA(cudaStreamWaitEvent(device_.main_stream(), queue_marks_[q]));
  }
}

void CudaQueues::copy(std::uint32_t queue, std::uint64_t place, const std::byte* from, std::uint64_t bytes) {
  MILLRACE_CUDA(cudaMemcpyAsync(region_ + place, from, bytes, cudaMemcpyHostToDevice, stream(queue)));
}

void CudaQueues::mark(std::uint32_t queue, std::uint32_t slot) {
  if (!slot_marks_[slot]) slot_marks_[slot] = make_event();
  MILLRACE_CUDA(cudaEventRecord(slot_marks_[slot], stream(queue)));
}

void CudaQueues::wait(std::uint32_t queue, std::uint32_t slot) {
  if (slot_marks_[slot]) MILLRACE_CUDA(cudaStreamWaitEvent(stream(queue), slot_marks_[slot]));
}

void CudaQueues::mark_source(std::uint32_t queue, std::uint32_t host_slot) {
  if (host_slot >= source_marks_.size()) source_marks_.resize(host_slot + 1);
  CUevent_st*& event = source_marks_[host_slot][queue];
  if (!event) event = make_event();
  MILLRACE_CUDA(cudaEventRecord(event, stream(queue)));
}

bool CudaQueues::source_free(std::uint32_t host_slot, bool wait) {
  if (host_slot >= source_marks_.size()) return true;
  for (CUevent_st* const event : source_marks_[host_slot]) {
    if (!event) continue;
    if (wait) {
      MILLRACE_CUDA(cudaEventSynchronize(event));
      continue;
    }
    const cudaError_t state = cudaEventQuery(event);
    if (state == cudaErrorNotReady) return false;
    MILLRACE_CUDA(state);
  }
  return true;
}

}  // namespace millrace

#endif
