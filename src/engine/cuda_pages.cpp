#include "millrace/engine/cuda_pages.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>
#include <numeric>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/text.h"
#include "millrace/engine/cuda_loader.h"
#include "millrace/engine/disk_pages.h"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/pages/encode.h"
#include "millrace/stream/fanned_queues.h"
#include "millrace/stream/fed_pages.h"

namespace millrace {
namespace {

template <class T>
CudaArray<T> to_device(CudaDevice& device, const std::vector<T>& values, const std::string& what) {
  CudaArray<T> array(device, values.size(), what);
  device.copy_to_device(array.data(), values.data(), array.bytes());
  return array;
}

}  // namespace

// Host memory that is fed from disk.
struct CudaPages::HostBuffer {
  Buffer region;
  PinnedRange pinned;
  std::unique_ptr<DiskPages> disk;
  std::unique_ptr<PageCache> cache;
};

struct CudaPages::Streaming final : PagesInMemory {
  Streaming(CudaDevice& device, const std::vector<Set>& all_sets, std::vector<std::uint32_t> page_bytes,
            const std::vector<std::uint32_t>& groups, SlotLayout layout, CudaArray<std::byte> memory)
      : sets(all_sets),
        cache(std::move(page_bytes), layout, groups, ring_depth(layout)),
        region(std::move(memory)),
        queues(device, region.data(), layout.slots) {}

  const Set& set_of(std::uint32_t page) const {
    std::size_t s = sets.size() - 1;
    while (page < sets[s].first_page) --s;
    return sets[s];
  }
  const std::byte* page_data(std::uint32_t page) const override {
    const Set& set = set_of(page);
    return set.host.page_data(page - set.first_page);
  }

  const std::vector<Set>& sets;
  PageCache cache;
  CudaArray<std::byte> region;
  CudaQueues queues;
};

CudaPages::CudaPages(const Store& store, const std::vector<Orientation>& sets, CudaDevice& device,
                     const MemoryPlan& plan)
    : store_(store), device_(device), with_(plan.with), largest_page_(plan.largest_page) {
  const ProfileRange range("load pages");
  std::uint32_t first_page = 0;
  for (const Orientation o : sets) {
    Set set;
    set.orientation = o;
    set.first_page = first_page;
    set.bytes = store.page_memory(o, with_);
    set.step = store.table(o).size() > 0 && (store.table(o)[0].flags & page_flag_parallel) ? 0 : 1;
    first_page += store.table(o).size();
    sets_.push_back(std::move(set));
  }
  placement_.page_bytes = plan.pages;

  if (!device.memory().has_room(plan.least()))
    device.memory().refuse(plan.least() + plan.spared,
                           fmt::format("the run on {} ({} of attributes and scratch)", device.name(),
                                       format_size(plan.attributes + plan.spared)));
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
    : store_(leader.store_), device_(device), with_(leader.with_), largest_page_(leader.largest_page_) {
  for (const Set& set : leader.sets_) {
    Set mine;
    mine.orientation = set.orientation;
    mine.first_page = set.first_page;
    mine.step = set.step;
    mine.bytes = set.bytes;
    describe(mine);
    sets_.push_back(std::move(mine));
  }
  placement_ = leader.placement_;
  make_region({.slot_bytes = placement_.slot_bytes, .slots = placement_.slots});
  leader.led_.push_back(this);
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
    for (Set& set : sets_) set.resident = CudaArray<std::byte>(device_, set.bytes, "the pages");
  } catch (const DoesNotFitError&) {
    for (Set& set : sets_) set.resident = {};
    return false;
  }
  const std::uint64_t left = device_.memory().limit() - device_.memory().used();
  if (plan.rows > 0 && plan.rows + plan.attributes + plan.described <= left) {
    try {
      for (std::uint32_t i = 0; i < plan.row_indices; ++i)
        rows_.push_back({CudaArray<cuda::RowSpot>(device_, store_.num_vertices(), "the row index"), {}});
    } catch (const DoesNotFitError&) {  // pushes do without, or share
    }
  }
  for (Set& set : sets_) {
    load_to_device(set);
    describe(set);
  }
  placement_.cache_bytes = placement_.page_bytes;
  return true;
}

void CudaPages::load_to_device(Set& set) {
  const PageReader reader = store_.page_reader(set.orientation, PageReader::Into::aligned);
  const PageTable& table = reader.table();
  struct Piece {
    std::uint32_t first, last;
    std::uint64_t place;
  };
  std::vector<Piece> pieces;
  const std::uint64_t largest = std::max<std::uint64_t>(CudaLoader::chunk_bytes, largest_page_);
  std::uint64_t place = 0;
  for (std::uint32_t first = 0; first < table.size();) {
    std::uint32_t last = first;
    std::uint64_t bytes = 0;
    while (last < table.size() && bytes + align_page(bytes_with(with_, table[last])) <= largest)
      bytes += align_page(bytes_with(with_, table[last++]));
    pieces.push_back({first, last, place});
    place += bytes;
    first = last;
  }

  device_.synchronize();  // the memory is ready
  Progress progress(fmt::format("load {}", orientation_name(set.orientation)), set.bytes, Progress::Unit::bytes);
  FirstException first_exception;
  // As many as the host's budget has buffers for, but one at least, which then says what is missing.
  const std::uint64_t host_left = device_.host_memory().limit() - device_.host_memory().used();
  const std::uint64_t most =
      std::min<std::uint64_t>(omp_get_max_threads(), host_left / (2 * largest + 2 * page_alignment));
  const int threads =
      static_cast<int>(std::clamp<std::uint64_t>(pieces.size() / 2, 1, std::max<std::uint64_t>(most, 1)));
#pragma omp parallel num_threads(threads)
  {
    std::optional<CudaLoader> loader;
    first_exception.run(~std::uint64_t{0} - 1, [&] {
      loader.emplace(device_, reader, with_, largest,
                     static_cast<std::uint32_t>(omp_get_thread_num()) % CudaDevice::num_queues);
    });
#pragma omp for schedule(dynamic, 1)
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!loader || first_exception.thrown_before(i) || interrupted()) continue;
      first_exception.run(i, [&] {
        const Piece piece = pieces[i];
        loader->load(piece.first, piece.last, set.resident.data() + piece.place);
        progress.advance((piece.last == table.size() ? set.bytes : pieces[i + 1].place) - piece.place);
      });
    }
  }
  first_exception.rethrow();
  throw_if_interrupted();
}

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
  if (host_holds_all(plan))
    load_to_host();
  else
    make_host_buffer(plan);
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

