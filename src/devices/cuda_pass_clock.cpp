#include "millrace/devices/cuda_pass_clock.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>

#include "millrace/core/busy_time.h"
#include "millrace/devices/cuda_check.h"

namespace millrace {
namespace {

// Passes that nobody asks about are forgotten.
constexpr std::size_t most_events = 1u << 16;

double seconds_between(CUevent_st* begin, CUevent_st* end) {
  float milliseconds = 0;
  MILLRACE_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace

CudaPassClock::~CudaPassClock() {
  for (CUevent_st* event : events_) cudaEventDestroy(event);
}

CUevent_st* CudaPassClock::record(CUstream_st* stream) {
  if (used_ == events_.size()) {
    CUevent_st* event = nullptr;
    MILLRACE_CUDA(cudaEventCreateWithFlags(&event, cudaEventDefault));
    events_.push_back(event);
  }
  MILLRACE_CUDA(cudaEventRecord(events_[used_], stream));
  return events_[used_++];
}

void CudaPassClock::begin_pass(CUstream_st* main) {
  if (used_ > most_events) passes_.clear(), used_ = 0;
  std::ranges::fill(open_, nullptr);  // a pass that failed may have left some
  passes_.emplace_back();
  passes_.back().all.begin = record(main);
  if (const Timeline* const timeline = Timeline::current()) {
    // The streams begin together with this event. Nothing else tells when that is by the clock of the host.
    MILLRACE_CUDA(cudaEventSynchronize(passes_.back().all.begin));
    passes_.back().begin = timeline->now();
  }
}

void CudaPassClock::add_to(Timeline& timeline, const Pass& pass) const {
  using Kind = Timeline::Kind;
  const auto add = [&](const std::string& track, Kind kind, std::string_view name, const Span& span) {
    if (!span.end) return;
    timeline.add(track, kind,
                 {.begin = pass.begin + seconds_between(pass.all.begin, span.begin),
                  .end = pass.begin + seconds_between(pass.all.begin, span.end),
                  .name = name,
                  .bytes = span.pages.bytes,
                  .first = span.pages.first,
                  .count = span.pages.count});
  };
  for (const Span& span : pass.copies) add("copies to " + name_, Kind::copy, "copy", span);
  for (const Span& span : pass.kernels)
    add(name_ + " stream " + std::to_string(span.queue + 1), Kind::kernel, "kernels", span);
}

void CudaPassClock::end_pass(CUstream_st* main) {
  if (passes_.empty()) return;
  CUevent_st*& end = passes_.back().all.end;
  if (end)
    MILLRACE_CUDA(cudaEventRecord(end, main));
  else
    end = record(main);
}

void CudaPassClock::begin_copy(CUstream_st* copies, const PageRun& pages) {
  passes_.back().copies.push_back({.begin = record(copies), .pages = pages});
}

CUevent_st* CudaPassClock::end_copy(CUstream_st* copies) { return passes_.back().copies.back().end = record(copies); }

void CudaPassClock::begin_kernels(std::uint32_t queue, CUstream_st* stream) {
  if (!open_[queue]) open_[queue] = record(stream);
}

void CudaPassClock::end_kernels(std::uint32_t queue, CUstream_st* stream) {
  if (!open_[queue]) return;
  CUevent_st* const begin = open_[queue];
  open_[queue] = nullptr;
  passes_.back().kernels.push_back({.begin = begin, .end = record(stream), .queue = queue});
}

PassTimes CudaPassClock::times_of(const Pass& pass) {
  const auto busy = [&pass](const std::vector<Span>& spans) {
    std::vector<Interval> intervals;
    for (const Span& span : spans)
      if (span.end)  // else it was not submitted
        intervals.push_back({seconds_between(pass.all.begin, span.begin), seconds_between(pass.all.begin, span.end)});
    return length_of_union(std::move(intervals));
  };
  PassTimes times{.copy = busy(pass.copies)};
  // A pass whose pages were all there does not wait.
  if (!pass.copies.empty() || pass.kernels.empty())
    times.wait = std::max(0.0, seconds_between(pass.all.begin, pass.all.end) - busy(pass.kernels));
  return times;
}

PassTimes CudaPassClock::take() {
  if (passes_.empty()) return {};
  PassTimes times;
  if (passes_.back().all.end) {  // else it failed
    const cudaError_t state = cudaEventQuery(passes_.back().all.end);
    if (state == cudaErrorNotReady) return {};
    MILLRACE_CUDA(state);
    for (const Pass& pass : passes_)
      if (pass.all.end) times += times_of(pass);
    if (Timeline* const timeline = Timeline::current())
      for (const Pass& pass : passes_)
        if (pass.all.end) add_to(*timeline, pass);
  }
  passes_.clear();
  used_ = 0;
  return times;
}

}  // namespace millrace

#endif
