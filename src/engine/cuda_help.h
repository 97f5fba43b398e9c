// The cpu beside a GPU that streams pages: host memory that both reach, a stream on which the GPU fills it, and a
// thread that computes on pages with others. What it computes is in cuda_executor_help.cuh.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

#include "millrace/core/workers.h"
#include "millrace/devices/cuda.h"
#include "millrace/operators/bitmap.h"
#include "millrace/operators/pass_counts.h"
#include "millrace/stream/page_help.h"

namespace millrace {

// Messages go to host memory by way of some bytes on the GPU: copies in the other direction hardly slow those of
// pages down, while a kernel that writes to host memory does (H200: 38.1 ms for 2 GB of pages alone, 38.6 beside a copy
// of 256 MiB to the host, 41.4 beside such a kernel).
inline std::uint64_t help_staging(std::uint64_t num_vertices, std::uint64_t message_bytes) {
  return std::min<std::uint64_t>(4u << 20, num_vertices * message_bytes);
}

// Host memory that a run with help takes beside pages.
inline std::uint64_t help_memory(std::uint64_t num_vertices, std::uint64_t message_bytes) {
  constexpr std::uint64_t rounding = 4096;
  return 2 * (num_vertices * message_bytes + rounding) + 3 * (bitmap_words(num_vertices) * 8 + rounding);
}

class CudaHelp {
 public:
  CudaHelp(CudaDevice& gpu, std::uint64_t num_vertices, std::uint64_t message_bytes, const HelpOptions& options);
  ~CudaHelp();
  CudaHelp(const CudaHelp&) = delete;
  CudaHelp& operator=(const CudaHelp&) = delete;

  const HelpOptions& options() const { return options_; }
  // One value for each vertex, and bits; the GPU reaches them over the link.
  std::byte* sent() const { return sent_.data(); }
  std::byte* got() const { return got_.data(); }
  std::uint64_t* active() const { return active_.data(); }
  std::uint64_t* wanted() const { return wanted_.data(); }
  std::uint64_t* found() const { return found_.data(); }
  std::byte* staging() const { return staging_.data(); }
  std::uint64_t staging_bytes() const { return staging_.bytes(); }

  // A stream of its own, which continues after everything that the main stream was given so far.
  CUstream_st* forked_stream();
  // Starts job() on another thread once all work that was given to the stream is done.
  void start(std::function<PassCounts()> job);
  // Returns once the stream has done what it was given: where something failed before start().
  void await_stream() noexcept;
  // Returns what the job counted, or throws what it threw.
  PassCounts finish();

 private:
  CudaDevice& gpu_;
  HelpOptions options_;
  CudaArray<std::byte> sent_, got_, staging_;
  CudaArray<std::uint64_t> active_, wanted_, found_;
  CUstream_st* stream_ = nullptr;
  CUevent_st* event_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool running_ = false;
  PassCounts counts_;
  std::exception_ptr error_;
  Workers worker_{1};  // last: its thread uses the members above
};

}  // namespace millrace
