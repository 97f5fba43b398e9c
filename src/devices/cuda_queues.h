// The queues of a GPU for the pipeline: streams, and events that say when a slot is free. All copies go through one
// stream of their own, one after the other, and two queues compute. More of either slow the copies down: of a PCIe 5
// link that gives 55.3 GB/s, PageRank on RMAT 28 got 54.2 so, 53.1 by four queues and 53.0 by four that also copy.
// MILLRACE_LINK_GBPS makes the link slower, to see what other machines would do.
#pragma once

#include "millrace/devices/cuda.h"
#include "millrace/devices/cuda_pass_clock.h"
#include "millrace/stream/pipeline.h"

namespace millrace {

class CudaQueues final : public Queues {
 public:
  // Copies go to `region`, which has `slots` slots.
  CudaQueues(CudaDevice& device, std::byte* region, std::uint32_t slots);
  ~CudaQueues() override;
  CudaQueues(const CudaQueues&) = delete;
  CudaQueues& operator=(const CudaQueues&) = delete;

  CUstream_st* stream(std::uint32_t queue) const { return device_.queue_stream(queue); }
  std::uint32_t count() const override { return 2; }
  void fork() override;
  void join() override;
  void copy(std::uint32_t queue, const PageRun& pages, const std::byte* from) override;
  void mark(std::uint32_t queue, std::uint32_t slot) override;
  void wait(std::uint32_t queue, std::uint32_t slot) override;
  void await(std::uint32_t slot) override;
  void mark_source(std::uint32_t queue, std::uint32_t host_slot) override;
  bool source_free(std::uint32_t host_slot, bool wait) override;
  // To be called before kernels are submitted to a queue: their time counts until the next wait(), mark() or join().
  void begin_kernels(std::uint32_t queue) { clock_.begin_kernels(queue, stream(queue)); }
  // A pass ends with join(), or where others take part in it, here: the GPU waits until then.
  void end_pass() { clock_.end_pass(device_.main_stream()); }
  // The times of the passes that have ended since the last call. The device then assumes the rate of the link that was
  // measured in them.
  PassTimes take_times();

 private:
  // Lets the stream of copies wait until so many bytes would have come over a slower link.
  void slow_down(std::uint64_t bytes);
  struct SlowLink;

  CudaDevice& device_;
  std::byte* region_;
  std::unique_ptr<SlowLink> slow_link_;  // null: the link as it is
  CUstream_st* copies_ = nullptr;
  std::vector<CUevent_st*> slot_marks_;    // made at the first mark
  std::vector<CUevent_st*> queue_marks_;   // one more for the main queue
  std::vector<CUevent_st*> source_marks_;  // by host slot; made at the first mark
  CudaPassClock clock_;
  std::uint64_t copied_bytes_ = 0;  // since times were taken
};

}  // namespace millrace