void CudaPages::keep_to(VertexRange neighbours) {
  for (const Set& set : sets_)
    for (std::uint32_t p = 0; p < store_.table(set.orientation).size(); ++p)
      takes_[set.first_page + p] = reaches(store_.table(set.orientation)[p], neighbours);
}

void CudaPages::describe(Set& set) {
  PageLayout layout = lay_out_pages(store_.table(set.orientation), with_);
  set.spots = to_device(device_, layout.spots, "the page table");
  set.blocks = to_device(device_, layout.blocks, "the page table");
  set.hub_slices = to_device(device_, layout.hub_slices, "the page table");
  // One pass at a time: sets share the pieces of hub rows.
  hub_slices_ = std::max(hub_slices_, layout.first_hub_slice.back());
  set.first_block = std::move(layout.first_block);
  set.first_hub_slice = std::move(layout.first_hub_slice);
  for (const PageSpot& spot : layout.spots) set.offsets.push_back(spot.offset);
}

PageSpan CudaPages::span_of(const Set& set, const std::byte* base, std::uint32_t first, std::uint32_t count) const {
  const std::uint32_t block = set.first_block[first], hub_slice = set.first_hub_slice[first];
  return {.base = base,
          .spots = set.spots.data(),
          .blocks = set.blocks.data() + block,
          .hub_slices = set.hub_slices.data() + hub_slice,
          .num_blocks = set.first_block[first + count] - block,
          .num_hub_slices = set.first_hub_slice[first + count] - hub_slice,
          .step = set.step,
          .weight_type = store_.manifest().weight_type};
}

std::uint32_t CudaPages::fewest_hub_edges() const {
  // In small pages, rows that do not fit one as a single lane are hubs too. A page has room for as many columns as a
  // hub's slice may have, whatever they hold.
  const Manifest& manifest = store_.manifest();
  return std::min(hub_row_length,
                  hub_slice_columns({.page_bytes = manifest.page_bytes, .weight_type = manifest.weight_type}) + 1);
}

PageSpan CudaPages::whole(std::size_t set) const {
  return span_of(sets_[set], sets_[set].resident.data(), 0, num_pages(set));
}

