#include "millrace/devices/cuda_queues.h"

#include "millrace/version.h"

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
  int least = 0, greatest = 0;
  MILLRACE_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  MILLRACE_CUDA(cudaStreamCreateWithPriority(&copies_, cudaStreamNonBlocking, greatest));
  for (std::uint32_t i = 0; i <= count(); ++i) queue_marks_.push_back(make_event());
  for (std::uint32_t i = 0; i < count(); ++i) copied_.push_back(make_event());
}

CudaQueues::~CudaQueues() {
  for (const auto* events : {&slot_marks_, &queue_marks_, &copied_, &source_marks_})
    for (CUevent_st* event : *events)
      if (event) cudaEventDestroy(event);
  if (copies_) cudaStreamDestroy(copies_);
}

void CudaQueues::fork() {
  CUevent_st* const now = queue_marks_.back();
  MILLRACE_CUDA(cudaEventRecord(now, device_.main_stream()));
  MILLRACE_CUDA(cudaStreamWaitEvent(copies_, now));
  for (std::uint32_t q = 0; q < count(); ++q) MILLRACE_CUDA(cudaStreamWaitEvent(device_.queue_stream(q), now));
}

void CudaQueues::join() {
  for (std::uint32_t q = 0; q < count(); ++q) {
    MILLRACE_CUDA(cudaEventRecord(queue_marks_[q], device_.queue_stream(q)));
    MILLRACE_CUDA(cudaStreamWaitEvent(device_.main_stream(), queue_marks_[q]));
  }
}

void CudaQueues::copy(std::uint32_t queue, const PageRun& pages, const std::byte* from) {
  MILLRACE_CUDA(cudaMemcpyAsync(region_ + pages.place, from, pages.bytes, cudaMemcpyHostToDevice, copies_));
  MILLRACE_CUDA(cudaEventRecord(copied_[queue], copies_));
  MILLRACE_CUDA(cudaStreamWaitEvent(stream(queue), copied_[queue]));
}

void CudaQueues::mark(std::uint32_t queue, std::uint32_t slot) {
  if (!slot_marks_[slot]) slot_marks_[slot] = make_event();
  MILLRACE_CUDA(cudaEventRecord(slot_marks_[slot], stream(queue)));
}

void CudaQueues::wait(std::uint32_t queue, std::uint32_t slot) {
  if (!slot_marks_[slot]) return;
  MILLRACE_CUDA(cudaStreamWaitEvent(stream(queue), slot_marks_[slot]));
  MILLRACE_CUDA(cudaStreamWaitEvent(copies_, slot_marks_[slot]));
}

void CudaQueues::mark_source(std::uint32_t, std::uint32_t host_slot) {
  if (host_slot >= source_marks_.size()) source_marks_.resize(host_slot + 1);
  CUevent_st*& event = source_marks_[host_slot];
  if (!event) event = make_event();
  MILLRACE_CUDA(cudaEventRecord(event, copies_));
}

bool CudaQueues::source_free(std::uint32_t host_slot, bool wait) {
  CUevent_st* const event = host_slot < source_marks_.size() ? source_marks_[host_slot] : nullptr;
  if (!event) return true;
  const cudaError_t state = wait ? cudaEventSynchronize(event) : cudaEventQuery(event);
  if (state == cudaErrorNotReady) return false;
  MILLRACE_CUDA(state);
  return true;
}

}  // namespace millrace

#endif
