// The choice between pages that stay and pages that stream, and all of the former; cuda_pages_streamed.cpp has the
// latter.
#include "millrace/engine/cuda_pages.h"

#include "millrace/engine/cuda_pages_streamed.h"
#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>
#include <numeric>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/text.h"
#include "millrace/engine/cuda_loader.h"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/pages/encode.h"

namespace millrace {
namespace {

template <class T>
CudaArray<T> to_device(CudaDevice& device, const std::vector<T>& values, const std::string& what) {
  CudaArray<T> array(device, values.size(), what);
  device.copy_to_device(array.data(), values.data(), array.bytes());
  return array;
}

}  // namespace

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
  std::uint64_t segments = 1;
  for (std::size_t i = 0; i < sets_.size(); ++i) segments = std::max<std::uint64_t>(segments, table(i).num_segments());
  if (plan.rows > 0) {
    const std::uint64_t taken = std::min(left, plan.attributes + plan.described);
    const std::uint64_t indices = (left - taken) / (plan.rows / plan.row_indices);
    try {
      for (std::uint32_t i = 0; i < std::min<std::uint64_t>(plan.row_indices, indices); ++i)
        rows_.push_back({CudaArray<cuda::RowSpot>(device_, store_.num_vertices() * segments, "the row index"), {}});
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
  // The number of threads for which host memory has buffers, at least one; if one does not fit, its allocation reports
  // how much is missing.
  const std::uint64_t host_left = device_.host_memory().limit() - device_.host_memory().used();
  const std::uint64_t most =
      std::min<std::uint64_t>(omp_get_max_threads(), host_left / (2 * largest + 2 * page_alignment));
  const int threads =
      static_cast<int>(std::clamp<std::uint64_t>(pieces.size() / 2, 1, std::max<std::uint64_t>(most, 1)));
  Draw draw;
  on_threads(threads, [&](const ThreadOf& thread) {
    std::optional<CudaLoader> loader;
    first_exception.run(~std::uint64_t{0} - 1, [&] {
      loader.emplace(device_, reader, with_, largest,
                     static_cast<std::uint32_t>(thread.index()) % CudaDevice::num_queues);
    });
    draw.for_each(pieces.size(), [&](std::uint64_t i) {
      if (!loader || first_exception.thrown_before(i) || interrupted()) return;
      first_exception.run(i, [&] {
        const Piece piece = pieces[i];
        loader->load(piece.first, piece.last, set.resident.data() + piece.place);
        progress.advance((piece.last == table.size() ? set.bytes : pieces[i + 1].place) - piece.place);
      });
    });
  });
  first_exception.rethrow();
  throw_if_interrupted();
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
          .first_page = first,
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
  const Set& one = sets_[set];
  const std::byte* const pages = placement_.resident ? one.resident.data() : one.host.page_data(0);
  return span_of(one, pages, 0, num_pages(set));
}

PageSpan CudaPages::segment(std::size_t set, std::uint32_t number) const {
  const std::uint32_t first = table(set).first_page(number);
  return span_of(sets_[set], sets_[set].resident.data(), first, table(set).first_page(number + 1) - first);
}

cuda::RowPlaces CudaPages::rows(std::size_t set) {
  const std::uint32_t segments = table(set).num_segments();
  if (finds_far_rows(set)) return {far_rows_[set].data(), segments, store_.num_vertices(), true};
  Rows& rows = rows_[std::min(set, rows_.size() - 1)];
  if (rows.set != set) {
    rows.set.reset();  // until all are found
    device_.set_bytes(rows.spots.data(), 0xff, rows.spots.bytes());
    std::uint32_t segment = 0;
    for_segments(set, nullptr, [&](const PageSpan& span, CUstream_st* stream) {
      cuda::find_rows(span, rows.spots.data() + store_.num_vertices() * segment++, stream);
    });
    rows.set = set;
  }
  return {rows.spots.data(), segments, store_.num_vertices()};
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
  if (!pages && placement_.resident) traffic.cached_bytes = sets_[set].bytes;
  return traffic;
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

CudaPages::Traffic CudaPages::for_some(std::size_t set, const std::vector<std::uint32_t>& pages,
                                       const std::vector<std::uint32_t>& soon, const Launch& launch) {
  return placement_.resident ? for_some_resident(sets_[set], pages, launch)
                             : for_some_streamed(sets_[set], pages, soon, launch);
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

}  // namespace millrace

#else

namespace millrace {
CudaPages::~CudaPages() = default;
PassTimes CudaPages::take_times() { return {}; }
}  // namespace millrace

#endif
