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

}  // namespace millrace

#endif