const cuda::RowSpot* CudaPages::rows(std::size_t set) {
  Rows& rows = rows_[std::min(set, rows_.size() - 1)];
  if (rows.set != set) {
    device_.set_bytes(rows.spots.data(), 0xff, rows.spots.bytes());
    cuda::find_rows(whole(set), rows.spots.data(), device_.main_stream());
    rows.set = set;
  }
  return rows.spots.data();
}

CudaPages::Traffic CudaPages::for_all(std::size_t set, const Launch& launch) {
  if (placement_.resident) {
    launch(whole(set), device_.main_stream());
    return {.cached_bytes = sets_[set].bytes};
  }
  std::vector<std::uint32_t> pages(num_pages(set));
  std::iota(pages.begin(), pages.end(), 0u);
  return for_some(set, pages, launch);
}

CudaPages::Traffic CudaPages::for_some(std::size_t s, const std::vector<std::uint32_t>& pages, const Launch& launch) {
  const Set& set = sets_[s];
  if (placement_.resident) return for_some_resident(set, pages, launch);
  std::vector<std::uint32_t> numbers(pages);
  for (std::uint32_t& page : numbers) page += set.first_page;
  return stream(std::move(numbers), streaming_->queues, [&](std::uint32_t queue, const PageRun& run) {
    const std::uint32_t first = run.first - set.first_page;
    launch(span_of(set, streaming_->region.data() + run.place - set.offsets[first], first, run.count),
           streaming_->queues.stream(queue));
  });
}

CudaPages::Traffic CudaPages::for_some_on_all(std::size_t s, const std::vector<std::uint32_t>& pages,
                                              const LaunchOn& launch) {
  std::vector<FannedQueues::Branch> branches;
  for (CudaPages* const one : led_)
    branches.push_back({&one->streaming_->queues, &one->takes_, [one] { one->device_.select(); }});
  FannedQueues queues(std::move(branches), streaming_->cache.page_bytes());
  std::vector<std::uint32_t> numbers(pages);
  for (std::uint32_t& page : numbers) page += sets_[s].first_page;
  std::uint64_t met = 0;
  Traffic traffic = stream(std::move(numbers), queues, [&](std::uint32_t queue, const PageRun& run) {
    queues.for_parts(run, [&](std::size_t i, const PageRun& part) {
      met += part.bytes;
      const CudaPages& on = *led_[i];
      const Set& set = on.sets_[s];
      const std::uint32_t first = part.first - set.first_page;
      launch(i, on.span_of(set, on.streaming_->region.data() + part.place - set.offsets[first], first, part.count),
             on.streaming_->queues.stream(queue));
    });
  });
  device_.select();
  traffic.loaded_bytes = queues.copied_bytes();
  traffic.cached_bytes = met - queues.copied_bytes();
  return traffic;
}

CudaPages::Traffic CudaPages::for_some_resident(const Set& set, const std::vector<std::uint32_t>& pages,
                                                const Launch& launch) {
  Traffic traffic;
  for (std::size_t i = 0; i < pages.size();) {
    const std::uint32_t first = pages[i];
    std::uint32_t count = 0;
    for (; i < pages.size() && pages[i] == first + count; ++i, ++count)
      traffic.cached_bytes += align_page(bytes_with(with_, store_.table(set.orientation)[pages[i]]));
    launch(span_of(set, set.resident.data(), first, count), device_.main_stream());
  }
  return traffic;
}

CudaPages::Traffic CudaPages::stream(std::vector<std::uint32_t> numbers, Queues& queues, const Compute& compute) {
  PageCache& cache = streaming_->cache;
  Pass from_disk;
  if (host_buffer_) {
    // The host plans first, and the device asks in the order that suits it.
    const auto misses =
        std::stable_partition(numbers.begin(), numbers.end(), [&](std::uint32_t page) { return cache.holds(page); });
    from_disk = host_buffer_->cache->plan({misses, numbers.end()});
    const std::vector<std::uint32_t> order = FedPages::order(from_disk);
    std::copy(order.begin(), order.end(), misses);
  }
  const Pass pass = cache.plan(numbers);
  try {
    if (host_buffer_) {
      FedPages fed(from_disk, *host_buffer_->cache, host_buffer_->region.data(), *host_buffer_->disk, queues);
      run_pass(pass, fed, queues, compute);
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

#else

namespace millrace {
struct CudaPages::Streaming {};
struct CudaPages::HostBuffer {};
CudaPages::~CudaPages() = default;
}  // namespace millrace

#endif
