// Makes planned pages from their edges, given in any order: groups them by page, sorts, merges, encodes. Bound by the
// memory traffic of the scatter and by the sort inside a core's cache.
#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include "millrace/build/buckets.h"
#include "millrace/build/items.h"
#include "millrace/build/merge_weights.h"
#include "millrace/build/radix_sort.h"
#include "millrace/build/written.h"
#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"
#include "millrace/core/wait_count.h"
#include "millrace/pages/encode.h"

namespace millrace {

template <class Item>
class PageSorter {
 public:
  static constexpr bool weighted = std::is_same_v<Item, WeightedItem>;

  PageSorter(const ItemRules& rules, const WeightMerge& merge, const PageOptions& pages, StoreWriter& writer,
             Progress& progress, Written& written, Budget& budget)
      : rules_(rules),
        merge_(merge),
        page_options_(pages),
        writer_(writer),
        progress_(progress),
        written_(written),
        budget_(budget) {}

  // Fewer threads, if memory is short.
  void use_threads(int threads) { threads_ = threads; }

  // Writes the pages whose first row keys are given (and one past the last). visit(first, last, emit) must emit the
  // items with indices in [first, last) of `count`.
  template <class Visit>
  void write(std::span<const std::uint64_t> first_row, std::uint64_t count, Visit visit) {
    scatter<Item>(count, BucketFinder(first_row), visit, buckets_, budget_);
    const std::uint64_t num_pages = first_row.size() - 1;
    FirstException failed;
    Draw draw;
    WaitCount next;  // the page to be written next
    on_threads(threads_for(num_pages, 1, threads_), [&](const ThreadOf&) {
      std::optional<Worker> worker;
      failed.run(num_pages, [&] { worker.emplace(*this); });
      draw.for_each(num_pages, [&](std::uint64_t p) {
        if (worker && !failed.thrown_before(p))
          failed.run(p, [&] { worker->encode(first_row[p], first_row[p + 1], buckets_.bucket(p)); });
        // Pages are drawn in order, so whoever has the lowest one that is not written does not wait here.
        const auto turn = static_cast<std::uint32_t>(p);
        for (std::uint32_t now = next.load(); now != turn; now = next.load()) next.await_change(now, false);
        if (worker && !failed.thrown()) failed.run(p, [&] { write(*worker, buckets_.bucket(p).size()); });
        next.add(1);
        next.wake();
      });
    });
    failed.rethrow();
  }

 private:
  // Sorts, merges and encodes one page after another; one per thread.
  class Worker {
   public:
    explicit Worker(PageSorter& sorter) : sorter_(sorter), encoder_(sorter.page_options_) {}

    // The pages of the last encode(): one planned page may have become several.
    std::vector<EncodedPage> pages;
    std::uint64_t self_loops = 0;

    // The rows from `first_row` up to `last_row`, which are row keys of one segment.
    void encode(std::uint64_t first_row, std::uint64_t last_row, std::span<Item> items) {
      pages.clear();
      const ItemRules& rules = sorter_.rules_;
      const VertexId first = rules.row_of(first_row), last = rules.end_row(first_row, last_row);
      if (items.size() > ~std::uint32_t{0})
        throw DoesNotFitError("vertices {} to {} have {} edges as read; at most {} can be brought together", first,
                              last - 1, items.size(), ~std::uint32_t{0});
      const std::uint64_t base = rules.first_key(first_row);
      const std::uint32_t bits =
          rules.neighbour_bits + static_cast<std::uint32_t>(std::bit_width(std::uint64_t{last} - first - 1));
      make_room(scratch_, items.size());
      const std::span<Item> sorted = radix_sort(items, std::span<Item>(scratch_).first(items.size()), bits,
                                                [base](const Item& item) { return key_of(item) - base; });
      merge(first, last, sorted);
      encoder_.encode({.first_vertex = first,
                       .offsets = std::span<const std::uint64_t>(offsets_).first(std::size_t{last} - first + 1),
                       .neighbours = neighbours_.data(),
                       .weights = weighted || sorter_.counts() ? weights_.data() : nullptr},
                      pages);
    }

   private:
    template <class T>
    void make_room(Array<T>& array, std::uint64_t size) {
      if (array.size() >= size) return;
      array = {};
      array = Array<T>(size, sorter_.budget_, "a page that is sorted");
    }

    void merge(VertexId first, VertexId last, std::span<const Item> sorted) {
      const bool keep = sorter_.merge_.policy == Duplicates::keep, counts = sorter_.counts();
      const ItemRules& rules = sorter_.rules_;
      Written& written = sorter_.written_;
      make_room(offsets_, std::size_t{last} - first + 1);
      std::fill_n(offsets_.begin(), std::size_t{last} - first + 1, 0);
      make_room(neighbours_, sorted.size());
      if (weighted || counts) make_room(weights_, sorted.size());
      self_loops = 0;
      std::uint64_t out = 0;
      std::uint64_t previous = ~std::uint64_t{0};
      for (const Item& item : sorted) {
        const std::uint64_t key = key_of(item);
        if (key == previous && !keep) {
          if constexpr (weighted)
            weights_[out - 1] = sorter_.merge_.combine(weights_[out - 1], item.weight);
          else if (counts)
            ++weights_[out - 1];
          continue;
        }
        previous = key;
        const VertexId row = rules.row(key), neighbour = rules.neighbour(key);
        ++offsets_[row - first + 1];
        neighbours_[out] = neighbour;
        self_loops += row == neighbour;
        if constexpr (weighted)
          weights_[out] = sorter_.merge_.begin(item.weight);
        else if (counts)
          weights_[out] = 1;
        ++out;
      }
      if constexpr (weighted)
        if (sorter_.merge_.policy == Duplicates::sum)
          for (std::uint64_t i = 0; i < out; ++i) weights_[i] = sorter_.merge_.finish_sum(weights_[i]);
      if (!written.other_degrees.empty())
        for (std::uint64_t i = 0; i < out; ++i)
          std::atomic_ref(written.other_degrees[neighbours_[i]]).fetch_add(1, std::memory_order_relaxed);
      for (VertexId row = 0; row < last - first; ++row) {
        written.add_degree(first + row, static_cast<std::uint32_t>(offsets_[row + 1]));
        offsets_[row + 1] += offsets_[row];
      }
    }

    PageSorter& sorter_;
    PageEncoder encoder_;
    Array<Item> scratch_;
    Array<std::uint64_t> offsets_;
    Array<VertexId> neighbours_;
    Array<std::uint64_t> weights_;
  };

  bool counts() const { return merge_.policy == Duplicates::count; }

  void write(Worker& worker, std::uint64_t items) {
    for (EncodedPage& page : worker.pages) {
      written_.edges += page.entry.edges;
      writer_.append_page(rules_.orientation, std::move(page));
    }
    written_.self_loops += worker.self_loops;
    progress_.add(items);
  }

  const ItemRules& rules_;
  WeightMerge merge_;
  PageOptions page_options_;
  StoreWriter& writer_;
  Progress& progress_;
  Written& written_;
  Budget& budget_;
  int threads_ = omp_get_max_threads();
  Buckets<Item> buckets_;
};

}  // namespace millrace
