#include "millrace/devices/cuda_queues.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include "millrace/core/error.h"
#include "millrace/devices/cuda_check.h"

namespace millrace {
namespace {

CUevent_st* make_event() {
  CUevent_st* event = nullptr;
  MILLRACE_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

double link_from_environment() {
  const char* const text = std::getenv("MILLRACE_LINK_GBPS");
  if (!text || !*text) return 0;
  char* end = nullptr;
  const double rate = std::strtod(text, &end);
  if (*end || !(rate > 0)) throw UsageError("MILLRACE_LINK_GBPS={}: a rate in GB/s is a number above 0", text);
  return rate * 1e9;
}

// How long a copy would take over the slower link; it began when the one before was done.
struct SlowCopy {
  std::chrono::nanoseconds takes;
};
// Called by one thread of the driver, for one copy after another.
void await_slow_copy(void* data) {
  static thread_local std::chrono::steady_clock::time_point free_at;
  const std::unique_ptr<SlowCopy> copy(static_cast<SlowCopy*>(data));
  const auto now = std::chrono::steady_clock::now();
  // A link that was idle begins now, or began with the copy that has just ended.
  if (free_at + copy->takes < now) free_at = now - copy->takes;
  free_at += copy->takes;
  std::this_thread::sleep_until(free_at);
}

}  // namespace

CudaQueues::CudaQueues(CudaDevice& device, std::byte* region, std::uint32_t slots)
    : device_(device), region_(region), most_bytes_per_second_(link_from_environment()), slot_marks_(slots) {
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
  if (most_bytes_per_second_ > 0) slow_down(pages.bytes);
  MILLRACE_CUDA(cudaEventRecord(copied_[queue], copies_));
  MILLRACE_CUDA(cudaStreamWaitEvent(stream(queue), copied_[queue]));
}

void CudaQueues::slow_down(std::uint64_t bytes) {
  const std::chrono::duration<double> takes(static_cast<double>(bytes) / most_bytes_per_second_);
  auto copy = std::make_unique<SlowCopy>(SlowCopy{std::chrono::duration_cast<std::chrono::nanoseconds>(takes)});
  MILLRACE_CUDA(cudaLaunchHostFunc(copies_, await_slow_copy, copy.get()));
  copy.release();
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

void CudaQueues::await(std::uint32_t slot) {
  if (slot_marks_[slot]) MILLRACE_CUDA(cudaEventSynchronize(slot_marks_[slot]));
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
