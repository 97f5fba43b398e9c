#include "millrace/engine/cuda_pages.h"

#include "millrace/engine/cuda_pages_streamed.h"
#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <numeric>

#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/engine/cuda_loader.h"
#include "millrace/pages/encode.h"

namespace millrace {

CudaPages::CudaPages(const Store& store, const std::vector<Orientation>& sets, CudaDevice& device,
                     const MemoryPlan& plan)
    : store_(store), device_(device), rows_(sets_, store.num_vertices(), device) {
  const ProfileRange range("load pages");
  std::uint32_t first_page = 0;
  for (const Orientation o : sets) {
    sets_.emplace_back(store, o, plan.with, first_page, device);
    first_page += sets_.back().num_pages();
  }
  placement_.page_bytes = plan.pages;

  if (!device.memory().has_room(plan.least()))
    device.memory().refuse(plan.least(), fmt::format("the run on {} ({} of attributes and scratch)", device.name(),
                                                     format_size(plan.attributes)));
  const std::uint64_t left = device.memory().limit() - device.memory().used() - plan.attributes - plan.described;
  const bool fits = !plan.far && plan.pages <= left;
  const std::uint64_t loader = 2 * std::max<std::uint64_t>(CudaLoader::chunk_bytes, plan.largest_page);
  const std::uint64_t streamed = std::min(plan.pages, min_slot_memory(plan.largest_page));
  device.host_memory().require(std::max(plan.output, plan.host + (fits ? loader : streamed)),
                               fits ? "loading, and bringing results back,"
                                    : "the run, whose pages do not fit the GPU and pass through host memory,");
  // Taken and given back: the run's own allocations will then not fail for memory that others took meanwhile.
  device.reserve(plan.attributes, "the attributes of the run");
  if (!fits || !load_resident(plan)) load_streamed(plan);
  device.synchronize();
}

CudaPages::CudaPages(CudaPages& leader, CudaDevice& device)
    : store_(leader.store_),
      device_(device),
      placement_(leader.placement_),
      rows_(sets_, leader.store_.num_vertices(), device) {
  for (const CudaPageSet& set : leader.sets_) {
    sets_.emplace_back(store_, set.orientation(), set.with(), set.first_page(), device);
    sets_.back().describe();
  }
  streamed_ = std::make_unique<CudaStreamedPages>(*leader.streamed_, sets_, device);
}

CudaPages::~CudaPages() {
  try {
    device_.synchronize();  // nothing may still read host memory that is about to go
  } catch (const Error&) {
  }
}

// False where the GPU has less memory than the budget says.
bool CudaPages::load_resident(const MemoryPlan& plan) {
  try {
    for (CudaPageSet& set : sets_) set.allocate();
  } catch (const DoesNotFitError&) {
    for (CudaPageSet& set : sets_) set.release();
    return false;
  }
  rows_.take_room(plan);
  for (CudaPageSet& set : sets_) {
    set.load(plan.largest_page);
    set.describe();
  }
  placement_.cache_bytes = placement_.page_bytes;
  return true;
}

void CudaPages::load_streamed(const MemoryPlan& plan) {
  streamed_ = std::make_unique<CudaStreamedPages>(store_, sets_, device_, plan);
  if (streamed_->on_host()) rows_.find_far(plan, *streamed_->on_host());
  for (CudaPageSet& set : sets_) set.describe();
  // One pass at a time: sets share the pieces of hub rows.
  streamed_->make_slots(plan, device_.memory().limit() - device_.memory().used() - plan.attributes -
                                  std::uint64_t{hub_slices()} * sizeof(cuda::HubPiece) - 4096);
  placement_ = streamed_->placement();
  placement_.page_bytes = plan.pages;
}

std::uint32_t CudaPages::hub_slices() const {
  std::uint32_t most = 0;
  for (const CudaPageSet& set : sets_) most = std::max(most, set.hub_slices());
  return most;
}

std::uint32_t CudaPages::fewest_hub_edges() const {
  // In small pages, rows that do not fit one as a single lane are hubs too. A page has room for as many columns as a
  // hub's slice may have, whatever they hold.
  const Manifest& manifest = store_.manifest();
  return std::min(hub_row_length,
                  hub_slice_columns({.page_bytes = manifest.page_bytes, .weight_type = manifest.weight_type}) + 1);
}

PageSpan CudaPages::whole(std::size_t set) const {
  const std::byte* const pages = placement_.resident ? sets_[set].data() : host_pages(set).page_data(0);
  return sets_[set].span(pages, 0, num_pages(set));
}

CudaPages::Traffic CudaPages::for_segments(std::size_t set, const std::vector<std::uint32_t>* pages,
                                           const Launch& launch) {
  const std::uint32_t segments = table(set).num_segments();
  if (segments == 1) return pages ? for_some(set, *pages, launch) : for_all(set, launch);
  std::vector<std::uint32_t> all(pages ? 0 : num_pages(set));
  std::iota(all.begin(), all.end(), 0u);
  if (pages) all = *pages;
  Traffic traffic;
  for (std::uint32_t g = 0; g < segments; ++g) {
    const std::uint32_t first = table(set).first_page(g), last = table(set).first_page(g + 1);
    if (!pages && placement_.resident) {
      launch(segment(set, g), device_.main_stream());
      continue;
    }
    const std::vector<std::uint32_t> some(std::ranges::lower_bound(all, first), std::ranges::lower_bound(all, last));
    traffic += for_some(set, some, all, launch);
  }
  if (!pages && placement_.resident) traffic.cached_bytes = sets_[set].bytes();
  return traffic;
}

CudaPages::Traffic CudaPages::for_all(std::size_t set, const Launch& launch) {
  if (placement_.resident) {
    launch(whole(set), device_.main_stream());
    return {.cached_bytes = sets_[set].bytes()};
  }
  std::vector<std::uint32_t> pages(num_pages(set));
  std::iota(pages.begin(), pages.end(), 0u);
  return for_some(set, pages, launch);
}

CudaPages::Traffic CudaPages::for_some(std::size_t s, const std::vector<std::uint32_t>& pages,
                                       const std::vector<std::uint32_t>& soon, const Launch& launch) {
  if (!placement_.resident) return streamed_->for_some(s, pages, soon, launch);
  const CudaPageSet& set = sets_[s];
  Traffic traffic;
  for (std::size_t i = 0; i < pages.size();) {
    const std::uint32_t first = pages[i];
    std::uint32_t count = 0;
    for (; i < pages.size() && pages[i] == first + count; ++i, ++count)
      traffic.cached_bytes += set.page_bytes(pages[i]);
    launch(set.span(set.data(), first, count), device_.main_stream());
  }
  return traffic;
}

const PageSet& CudaPages::host_pages(std::size_t set) const { return streamed_->on_host()->pages(set); }

CudaPages::Traffic CudaPages::with_help(std::size_t set, const std::vector<std::uint32_t>* pages, const Launch& launch,
                                        const CudaHelpedPasses& with) {
  return streamed_->with_help(set, pages, launch, with);
}

CudaPages::Traffic CudaPages::for_some_on_all(std::size_t set, const std::vector<std::uint32_t>& pages,
                                              const std::vector<std::uint32_t>& soon, const LaunchOn& launch) {
  return streamed_->for_some_on_all(set, pages, soon, launch);
}

void CudaPages::keep_to(VertexRange vertices, bool rows) { streamed_->keep_to(vertices, rows); }

CudaPages::Traffic CudaPages::traffic_of(std::size_t set, const std::vector<std::uint32_t>& pages) const {
  return streamed_->traffic_of(set, pages);
}

PassTimes CudaPages::take_times() { return streamed_ ? streamed_->take_times() : PassTimes{}; }

}  // namespace millrace

#else

namespace millrace {
CudaPages::~CudaPages() = default;
PassTimes CudaPages::take_times() { return {}; }
}  // namespace millrace

#endif
