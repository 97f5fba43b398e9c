#include "millrace/export/csr.h"

#include <algorithm>

#include "millrace/core/error.h"

namespace millrace {
namespace {

// Without a limit on memory, and where a window more costs nothing.
constexpr std::uint64_t default_window_bytes = std::uint64_t{2} << 30, natural_window_bytes = 256u << 20;
constexpr std::uint64_t most_passes = 64;

}  // namespace

CsrRows::CsrRows(const Store& store, Orientation orientation, const Places& places, Budget& budget)
    : store_(store),
      places_(places),
      budget_(budget),
      read_(store.has(orientation) ? orientation : opposite(orientation)),
      transposed_(read_ != orientation),
      reader_(store.page_reader(read_)) {
  // All of it at once, so that a limit is raised once: the rest comes after degrees have gone.
  const std::uint64_t n = store.num_vertices();
  const std::uint64_t least_window = one_pass() ? 0 : store.num_edges() / most_passes * sizeof(WeightedEntry);
  budget.require(12 * n + std::max(4 * n, reading_memory() + least_window), "rows in the order of ids");
  offsets_ = Array<std::uint64_t>(n + 1, budget, "offsets");
  filled_ = Array<std::uint32_t>(n, budget, "offsets");
  if (store.manifest().degrees[static_cast<std::size_t>(store.manifest().directed ? orientation : Orientation::out)]) {
    const Array<std::uint32_t> degrees = store.load_degrees(orientation, budget);
    for (std::uint64_t v = 0; v < n; ++v) offsets_[places_[static_cast<VertexId>(v)] + 1] = degrees[v];
  } else {
    count_degrees(offsets_);
  }
  for (std::uint64_t row = 0; row < n; ++row) offsets_[row + 1] += offsets_[row];
  if (offsets_[n] != store.num_edges()) throw_damaged();
}

void CsrRows::count_degrees(Array<std::uint64_t>& offsets) const {
  const Charge reading(reading_memory(), budget_, "reading pages");
  Progress progress("count edges", store_.num_edges());
  const auto add = [&](VertexId vertex, std::uint64_t count) {
    std::atomic_ref(offsets[places_[vertex] + 1]).fetch_add(count, std::memory_order_relaxed);
  };
  parallel_for_each(reader_.table().size(), [&](std::uint64_t i) {
    const auto p = static_cast<std::uint32_t>(i);
    std::vector<std::byte> page(reader_.table()[p].topology_bytes);
    reader_.read(p, page);
    PageRows(false).for_each(PageView(page.data()), [&](const RowPart& part) {
      if (!transposed_) return add(part.vertex, part.neighbours.size());
      for (const VertexId neighbour : part.neighbours) add(neighbour, 1);
    });
    progress.advance(reader_.table()[p].edges);
  });
}

std::uint64_t CsrRows::window_end(std::uint64_t first, std::uint64_t room) const {
  const auto* const end = std::upper_bound(offsets_.begin() + first + 1, offsets_.end(), offsets_[first] + room);
  return static_cast<std::uint64_t>(end - offsets_.begin()) - 1;
}

bool CsrRows::may_have(const PageEntry& page, std::uint64_t first, std::uint64_t last) const {
  if (!places_.natural()) return true;
  const std::uint64_t lowest = transposed_ ? page.min_neighbour : page.first_vertex;
  const std::uint64_t highest =
      transposed_ ? page.max_neighbour : std::uint64_t{page.first_vertex} + page.vertex_count - 1;
  return lowest < last && highest >= first;
}

std::uint64_t CsrRows::window_entries(std::uint64_t entry_bytes) const {
  const std::uint64_t n = offsets_.size() - 1, all = offsets_[n];
  std::uint64_t longest = 0;
  for (std::uint64_t row = 0; row < n; ++row) longest = std::max(longest, offsets_[row + 1] - offsets_[row]);
  const std::uint64_t left = budget_.limit() - std::min(budget_.limit(), budget_.used());
  std::uint64_t bytes = one_pass() ? natural_window_bytes : default_window_bytes;
  if (budget_.limit() != Budget::unlimited) bytes = one_pass() ? std::min(bytes, left) : left;
  // Buffers are whole numbers of memory pages.
  const std::uint64_t room = std::min(all, bytes / 4096 * 4096 / entry_bytes);
  return std::max({room, longest, one_pass() || budget_.limit() == Budget::unlimited ? 0 : all / most_passes});
}

std::uint64_t CsrRows::reading_memory() const {
  std::uint64_t largest = 0;
  for (const PageEntry& entry : reader_.table()) largest = std::max<std::uint64_t>(largest, entry.bytes);
  return static_cast<std::uint64_t>(omp_get_max_threads()) * (largest + PageRows::memory);
}

void CsrRows::throw_damaged() const {
  throw BadInputError("{}: degrees and pages disagree; the store is damaged, and millrace verify says how",
                      store_.path().string());
}

}  // namespace millrace
