// Pages that do not all fit a GPU: where they lie instead, and passes in which they arrive.
#include "millrace/engine/cuda_pages_streamed.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>
#include <numeric>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/text.h"
#include "millrace/operators/help_cpu.h"
#include "millrace/operators/row_spots.h"
#include "millrace/stream/fanned_queues.h"
#include "millrace/stream/fed_pages.h"

namespace millrace {

bool CudaPages::host_holds_all(const MemoryPlan& plan) const {
  const Budget& host = device_.host_memory();
  return plan.host + plan.pages <= host.limit() - host.used();
}

void CudaPages::load_to_host() {
  for (Set& set : sets_) {
    set.host = store_.load_pages(set.orientation, with_, device_.host_memory());
    set.pinned = PinnedRange(set.host.data(), set.host.bytes());
  }
}

void CudaPages::find_far_rows(const MemoryPlan& plan) {
  const Budget& host = device_.host_memory();
  if (!plan.has_far_rows(host.limit() - host.used())) return;
  try {
    for (std::size_t i = 0; i < std::min<std::size_t>(plan.row_indices, sets_.size()); ++i) {
      if (table(i).size() == 0) return;
      far_rows_.emplace_back(device_, store_.num_vertices() * table(i).num_segments(), "the row index", Where::far);
      write_row_spots(sets_[i].host, store_.num_vertices(), far_rows_[i].data());
    }
  } catch (const DeviceError&) {  // so much cannot be pinned: supersteps load pages instead
    far_rows_.clear();
  }
}

void CudaPages::make_host_buffer(const MemoryPlan& plan) {
  Budget& budget = device_.host_memory();
  const std::uint64_t left = (budget.limit() - budget.used() - plan.host) / page_alignment * page_alignment;
  auto host = std::make_unique<HostBuffer>();
  host->region = Buffer(std::min(left, plan.pages), budget, "the page buffer");
  const std::span region(host->region.data(), host->region.size());
  // Touched memory is pinned fast.
  constexpr std::uint64_t part = 64u << 20;
  parallel_for_each((region.size() + part - 1) / part, [&](std::uint64_t i) {
    std::fill_n(region.data() + i * part, std::min(part, region.size() - i * part), std::byte{});
  });
  host->pinned = PinnedRange(region.data(), region.size());
  std::vector<Orientation> orientations;
  for (const Set& set : sets_) orientations.push_back(set.orientation);
  host->disk = std::make_unique<DiskPages>(store_, orientations, with_, region, reader_from_environment());
  const DiskPages& disk = *host->disk;
  const SlotLayout layout = choose_disk_slots(region.size(), largest_page_, disk.tuning());
  if (layout.slots < 2) {
    host.reset();
    budget.refuse(std::max(plan.output, plan.host + min_slot_memory(largest_page_)),
                  "the run, with two pages at a time,");
  }
  host->cache =
      std::make_unique<PageCache>(disk.page_bytes(), layout, disk.first_pages(), ring_depth(layout, disk.tuning()));
  placement_.from_disk = true;
  placement_.host_bytes = layout.bytes();
  placement_.reader = std::string(disk.reader());
  placement_.direct = disk.direct();
  host_buffer_ = std::move(host);
}

void CudaPages::load_streamed(const MemoryPlan& plan) {
  placement_.resident = false;
  if (host_holds_all(plan)) {
    load_to_host();
    find_far_rows(plan);
  } else {
    make_host_buffer(plan);
  }
  for (Set& set : sets_) describe(set);
  std::uint64_t available = device_.memory().limit() - device_.memory().used() - plan.attributes -
                            std::uint64_t{hub_slices_} * sizeof(cuda::HubPiece) - 4096;
  available = std::min({available, std::max(placement_.page_bytes, min_slot_memory(largest_page_)), plan.most_cache});
  for (;;) {
    const SlotLayout layout = choose_slots(available, largest_page_);
    if (layout.slots < 2)
      throw DoesNotFitError(
          "{} has no room left for two pages of {}; give the run less with @device-memory@, or free "
          "the GPU's memory",
          device_.name(), format_size(largest_page_));
    try {
      return make_region(layout);
    } catch (const DoesNotFitError&) {
      available = available / 4 * 3;  // others have taken memory: a smaller cache does it too
    }
  }
}

void CudaPages::make_region(SlotLayout layout) {
  CudaArray<std::byte> region(device_, layout.bytes(), "the page cache");
  std::vector<std::uint32_t> page_bytes, groups;
  for (const Set& set : sets_) {
    groups.push_back(set.first_page);
    for (const PageEntry& entry : store_.table(set.orientation))
      page_bytes.push_back(align_page(bytes_with(with_, entry)));
  }
  placement_.slots = layout.slots;
  placement_.slot_bytes = layout.slot_bytes;
  placement_.cache_bytes = layout.bytes();
  device_.synchronize();  // the queues use it too
  takes_.assign(page_bytes.size(), true);
  led_ = {this};
  streaming_ = std::make_unique<Streaming>(device_, sets_, std::move(page_bytes), groups, layout, std::move(region));
}

void CudaPages::keep_to(VertexRange vertices, bool rows) {
  for (const Set& set : sets_)
    for (std::uint32_t p = 0; p < store_.table(set.orientation).size(); ++p) {
      const PageEntry& entry = store_.table(set.orientation)[p];
      takes_[set.first_page + p] = rows ? has_rows_in(entry, vertices) : reaches(entry, vertices);
    }
}

CudaPages::Traffic CudaPages::for_some_streamed(const Set& set, const std::vector<std::uint32_t>& pages,
                                                const std::vector<std::uint32_t>& soon, const Launch& launch) {
  std::vector<std::uint32_t> numbers(pages), later(soon);
  for (std::uint32_t& page : numbers) page += set.first_page;
  for (std::uint32_t& page : later) page += set.first_page;
  return stream(std::move(numbers), later, streaming_->queues, compute_on(set, launch));
}

Compute CudaPages::compute_on(const Set& set, const Launch& launch) {
  return [this, &set, &launch](std::uint32_t queue, const PageRun& run) {
    const std::uint32_t first = run.first - set.first_page;
    streaming_->queues.begin_kernels(queue);
    launch(span_of(set, streaming_->region.data() + run.place - set.offsets[first], first, run.count),
           streaming_->queues.stream(queue));
  };
}

CudaPages::Traffic CudaPages::with_help(std::size_t s, const std::vector<std::uint32_t>* pages, const Launch& launch,
                                        const WithHelp& with) {
  const PageTable& of = table(s);
  std::vector<std::uint32_t> all(pages ? 0 : num_pages(s));
  std::iota(all.begin(), all.end(), 0u);
  if (pages) all = *pages;
  const VertexRange neighbours{0, num_sources(s)};
  if (!with.by_segments || of.num_segments() == 1) return pass_with_help(sets_[s], all, {}, neighbours, launch, with);
  const std::uint64_t size = store_.manifest().segment;
  Traffic traffic;
  for (std::uint32_t g = 0; g < of.num_segments(); ++g) {
    const std::uint32_t first = of.first_page(g), last = of.first_page(g + 1);
    const std::vector<std::uint32_t> some(std::ranges::lower_bound(all, first), std::ranges::lower_bound(all, last));
    if (some.empty()) continue;
    const VertexRange here{of[first].segment * size, std::min(neighbours.last, (of[first].segment + 1) * size)};
    traffic += pass_with_help(sets_[s], some, all, here, launch, with);
  }
  return traffic;
}

std::vector<std::uint32_t> CudaPages::in_help_order(Set& set, const std::vector<std::uint32_t>& pages,
                                                    HelpOrder order) {
  const PageTable& of = store_.table(set.orientation);
  if (set.help_order != order) {
    set.ordered.resize(of.size());
    std::iota(set.ordered.begin(), set.ordered.end(), 0u);
    std::ranges::stable_sort(set.ordered, {}, [&](std::uint32_t page) { return help_rank(of, page, order); });
    set.help_order = order;
  }
  if (pages.size() == of.size()) return set.ordered;
  std::vector<bool> wanted(of.size());
  for (const std::uint32_t page : pages) wanted[page] = true;
  std::vector<std::uint32_t> some;
  for (const std::uint32_t page : set.ordered)
    if (wanted[page]) some.push_back(page);
  return some;
}

CudaPages::Traffic CudaPages::pass_with_help(Set& set, const std::vector<std::uint32_t>& pages,
                                             const std::vector<std::uint32_t>& soon, VertexRange neighbours,
                                             const Launch& launch, const WithHelp& with) {
  const PageTable& of = store_.table(set.orientation);
  std::vector<std::uint32_t> numbers = in_help_order(set, pages, with.order);
  PageCache& cache = streaming_->cache;
  std::vector<std::uint32_t> to_load, later(soon);
  std::size_t large = 0;
  for (const std::uint32_t page : numbers) {
    if (cache.holds(page + set.first_page)) continue;
    to_load.push_back(page);
    large += of[page].kind == PageKind::large;
  }
  PagePool pool(std::move(to_load), large);
  if (with.share) pool.fix_share(*with.share);
  for (std::uint32_t& page : numbers) page += set.first_page;
  for (std::uint32_t& page : later) page += set.first_page;
  const Pass pass = cache.plan(numbers, later, true);
  try {
    with.help.begin(pool, neighbours);
    try {
      run_pass(pass, *streaming_, streaming_->queues, compute_on(set, launch), {&pool, cache.page_bytes()});
    } catch (...) {
      pool.close();
      try {
        with.help.end();
      } catch (...) {  // only the first error is thrown
      }
      throw;
    }
    with.help.end();
    streaming_->queues.end_pass();
    with.help.hand_over();
  } catch (...) {
    cache.forget_all();
    throw;
  }
  cache.end_early(pass, pool.taken_front());
  Traffic traffic{.loaded_bytes = pass.load_bytes, .cached_bytes = pass.hit_bytes};
  for (const std::uint32_t page : pool.taken_back()) traffic.helped_bytes += cache.page_bytes()[page + set.first_page];
  traffic.loaded_bytes -= traffic.helped_bytes;
  return traffic;
}

CudaPages::Traffic CudaPages::for_some_on_all(std::size_t s, const std::vector<std::uint32_t>& pages,
                                              const std::vector<std::uint32_t>& soon, const LaunchOn& launch) {
  std::vector<FannedQueues::Branch> branches;
  for (CudaPages* const one : led_)
    branches.push_back({&one->streaming_->queues, &one->takes_, [one] { one->device_.select(); }});
  FannedQueues queues(std::move(branches), streaming_->cache.page_bytes());
  std::vector<std::uint32_t> numbers(pages), later(soon);
  for (std::uint32_t& page : numbers) page += sets_[s].first_page;
  for (std::uint32_t& page : later) page += sets_[s].first_page;
  std::uint64_t met = 0;
  Traffic traffic = stream(std::move(numbers), later, queues, [&](std::uint32_t queue, const PageRun& run) {
    queues.for_parts(run, [&](std::size_t i, const PageRun& part) {
      met += part.bytes;
      const CudaPages& on = *led_[i];
      const Set& set = on.sets_[s];
      const std::uint32_t first = part.first - set.first_page;
      on.streaming_->queues.begin_kernels(queue);
      launch(i, on.span_of(set, on.streaming_->region.data() + part.place - set.offsets[first], first, part.count),
             on.streaming_->queues.stream(queue));
    });
  });
  device_.select();
  traffic.loaded_bytes = queues.copied_bytes();
  traffic.cached_bytes = met - queues.copied_bytes();
  return traffic;
}

CudaPages::Traffic CudaPages::stream(std::vector<std::uint32_t> numbers, std::span<const std::uint32_t> soon,
                                     Queues& queues, const Compute& compute) {
  PageCache& cache = streaming_->cache;
  Pass from_disk;
  if (host_buffer_) {
    // The host plans first, and the device asks in the order that suits it.
    const auto misses =
        std::stable_partition(numbers.begin(), numbers.end(), [&](std::uint32_t page) { return cache.holds(page); });
    from_disk = host_buffer_->cache->plan({misses, numbers.end()}, soon);
    const std::vector<std::uint32_t> order = FedPages::order(from_disk);
    std::copy(order.begin(), order.end(), misses);
  }
  const Pass pass = cache.plan(numbers, soon);
  try {
    if (host_buffer_) {
      FedPages fed(from_disk, *host_buffer_->cache, host_buffer_->region.data(), *host_buffer_->disk, queues);
      run_pass(pass, fed, queues, compute);
      disk_seconds_ += fed.disk_seconds();
    } else {
      run_pass(pass, *streaming_, queues, compute);
    }
  } catch (...) {
    cache.forget_all();
    if (host_buffer_) host_buffer_->cache->forget_all();
    throw;
  }
  return {pass.load_bytes, pass.hit_bytes, from_disk.load_bytes};
}

PassTimes CudaPages::take_times() {
  if (!streaming_) return {};
  PassTimes times = streaming_->queues.take_times();
  for (CudaPages* const one : led_)
    if (one != this) times.add_device(one->streaming_->queues.take_times());
  times.disk = std::exchange(disk_seconds_, 0);
  return times;
}

std::uint64_t CudaPages::num_sources(std::size_t set) const {
  std::uint64_t sources = 0;
  for (const PageEntry& entry : table(set)) sources = std::max(sources, std::uint64_t{entry.max_neighbour} + 1);
  return sources;
}

CudaPages::Traffic CudaPages::traffic_of(std::size_t s, const std::vector<std::uint32_t>& pages) const {
  Traffic traffic;
  for (const std::uint32_t page : pages) {
    const std::uint32_t number = page + sets_[s].first_page, bytes = align_page(bytes_with(with_, table(s)[page]));
    if (streaming_->cache.holds(number)) {
      traffic.cached_bytes += bytes;
      continue;
    }
    traffic.loaded_bytes += bytes;
    if (host_buffer_ && !host_buffer_->cache->holds(number)) traffic.disk_bytes += bytes;
  }
  return traffic;
}

}  // namespace millrace

#endif
