#include "millrace/devices/cuda_queues.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "millrace/core/progress.h"
#include "millrace/core/throttle.h"
#include "millrace/devices/cuda_check.h"

namespace millrace {
namespace {

CUevent_st* make_event() {
  CUevent_st* event = nullptr;
  // A thread that waits for the event sleeps: if the cpu helps, it needs all cores.
  MILLRACE_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync));
  return event;
}

}  // namespace

// Used by one thread of the driver, for one copy after another.
struct CudaQueues::SlowLink {
  using Clock = std::chrono::steady_clock;
  double bytes_per_second = 0;
  Clock::time_point start = {};    // of the present copy
  Clock::time_point free_at = {};  // once those before it would have come
  struct Copy {
    SlowLink* link;
    Clock::duration takes;
  };

  static void begin(void* link) { static_cast<SlowLink*>(link)->start = Clock::now(); }
  static void end(void* data) {
    const std::unique_ptr<Copy> copy(static_cast<Copy*>(data));
    SlowLink& link = *copy->link;
    link.free_at = std::max(link.free_at, link.start) + copy->takes;
    std::this_thread::sleep_until(link.free_at);
  }
};

CudaQueues::CudaQueues(CudaDevice& device, std::byte* region, std::uint32_t slots)
    : device_(device), region_(region), slot_marks_(slots), clock_(count(), device.name()) {
  if (const double rate = link_throttle(); rate > 0)
    slow_link_ = std::make_unique<SlowLink>(SlowLink{.bytes_per_second = rate});
  int least = 0, greatest = 0;
  MILLRACE_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  MILLRACE_CUDA(cudaStreamCreateWithPriority(&copies_, cudaStreamNonBlocking, greatest));
  for (std::uint32_t i = 0; i <= count(); ++i) queue_marks_.push_back(make_event());
}

CudaQueues::~CudaQueues() {
  for (const auto* events : {&slot_marks_, &queue_marks_, &source_marks_})
    for (CUevent_st* event : *events)
      if (event) cudaEventDestroy(event);
  if (copies_) cudaStreamDestroy(copies_);
}

void CudaQueues::fork() {
  clock_.begin_pass(device_.main_stream());
  CUevent_st* const now = queue_marks_.back();
  MILLRACE_CUDA(cudaEventRecord(now, device_.main_stream()));
  MILLRACE_CUDA(cudaStreamWaitEvent(copies_, now));
  for (std::uint32_t q = 0; q < count(); ++q) MILLRACE_CUDA(cudaStreamWaitEvent(device_.queue_stream(q), now));
}

void CudaQueues::join() {
  for (std::uint32_t q = 0; q < count(); ++q) {
    clock_.end_kernels(q, stream(q));
    MILLRACE_CUDA(cudaEventRecord(queue_marks_[q], device_.queue_stream(q)));
    MILLRACE_CUDA(cudaStreamWaitEvent(device_.main_stream(), queue_marks_[q]));
  }
  end_pass();
}

void CudaQueues::copy(std::uint32_t queue, const PageRun& pages, const std::byte* from) {
  clock_.begin_copy(copies_, pages);
  if (slow_link_) MILLRACE_CUDA(cudaLaunchHostFunc(copies_, SlowLink::begin, slow_link_.get()));
  MILLRACE_CUDA(cudaMemcpyAsync(region_ + pages.place, from, pages.bytes, cudaMemcpyHostToDevice, copies_));
  if (slow_link_) slow_down(pages.bytes);
  copied_bytes_ += pages.bytes;
  Progress::count_link(pages.bytes);
  MILLRACE_CUDA(cudaStreamWaitEvent(stream(queue), clock_.end_copy(copies_)));
}

PassTimes CudaQueues::take_times() {
  constexpr std::uint64_t much = 64u << 20;  // less says little about the link
  const PassTimes times = clock_.take();
  if (times.copy == 0) return times;  // nothing was copied, or it is still going on
  if (const std::uint64_t bytes = std::exchange(copied_bytes_, 0); bytes >= much) {
    CudaRates rates = device_.rates();
    const double seen = std::min(static_cast<double>(bytes) / times.copy, 2 * rates.link);
    rates.link = rates.link_known ? (rates.link + seen) / 2 : seen;  // one slow pass may be an accident
    rates.link_known = true;
    device_.set_rates(rates);
  }
  return times;
}

void CudaQueues::slow_down(std::uint64_t bytes) {
  const std::chrono::duration<double> takes(static_cast<double>(bytes) / slow_link_->bytes_per_second);
  auto copy = std::make_unique<SlowLink::Copy>(
      SlowLink::Copy{slow_link_.get(), std::chrono::duration_cast<SlowLink::Clock::duration>(takes)});
  MILLRACE_CUDA(cudaLaunchHostFunc(copies_, SlowLink::end, copy.get()));
  copy.release();
}

void CudaQueues::mark(std::uint32_t queue, std::uint32_t slot) {
  clock_.end_kernels(queue, stream(queue));
  if (!slot_marks_[slot]) slot_marks_[slot] = make_event();
  MILLRACE_CUDA(cudaEventRecord(slot_marks_[slot], stream(queue)));
}

void CudaQueues::wait(std::uint32_t queue, std::uint32_t slot) {
  clock_.end_kernels(queue, stream(queue));
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
