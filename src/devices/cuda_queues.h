// The queues of a GPU for the pipeline: streams, and events that say when a slot is free.
#pragma once

#include <array>

#include "millrace/devices/cuda.h"
#include "millrace/stream/pipeline.h"

namespace millrace {

class CudaQueues final : public Queues {
 public:
  // Copies go to `region`, which has `slots` slots.
  CudaQueues(CudaDevice& device, std::byte* region, std::uint32_t slots);
  ~CudaQueues() override;
  CudaQueues(const CudaQueues&) = delete;
  CudaQueues& operator=(const CudaQueues&) = delete;

  CUstream_st* stream(std::uint32_t queue) const {
    return queue == main ? device_.main_stream() : device_.queue_stream(queue);
  }
  std::uint32_t count() const override { return CudaDevice::num_queues; }
  void fork() override;
  void join() override;
  void copy(std::uint32_t queue, std::uint64_t place, const std::byte* from, std::uint64_t bytes) override;
  void mark(std::uint32_t queue, std::uint32_t slot) override;
  void wait(std::uint32_t queue, std::uint32_t slot) override;
  void mark_source(std::uint32_t queue, std::uint32_t host_slot) override;
  bool source_free(std::uint32_t host_slot, bool wait) override;

 private:
  CudaDevice& device_;
  std::byte* region_;
  std::vector<CUevent_st*> slot_marks_;                                        // made at the first mark
  std::vector<CUevent_st*> queue_marks_;                                       // one more for the main queue
  std::vector<std::array<CUevent_st*, CudaDevice::num_queues>> source_marks_;  // by host slot; made at the first mark
};

}  // namespace millrace
