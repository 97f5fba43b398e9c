#include "millrace/export/csr.h"

#include <algorithm>

#include "millrace/core/error.h"

namespace millrace {
namespace {

// Window sizes without a limit on memory, and in natural order, where more windows cost nothing.
constexpr std::uint64_t default_window_bytes = std::uint64_t{2} << 30, natural_window_bytes = 256u << 20;
constexpr std::uint64_t most_passes = 64;

}  // namespace

std::uint64_t reading_memory(const PageTable& table) {
  std::uint64_t largest = 0;
  for (const PageEntry& entry : table) largest = std::max<std::uint64_t>(largest, entry.bytes);
  return static_cast<std::uint64_t>(omp_get_max_threads()) * (largest + PageRows::memory);
}

std::uint64_t CsrRows::least_memory(const Store& store, Orientation orientation, bool weighted) {
  const std::uint64_t n = store.num_vertices();
  const bool known = store.manifest()
                         .degrees[static_cast<std::size_t>(store.manifest().directed ? orientation : Orientation::out)]
                         .has_value();
  std::uint64_t longest = known ? 0 : store.num_edges();
  if (known) {
    Budget aside(Budget::unlimited, "the disk", Keep::in_file);  // in a file: takes no memory
    for (const std::uint32_t degree : store.load_degrees(orientation, aside))
      longest = std::max<std::uint64_t>(longest, degree);
  }
  const std::uint64_t window =
      std::max(longest, store.num_edges() / most_passes) * (weighted ? sizeof(WeightedEntry) : sizeof(PlainEntry));
  const Orientation read = store.has(orientation) ? orientation : opposite(orientation);
  return buffer_memory(8 * (n + 1)) + buffer_memory(4 * n) +
         std::max(buffer_memory(4 * n), reading_memory(store.table(read)) + buffer_memory(window));
}

std::uint64_t rows_memory(const Store& store, bool both, bool weighted) {
  std::uint64_t rows = CsrRows::least_memory(store, Orientation::out, weighted);
  if (both) rows = std::max(rows, CsrRows::least_memory(store, Orientation::in, weighted));
  return std::max(Places::memory(store), Places::kept(store) + rows);
}

CsrRows::CsrRows(const Store& store, Orientation orientation, const Places& places, Budget& budget)
    : store_(store),
      places_(places),
      budget_(budget),
      read_(store.has(orientation) ? orientation : opposite(orientation)),
      transposed_(read_ != orientation),
      reader_(store.page_reader(read_)) {
  const std::uint64_t n = store.num_vertices();
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
  const Charge reading(reading_memory(reader_.table()), budget_, "reading pages");
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
  // Buffers take whole pages of memory.
  const std::uint64_t room = std::min(all, bytes / 4096 * 4096 / entry_bytes);
  return std::max({room, longest, one_pass() || budget_.limit() == Budget::unlimited ? 0 : all / most_passes});
}

void CsrRows::throw_damaged() const {
  throw DamagedStoreError("{}: degrees and pages disagree; the store is damaged, and millrace verify says how",
                          store_.path().string());
}

}  // namespace millrace
