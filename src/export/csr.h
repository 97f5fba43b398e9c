// The rows of a graph in ascending order of original ids, with neighbours numbered the same way, for CSR formats.
//
// Rows are gathered in windows of as many rows as memory allows; each window reads once all pages that may have entries
// for it. If vertices are in the order of their ids, every page is read once in total; else less memory means more
// passes, up to a limit. Rows of an orientation without pages are gathered from the other one in the same way.
#pragma once

#include <atomic>
#include <compare>

#include "millrace/core/parallel.h"
#include "millrace/export/page_rows.h"
#include "millrace/export/places.h"

namespace millrace {

struct PlainEntry {
  VertexId neighbour;
  PlainEntry() = default;
  PlainEntry(VertexId place, std::uint64_t) : neighbour(place) {}
  auto operator<=>(const PlainEntry&) const = default;
};
// The weight is stored in two halves, so that an entry has 12 bytes.
struct WeightedEntry {
  VertexId neighbour;
  std::uint32_t high, low;
  WeightedEntry() = default;
  WeightedEntry(VertexId place, std::uint64_t weight)
      : neighbour(place), high(static_cast<std::uint32_t>(weight >> 32)), low(static_cast<std::uint32_t>(weight)) {}
  std::uint64_t weight() const { return std::uint64_t{high} << 32 | low; }
  auto operator<=>(const WeightedEntry&) const = default;
};

// The memory of the threads that read pages.
std::uint64_t reading_memory(const PageTable& table);

class CsrRows {
 public:
  // The least memory for the rows of an orientation, beside the Places.
  static std::uint64_t least_memory(const Store& store, Orientation orientation, bool weighted);

  CsrRows(const Store& store, Orientation orientation, const Places& places, Budget& budget);

  // Where the row of each place begins among all entries; n + 1 values.
  std::span<const std::uint64_t> offsets() const { return offsets_; }

  // Calls visit(entries) for all entries in order, window by window; the type Entry decides whether weights are read.
  template <class Entry, class Visit>
  void for_each_window(Visit visit) const;

 private:
  // Whether all windows together read each page about once.
  bool one_pass() const { return places_.natural() && !transposed_; }
  void count_degrees(Array<std::uint64_t>& offsets) const;
  // The end of the window that begins with row `first`, if it has room for `room` entries.
  std::uint64_t window_end(std::uint64_t first, std::uint64_t room) const;
  bool may_have(const PageEntry& page, std::uint64_t first, std::uint64_t last) const;
  std::uint64_t window_entries(std::uint64_t entry_bytes) const;
  template <class Entry>
  void gather(std::uint64_t first, std::uint64_t last, std::span<Entry> entries, Progress& progress) const;
  [[noreturn]] void throw_damaged() const;

  const Store& store_;
  const Places& places_;
  Budget& budget_;
  Orientation read_;  // the orientation whose pages are read
  bool transposed_;   // whether the rows are the transpose of those in the pages
  PageReader reader_;
  Array<std::uint64_t> offsets_;
  mutable Array<std::uint32_t> filled_;  // how many entries of each row this pass has found
};

// The least memory of an export of rows: of out-edges and, with `both`, of in-edges afterwards.
std::uint64_t rows_memory(const Store& store, bool both, bool weighted);

template <class Entry, class Visit>
void CsrRows::for_each_window(Visit visit) const {
  const std::uint64_t n = offsets_.size() - 1, all = offsets_[n];
  const Charge reading(reading_memory(reader_.table()), budget_, "reading pages");
  const std::uint64_t room = window_entries(sizeof(Entry));
  Array<Entry> window(room, budget_, "rows");
  std::uint64_t passes = 0;
  for (std::uint64_t row = 0; row < n; row = window_end(row, room)) ++passes;
  Progress progress("export", one_pass() ? all : passes * all);
  for (std::uint64_t first = 0; first < n;) {
    const std::uint64_t last = window_end(first, room);
    const std::span<Entry> entries(window.data(), offsets_[last] - offsets_[first]);
    gather<Entry>(first, last, entries, progress);
    visit(std::span<const Entry>(entries));
    first = last;
  }
}

template <class Entry>
void CsrRows::gather(std::uint64_t first, std::uint64_t last, std::span<Entry> entries, Progress& progress) const {
  constexpr bool weighted = std::is_same_v<Entry, WeightedEntry>;
  const std::uint64_t base = offsets_[first];
  std::fill(filled_.begin() + first, filled_.begin() + last, 0);
  // Reserves space for `count` entries of a row.
  const auto take = [&](std::uint64_t row, std::uint32_t count) {
    const std::uint64_t at = offsets_[row] + std::atomic_ref(filled_[row]).fetch_add(count, std::memory_order_relaxed);
    if (at + count > offsets_[row + 1]) throw_damaged();
    return entries.data() + (at - base);
  };
  const PageTable& table = reader_.table();
  parallel_for_each(table.size(), [&](std::uint64_t i) {
    const auto p = static_cast<std::uint32_t>(i);
    if (!may_have(table[p], first, last)) return;
    std::vector<std::byte> page(weighted ? table[p].bytes : table[p].topology_bytes);
    reader_.read(p, page);
    PageRows(weighted).for_each(PageView(page.data()), [&](const RowPart& part) {
      const VertexId place = places_[part.vertex];
      if (!transposed_) {
        if (place < first || place >= last) return;
        Entry* at = take(place, static_cast<std::uint32_t>(part.neighbours.size()));
        for (std::size_t j = 0; j < part.neighbours.size(); ++j)
          at[j] = Entry(places_[part.neighbours[j]], part.weight(j));
        return;
      }
      for (std::size_t j = 0; j < part.neighbours.size(); ++j)
        if (const VertexId row = places_[part.neighbours[j]]; row >= first && row < last)
          *take(row, 1) = Entry(place, part.weight(j));
    });
    progress.advance(table[p].edges);
  });
  // Pages are read in any order, and the order of places is not that of vertices: so rows are sorted.
  parallel_for_each((last - first + 1023) / 1024, [&](std::uint64_t block) {
    const std::uint64_t start = first + block * 1024;
    for (std::uint64_t row = start; row < std::min(last, start + 1024); ++row) {
      if (filled_[row] != offsets_[row + 1] - offsets_[row]) throw_damaged();
      const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(offsets_[row] - base);
      const auto end = begin + filled_[row];
      if (!std::is_sorted(begin, end)) std::sort(begin, end);
    }
  });
}

}  // namespace millrace
