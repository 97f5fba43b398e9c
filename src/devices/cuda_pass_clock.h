// When the copies and kernels of streamed passes ran: events with times, between the work on the streams of a GPU. They
// are read once that work is done anyway: nobody waits for them. A pass has about four for each of its steps, and each
// takes the host a microsecond.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "millrace/core/timeline.h"
#include "millrace/stream/page_cache.h"
#include "millrace/stream/pass_times.h"

struct CUstream_st;
struct CUevent_st;

namespace millrace {

class CudaPassClock {
 public:
  // `name`: of the device, for the timeline.
  CudaPassClock(std::uint32_t queues, std::string name) : name_(std::move(name)), open_(queues) {}
  ~CudaPassClock();
  CudaPassClock(const CudaPassClock&) = delete;
  CudaPassClock& operator=(const CudaPassClock&) = delete;

  // All streams wait for the main stream at the beginning of a pass, and it waits for them at the end. If a pass has
  // several ends, the last one counts.
  void begin_pass(CUstream_st* main);
  void end_pass(CUstream_st* main);
  void begin_copy(CUstream_st* copies, const PageRun& pages);
  // Returns the event after the copy. It stays as it is until the next pass.
  CUevent_st* end_copy(CUstream_st* copies);
  // Kernels of a queue from the first begin to the next end are one interval. An end without a begin is none.
  void begin_kernels(std::uint32_t queue, CUstream_st* stream);
  void end_kernels(std::uint32_t queue, CUstream_st* stream);
  // The times of the passes since the last call. Nothing if the last of them is still running; then the next call
  // returns them.
  PassTimes take();

 private:
  struct Span {
    CUevent_st* begin = nullptr;
    CUevent_st* end = nullptr;
    std::uint32_t queue = 0;  // of kernels
    PageRun pages = {};       // of copies
  };
  struct Pass {
    Span all = {};
    double begin = 0;  // on the timeline, if there is one
    std::vector<Span> copies = {};
    std::vector<Span> kernels = {};
  };

  // A free event, recorded on the stream.
  CUevent_st* record(CUstream_st* stream);
  static PassTimes times_of(const Pass& pass);
  void add_to(Timeline& timeline, const Pass& pass) const;

  std::string name_;
  std::vector<Pass> passes_;
  std::vector<CUevent_st*> open_;    // by queue: where its present kernels began; null: it has none
  std::vector<CUevent_st*> events_;  // all that were made; the first `used_` are recorded
  std::size_t used_ = 0;
};

}  // namespace millrace
