#include "millrace/engine/cuda_page_set.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>
#include <optional>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/text.h"
#include "millrace/engine/cuda_loader.h"
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

CudaPageSet::CudaPageSet(const Store& store, Orientation orientation, With with, std::uint32_t first_page,
                         CudaDevice& device)
    : store_(store),
      device_(device),
      orientation_(orientation),
      with_(with),
      first_page_(first_page),
      step_(num_pages() > 0 && (table()[0].flags & page_flag_parallel) ? 0 : 1),
      bytes_(store.page_memory(orientation, with)) {}

std::vector<std::uint32_t> CudaPageSet::numbered(std::vector<std::uint32_t> pages) const {
  for (std::uint32_t& page : pages) page += first_page_;
  return pages;
}

std::uint64_t CudaPageSet::num_sources() const {
  std::uint64_t sources = 0;
  for (const PageEntry& entry : table()) sources = std::max(sources, std::uint64_t{entry.max_neighbour} + 1);
  return sources;
}

void CudaPageSet::load(std::uint32_t largest_page) {
  const PageReader reader = store_.page_reader(orientation_, PageReader::Into::aligned);
  const PageTable& table = reader.table();
  struct Piece {
    std::uint32_t first, last;
    std::uint64_t place;
  };
  std::vector<Piece> pieces;
  const std::uint64_t largest = std::max<std::uint64_t>(CudaLoader::chunk_bytes, largest_page);
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
  Progress progress(fmt::format("load {}", orientation_name(orientation_)), bytes_, Progress::Unit::bytes);
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
        loader->load(piece.first, piece.last, resident_.data() + piece.place);
        progress.advance((piece.last == table.size() ? bytes_ : pieces[i + 1].place) - piece.place);
      });
    });
  });
  first_exception.rethrow();
  throw_if_interrupted();
}

void CudaPageSet::describe() {
  PageLayout layout = lay_out_pages(table(), with_);
  spots_ = to_device(device_, layout.spots, "the page table");
  blocks_ = to_device(device_, layout.blocks, "the page table");
  hub_slices_ = to_device(device_, layout.hub_slices, "the page table");
  first_block_ = std::move(layout.first_block);
  first_hub_slice_ = std::move(layout.first_hub_slice);
  for (const PageSpot& spot : layout.spots) offsets_.push_back(spot.offset);
}

PageSpan CudaPageSet::span(const std::byte* base, std::uint32_t first, std::uint32_t count) const {
  const std::uint32_t block = first_block_[first], hub_slice = first_hub_slice_[first];
  return {.base = base,
          .spots = spots_.data(),
          .blocks = blocks_.data() + block,
          .hub_slices = hub_slices_.data() + hub_slice,
          .first_page = first,
          .num_blocks = first_block_[first + count] - block,
          .num_hub_slices = first_hub_slice_[first + count] - hub_slice,
          .step = step_,
          .weight_type = store_.manifest().weight_type};
}

}  // namespace millrace

#endif
