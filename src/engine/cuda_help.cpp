#include "millrace/engine/cuda_help.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include "millrace/devices/cuda_check.h"

namespace millrace {

CudaHelp::CudaHelp(CudaDevice& gpu, std::uint64_t num_vertices, std::uint64_t message_bytes, const HelpOptions& options)
    : gpu_(gpu),
      options_(options),
      sent_(gpu, num_vertices * message_bytes, "messages of sources", Where::far),
      got_(gpu, num_vertices * message_bytes, "messages of targets", Where::far),
      staging_(gpu, help_staging(num_vertices, message_bytes), "messages on their way to the host"),
      active_(gpu, bitmap_words(num_vertices), "the active vertices", Where::far),
      wanted_(gpu, bitmap_words(num_vertices), "vertices that want a message", Where::far),
      found_(gpu, bitmap_words(num_vertices), "vertices with a message", Where::far) {
  MILLRACE_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  MILLRACE_CUDA(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
}

CudaHelp::~CudaHelp() {
  await_stream();
  if (event_) cudaEventDestroy(event_);
  if (stream_) cudaStreamDestroy(stream_);
}

CUstream_st* CudaHelp::forked_stream() {
  MILLRACE_CUDA(cudaEventRecord(event_, gpu_.main_stream()));
  MILLRACE_CUDA(cudaStreamWaitEvent(stream_, event_));
  return stream_;
}

void CudaHelp::start(std::function<PassCounts()> job) {
  MILLRACE_CUDA(cudaEventRecord(event_, stream_));
  const std::lock_guard lock(mutex_);  // the job ends after this
  error_ = nullptr;
  worker_.give([this, job = std::move(job)] {
    std::exception_ptr error;
    PassCounts counts;
    try {
      gpu_.select();
      MILLRACE_CUDA(cudaEventSynchronize(event_));
      counts = job();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard done(mutex_);
    running_ = false;
    counts_ = counts;
    error_ = error;
    changed_.notify_all();
  });
  running_ = true;
}

void CudaHelp::await_stream() noexcept {
  if (stream_) cudaStreamSynchronize(stream_);
}

PassCounts CudaHelp::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !running_; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return counts_;
}

}  // namespace millrace

#endif
