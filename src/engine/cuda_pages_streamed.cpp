#include "millrace/engine/cuda_pages_streamed.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>
#include <numeric>

#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/devices/cuda_queues.h"
#include "millrace/operators/help_cpu.h"
#include "millrace/stream/fanned_queues.h"
#include "millrace/stream/fed_pages.h"

namespace millrace {

struct CudaStreamedPages::Slots {
  Slots(CudaDevice& device, std::vector<std::uint32_t> page_bytes, const std::vector<std::uint32_t>& groups,
        SlotLayout layout, CudaArray<std::byte> memory)
      : cache(std::move(page_bytes), layout, groups, ring_depth(layout)),
        region(std::move(memory)),
        queues(device, region.data(), layout.slots) {}

  PageCache cache;
  CudaArray<std::byte> region;
  CudaQueues queues;
};

CudaStreamedPages::CudaStreamedPages(const Store& store, const std::vector<CudaPageSet>& sets, CudaDevice& device,
                                     const MemoryPlan& plan)
    : store_(store), sets_(sets), device_(device), ordered_(sets.size()) {
  Budget& host = device.host_memory();
  if (plan.host + plan.pages <= host.limit() - host.used())
    host_ = std::make_unique<CudaHostPages>(store, sets, plan.with, host);
  else
    buffer_ = std::make_unique<CudaPageBuffer>(store, sets, plan, host);
}

CudaStreamedPages::CudaStreamedPages(CudaStreamedPages& leader, const std::vector<CudaPageSet>& sets,
                                     CudaDevice& device)
    : store_(leader.store_), sets_(sets), device_(device), ordered_(sets.size()) {
  const PageCache& cache = leader.slots_->cache;
  make_slots({.slot_bytes = cache.slot_bytes(), .slots = cache.num_slots()});
  leader.led_.push_back(this);
}

CudaStreamedPages::~CudaStreamedPages() = default;

void CudaStreamedPages::make_slots(const MemoryPlan& plan, std::uint64_t available) {
  available = std::min({available, std::max(plan.pages, min_slot_memory(plan.largest_page)), plan.most_cache});
  for (;;) {
    const SlotLayout layout = choose_slots(available, plan.largest_page);
    if (layout.slots < 2)
      throw DoesNotFitError(
          "{} has no room left for two pages of {}; give the run less with @device-memory@, or free "
          "the GPU's memory",
          device_.name(), format_size(plan.largest_page));
    try {
      return make_slots(layout);
    } catch (const DoesNotFitError&) {
      available = available / 4 * 3;  // others have taken memory: a smaller cache does it too
    }
  }
}

void CudaStreamedPages::make_slots(SlotLayout layout) {
  CudaArray<std::byte> region(device_, layout.bytes(), "the page cache");
  std::vector<std::uint32_t> page_bytes, groups;
  for (const CudaPageSet& set : sets_) {
    groups.push_back(set.first_page());
    for (std::uint32_t p = 0; p < set.num_pages(); ++p) page_bytes.push_back(set.page_bytes(p));
  }
  device_.synchronize();  // the queues use it too
  takes_.assign(page_bytes.size(), true);
  led_ = {this};
  slots_ = std::make_unique<Slots>(device_, std::move(page_bytes), groups, layout, std::move(region));
}

Placement CudaStreamedPages::placement() const {
  Placement placement{.resident = false,
                      .cache_bytes = slots_->region.bytes(),
                      .slots = slots_->cache.num_slots(),
                      .slot_bytes = slots_->cache.slot_bytes()};
  if (buffer_) buffer_->describe(placement);
  return placement;
}

void CudaStreamedPages::keep_to(VertexRange vertices, bool rows) {
  for (const CudaPageSet& set : sets_)
    for (std::uint32_t p = 0; p < set.num_pages(); ++p) {
      const PageEntry& entry = set.table()[p];
      takes_[set.first_page() + p] = rows ? has_rows_in(entry, vertices) : reaches(entry, vertices);
    }
}

CudaTraffic CudaStreamedPages::for_some(std::size_t s, const std::vector<std::uint32_t>& pages,
                                        const std::vector<std::uint32_t>& soon, const CudaLaunch& launch) {
  return stream(sets_[s].numbered(pages), sets_[s].numbered(soon), slots_->queues, compute_on(s, launch));
}

PageSpan CudaStreamedPages::span_of(std::size_t s, const PageRun& run) const {
  const CudaPageSet& set = sets_[s];
  const std::uint32_t first = run.first - set.first_page();
  return set.span(slots_->region.data() + run.place - set.offset(first), first, run.count);
}

Compute CudaStreamedPages::compute_on(std::size_t s, const CudaLaunch& launch) {
  return [this, s, &launch](std::uint32_t queue, const PageRun& run) {
    slots_->queues.begin_kernels(queue);
    launch(span_of(s, run), slots_->queues.stream(queue));
  };
}

CudaTraffic CudaStreamedPages::with_help(std::size_t s, const std::vector<std::uint32_t>* pages,
                                         const CudaLaunch& launch, const CudaHelpedPasses& with) {
  const PageTable& of = sets_[s].table();
  std::vector<std::uint32_t> all(pages ? 0 : of.size());
  std::iota(all.begin(), all.end(), 0u);
  if (pages) all = *pages;
  const VertexRange neighbours{0, sets_[s].num_sources()};
  if (!with.by_segments || of.num_segments() == 1) return pass_with_help(s, all, {}, neighbours, launch, with);
  const std::uint64_t size = store_.manifest().segment;
  CudaTraffic traffic;
  for (std::uint32_t g = 0; g < of.num_segments(); ++g) {
    const std::uint32_t first = of.first_page(g), last = of.first_page(g + 1);
    const std::vector<std::uint32_t> some(std::ranges::lower_bound(all, first), std::ranges::lower_bound(all, last));
    if (some.empty()) continue;
    const VertexRange here{of[first].segment * size, std::min(neighbours.last, (of[first].segment + 1) * size)};
    traffic += pass_with_help(s, some, all, here, launch, with);
  }
  return traffic;
}

std::vector<std::uint32_t> CudaStreamedPages::in_help_order(std::size_t s, const std::vector<std::uint32_t>& pages,
                                                            HelpOrder order) {
  const PageTable& of = sets_[s].table();
  InHelpOrder& ordered = ordered_[s];
  if (ordered.order != order) {
    ordered.pages.resize(of.size());
    std::iota(ordered.pages.begin(), ordered.pages.end(), 0u);
    std::ranges::stable_sort(ordered.pages, {}, [&](std::uint32_t page) { return help_rank(of, page, order); });
    ordered.order = order;
  }
  if (pages.size() == of.size()) return ordered.pages;
  std::vector<bool> wanted(of.size());
  for (const std::uint32_t page : pages) wanted[page] = true;
  std::vector<std::uint32_t> some;
  for (const std::uint32_t page : ordered.pages)
    if (wanted[page]) some.push_back(page);
  return some;
}

CudaTraffic CudaStreamedPages::pass_with_help(std::size_t s, const std::vector<std::uint32_t>& pages,
                                              const std::vector<std::uint32_t>& soon, VertexRange neighbours,
                                              const CudaLaunch& launch, const CudaHelpedPasses& with) {
  const CudaPageSet& set = sets_[s];
  std::vector<std::uint32_t> numbers = in_help_order(s, pages, with.order);
  PageCache& cache = slots_->cache;
  std::vector<std::uint32_t> to_load;
  std::size_t large = 0;
  for (const std::uint32_t page : numbers) {
    if (cache.holds(page + set.first_page())) continue;
    to_load.push_back(page);
    large += set.table()[page].kind == PageKind::large;
  }
  PagePool pool(std::move(to_load), large);
  if (with.share) pool.fix_share(*with.share);
  const Pass pass = cache.plan(set.numbered(std::move(numbers)), set.numbered(soon), true);
  try {
    with.help.begin(pool, neighbours);
    try {
      run_pass(pass, *host_, slots_->queues, compute_on(s, launch), {&pool, cache.page_bytes()});
    } catch (...) {
      pool.close();
      try {
        with.help.end();
      } catch (...) {  // only the first error is thrown
      }
      throw;
    }
    with.help.end();
    slots_->queues.end_pass();
    with.help.hand_over();
  } catch (...) {
    cache.forget_all();
    throw;
  }
  cache.end_early(pass, pool.taken_front());
  CudaTraffic traffic{.loaded_bytes = pass.load_bytes, .cached_bytes = pass.hit_bytes};
  for (const std::uint32_t page : pool.taken_back())
    traffic.helped_bytes += cache.page_bytes()[page + set.first_page()];
  traffic.loaded_bytes -= traffic.helped_bytes;
  return traffic;
}

CudaTraffic CudaStreamedPages::for_some_on_all(std::size_t s, const std::vector<std::uint32_t>& pages,
                                               const std::vector<std::uint32_t>& soon, const CudaLaunchOn& launch) {
  std::vector<FannedQueues::Branch> branches;
  for (CudaStreamedPages* const one : led_)
    branches.push_back({&one->slots_->queues, &one->takes_, [one] { one->device_.select(); }});
  FannedQueues queues(std::move(branches), slots_->cache.page_bytes());
  std::uint64_t met = 0;
  const auto compute = [&](std::uint32_t queue, const PageRun& run) {
    queues.for_parts(run, [&](std::size_t i, const PageRun& part) {
      met += part.bytes;
      const CudaStreamedPages& on = *led_[i];
      on.slots_->queues.begin_kernels(queue);
      launch(i, on.span_of(s, part), on.slots_->queues.stream(queue));
    });
  };
  CudaTraffic traffic = stream(sets_[s].numbered(pages), sets_[s].numbered(soon), queues, compute);
  device_.select();
  traffic.loaded_bytes = queues.copied_bytes();
  traffic.cached_bytes = met - queues.copied_bytes();
  return traffic;
}

CudaTraffic CudaStreamedPages::stream(std::vector<std::uint32_t> numbers, const std::vector<std::uint32_t>& soon,
                                      Queues& queues, const Compute& compute) {
  PageCache& cache = slots_->cache;
  Pass from_disk;
  if (buffer_) {
    // The host plans first, and the device asks in the order that suits it.
    const auto misses =
        std::stable_partition(numbers.begin(), numbers.end(), [&](std::uint32_t page) { return cache.holds(page); });
    from_disk = buffer_->cache().plan({misses, numbers.end()}, soon);
    const std::vector<std::uint32_t> order = FedPages::order(from_disk);
    std::copy(order.begin(), order.end(), misses);
  }
  const Pass pass = cache.plan(numbers, soon);
  try {
    if (buffer_) {
      FedPages fed(from_disk, buffer_->cache(), buffer_->data(), buffer_->disk(), queues);
      run_pass(pass, fed, queues, compute);
      disk_seconds_ += fed.disk_seconds();
    } else {
      run_pass(pass, *host_, queues, compute);
    }
  } catch (...) {
    cache.forget_all();
    if (buffer_) buffer_->cache().forget_all();
    throw;
  }
  return {pass.load_bytes, pass.hit_bytes, from_disk.load_bytes};
}

PassTimes CudaStreamedPages::take_times() {
  PassTimes times = slots_->queues.take_times();
  for (CudaStreamedPages* const one : led_)
    if (one != this) times.add_device(one->slots_->queues.take_times());
  times.disk = std::exchange(disk_seconds_, 0);
  return times;
}

CudaTraffic CudaStreamedPages::traffic_of(std::size_t s, const std::vector<std::uint32_t>& pages) const {
  const CudaPageSet& set = sets_[s];
  CudaTraffic traffic;
  for (const std::uint32_t page : pages) {
    const std::uint32_t number = page + set.first_page(), bytes = set.page_bytes(page);
    if (slots_->cache.holds(number)) {
      traffic.cached_bytes += bytes;
      continue;
    }
    traffic.loaded_bytes += bytes;
    if (buffer_ && !buffer_->cache().holds(number)) traffic.disk_bytes += bytes;
  }
  return traffic;
}

}  // namespace millrace

#else

namespace millrace {
struct CudaStreamedPages::Slots {};
CudaStreamedPages::~CudaStreamedPages() = default;
}  // namespace millrace

#endif
