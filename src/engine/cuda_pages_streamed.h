// Pages that do not all fit a GPU: they arrive in passes, in slots of device memory. A pass overwrites some of the
// slots, and the others keep their pages. The GPU can lead others, which then get what it gets.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "millrace/engine/cuda_host_pages.h"
#include "millrace/engine/cuda_page_set.h"
#include "millrace/engine/cuda_pass.h"
#include "millrace/engine/memory_plan.h"
#include "millrace/engine/placement.h"
#include "millrace/stream/pass_times.h"
#include "millrace/stream/pipeline.h"

namespace millrace {

class CudaStreamedPages {
 public:
  // Loads the pages to host memory, or makes a page buffer there, which is fed from disk. make_slots() must be called
  // before pages can arrive. The store and the sets must outlive this.
  CudaStreamedPages(const Store& store, const std::vector<CudaPageSet>& sets, CudaDevice& device,
                    const MemoryPlan& plan);
  // For another GPU, which is given what the leader is given: slots of the same layout, but no pages of its own.
  CudaStreamedPages(CudaStreamedPages& leader, const std::vector<CudaPageSet>& sets, CudaDevice& device);
  ~CudaStreamedPages();

  // Takes at most `available` bytes of device memory for slots; less where the GPU has less. Throws DoesNotFitError
  // where that is not enough for two pages.
  void make_slots(const MemoryPlan& plan, std::uint64_t available);
  // Where the pages are. There must be slots.
  Placement placement() const;
  // All pages in host memory; null where they come from disk.
  const CudaHostPages* on_host() const { return host_.get(); }

  // The methods of CudaPages of the same names, which say what they do.
  CudaTraffic for_some(std::size_t set, const std::vector<std::uint32_t>& pages, const std::vector<std::uint32_t>& soon,
                       const CudaLaunch& launch);
  CudaTraffic with_help(std::size_t set, const std::vector<std::uint32_t>* pages, const CudaLaunch& launch,
                        const CudaHelpedPasses& with);
  CudaTraffic for_some_on_all(std::size_t set, const std::vector<std::uint32_t>& pages,
                              const std::vector<std::uint32_t>& soon, const CudaLaunchOn& launch);
  void keep_to(VertexRange vertices, bool rows);
  CudaTraffic traffic_of(std::size_t set, const std::vector<std::uint32_t>& pages) const;
  PassTimes take_times();

 private:
  // Device memory with room for some pages, and the queues that fill it.
  struct Slots;
  // All pages of a set in an order of help, once they were asked for.
  struct InHelpOrder {
    std::optional<HelpOrder> order;
    std::vector<std::uint32_t> pages;
  };

  void make_slots(SlotLayout layout);
  // Some pages of a set (ascending) in the order in which the GPU loads them, while the cpu takes them from the end.
  std::vector<std::uint32_t> in_help_order(std::size_t set, const std::vector<std::uint32_t>& pages, HelpOrder order);
  // One pass in which the cpu takes part.
  CudaTraffic pass_with_help(std::size_t set, const std::vector<std::uint32_t>& pages,
                             const std::vector<std::uint32_t>& soon, VertexRange neighbours, const CudaLaunch& launch,
                             const CudaHelpedPasses& with);
  // Plans a pass and gives it to the queues. Pages are numbered through.
  CudaTraffic stream(std::vector<std::uint32_t> numbers, const std::vector<std::uint32_t>& soon, Queues& queues,
                     const Compute& compute);
  // Arrived pages of a set.
  PageSpan span_of(std::size_t set, const PageRun& run) const;
  // Submits a span of arrived pages of a set.
  Compute compute_on(std::size_t set, const CudaLaunch& launch);

  const Store& store_;
  const std::vector<CudaPageSet>& sets_;
  CudaDevice& device_;
  // One of these, if it has pages of its own.
  std::unique_ptr<CudaHostPages> host_;
  std::unique_ptr<CudaPageBuffer> buffer_;
  std::unique_ptr<Slots> slots_;
  std::vector<InHelpOrder> ordered_;     // by set
  std::vector<CudaStreamedPages*> led_;  // those with slots of the same layout, this one first
  std::vector<bool> takes_;              // by page, numbered through
  double disk_seconds_ = 0;              // of passes since times were taken
};

}  // namespace millrace
