#include "millrace/engine/cuda_help.h"

#include <chrono>
#include <thread>

#include "millrace/core/stopwatch.h"
#include "millrace/core/throttle.h"
#include "millrace/operators/help_cpu.h"
#include "millrace/version.h"

namespace millrace {

std::uint64_t HelpMemory::host() const {
  return buffer_memory(sent) + buffer_memory(got) + buffer_memory(views) + 3 * buffer_memory(bits);
}

HelpMemory help_memory(const SuperstepNeeds& needs, std::uint64_t num_vertices) {
  // Messages go to host memory by way of some bytes on the GPU: copies in the other direction hardly slow those of
  // pages down, while a kernel that writes to host memory does (H200: 38.1 ms for 2 GB of pages alone, 38.6 beside a
  // copy of 256 MiB to the host, 41.4 beside such a kernel).
  constexpr std::uint64_t most_staging = 2u << 20;
  const std::uint64_t sent = num_vertices * needs.sent_bytes;
  return {.sent = sent,
          .got = num_vertices * std::max(needs.message_bytes, needs.push ? needs.inbox_bytes : 0),
          .views = needs.view_bytes == 0
                       ? 0
                       : num_vertices * needs.view_bytes + most_helped_views * CudaHelp::view_alignment,
          .bits = bitmap_words(num_vertices) * 8,
          .staging = std::min(most_staging, sent)};
}

std::vector<VertexRange> rows_of(const PageSet& pages, std::span<const std::uint32_t> taken) {
  std::vector<std::uint32_t> ascending(taken.begin(), taken.end());
  std::ranges::sort(ascending);
  std::vector<VertexRange> rows;
  for (const std::uint32_t page : ascending) {
    const PageEntry& entry = pages.table()[page];
    const VertexRange here{entry.first_vertex, std::uint64_t{entry.first_vertex} + entry.vertex_count};
    if (!rows.empty() && rows.back().last == here.first)
      rows.back().last = here.last;
    else
      rows.push_back(here);
  }
  return rows;
}

bool add_help(MemoryPlan& plan, const Store& store, const GraphNeeds& needs, Device& gpu) {
  const HelpMemory memory = help_memory(needs.supersteps, store.num_vertices());
  if (needs.list_bytes_per_edge > 0) return false;  // lists are gathered by the GPU
  if (gpu.memory().has_room(plan.resident()) || !gpu.memory().has_room(plan.least() + memory.staging) ||
      !gpu.host_memory().has_room(plan.host + plan.pages + memory.host()))
    return false;
  plan.attributes += memory.staging;
  plan.help = memory.host();
  return true;
}

}  // namespace millrace

#if MILLRACE_WITH_CUDA

#include "millrace/devices/cuda_check.h"

namespace millrace {

CudaHelp::CudaHelp(CudaDevice& gpu, const HelpMemory& memory, const HelpOptions& options)
    : gpu_(gpu),
      options_(options),
      sent_(gpu, memory.sent, "messages of sources", Where::far),
      got_(gpu, memory.got, "messages of targets", Where::far),
      views_(gpu, memory.views, "attributes for the cpu", Where::far),
      staging_(gpu, memory.staging, "messages on their way to the host"),
      active_(gpu, memory.bits / 8, "the active vertices", Where::far),
      wanted_(gpu, memory.bits / 8, "vertices that want a message", Where::far),
      found_(gpu, memory.bits / 8, "vertices with a message", Where::far),
      crew_(options.threads) {
  MILLRACE_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  MILLRACE_CUDA(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
}

CudaHelp::~CudaHelp() {
  await_stream();
  if (event_) cudaEventDestroy(event_);
  if (stream_) cudaStreamDestroy(stream_);
}

bool CudaHelp::pays(const Key& key, double first_rate, const Superstep& superstep) {
  if (options_.always || options_.share) return true;
  Known& known = known_.try_emplace(key, Known{.rate = first_rate}).first->second;
  if (known.without > 0) {
    --known.without;
    return false;
  }
  const bool yes = help_pays({.load_bytes = superstep.load_bytes,
                              .num_vertices = superstep.num_vertices,
                              .brought_bytes = superstep.brought_bytes,
                              .helped_rate = known.rate},
                             gpu_.rates());
  // One slow superstep may have been an accident: after some without help it is tried again.
  constexpr double forgotten = 0.05;
  if (!yes) known.rate += forgotten * (first_rate - known.rate);
  return yes;
}

double CudaHelp::seconds_alone(std::uint64_t load_bytes) const {
  const CudaRates& rates = gpu_.rates();
  const bool tried = options_.always || options_.share;  // whatever it takes
  return rates.link_known && !tried ? static_cast<double>(load_bytes) / rates.link : 0;
}

void CudaHelp::learn(const Key& key, const Pass& pass) {
  constexpr double long_enough = 1e-3;
  if (pass.busy < long_enough) return;
  const double rate = static_cast<double>(pass.bytes) / pass.busy;
  Known& known = known_.try_emplace(key, Known{.rate = rate}).first->second;
  known.rate = (known.rate + rate) / 2;
  // Whatever the model says: where threads get no cores, passes end late. Each loss doubles the time until the next
  // try.
  if (pass.seconds_alone == 0 || pass.seconds < pass.seconds_alone) {
    known.lost = 0;
  } else {
    known.without = 4u << std::min(known.lost, 6u);
    ++known.lost;
  }
}

CUstream_st* CudaHelp::forked_stream() {
  MILLRACE_CUDA(cudaEventRecord(event_, gpu_.main_stream()));
  MILLRACE_CUDA(cudaStreamWaitEvent(stream_, event_));
  return stream_;
}

void CudaHelp::start(std::function<PassCounts()> job) {
  const std::lock_guard lock(mutex_);  // the job ends after this
  error_ = nullptr;
  worker_.give([this, job = std::move(job)] {
    std::exception_ptr error;
    PassCounts counts;
    try {
      gpu_.select();
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

void CudaHelp::bring(void* to, const void* from, std::uint64_t bytes, CUstream_st* stream) {
  MILLRACE_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream));
  brought_ += bytes;
}

void CudaHelp::await_brought() {
  const Stopwatch watch;
  MILLRACE_CUDA(cudaStreamSynchronize(stream_));
  const std::uint64_t bytes = std::exchange(brought_, 0);
  if (const double rate = link_throttle(); rate > 0)
    std::this_thread::sleep_for(std::chrono::duration<double>(static_cast<double>(bytes) / rate - watch.seconds()));
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
