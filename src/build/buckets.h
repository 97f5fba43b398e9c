// Groups edges by the planned page of their row key: one stable parallel scatter.
#pragma once

#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "millrace/core/memory.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"
#include "millrace/core/types.h"

namespace millrace {

// Finds the bucket of a row key: by a coarse table, then a step or two.
class BucketFinder {
 public:
  // `first_row`: the first row key of each bucket, and one past the last; must outlive this object.
  explicit BucketFinder(std::span<const std::uint64_t> first_row) : first_row_(first_row) {
    // Some cells for each bucket, but a limit on cells, so that few buckets over many rows do not get a large
    // table.
    const std::uint64_t rows = first_row.back() - first_row.front();
    const std::uint64_t cells = 64 * first_row.size();
    shift_ = std::max(6, static_cast<int>(std::bit_width(rows / cells)));
    table_.reserve((rows >> shift_) + 1);
    std::uint32_t bucket = 0;
    for (std::uint64_t row = 0; row < rows; row += std::uint64_t{1} << shift_) {
      while (first_row_[bucket + 1] <= first_row.front() + row) ++bucket;
      table_.push_back(bucket);
    }
  }
  std::uint64_t num_buckets() const { return first_row_.size() - 1; }
  std::uint32_t operator()(std::uint64_t row_key) const {
    std::uint32_t bucket = table_[(row_key - first_row_.front()) >> shift_];
    while (first_row_[bucket + 1] <= row_key) ++bucket;
    return bucket;
  }

 private:
  std::span<const std::uint64_t> first_row_;
  int shift_ = 0;
  std::vector<std::uint32_t> table_;
};

template <class Item>
struct Buckets {
  Array<Item> items;                   // may have room for more items than there are
  std::vector<std::uint64_t> offsets;  // bucket b is items[offsets[b] .. offsets[b+1])
  std::span<Item> bucket(std::uint64_t b) { return {items.data() + offsets[b], offsets[b + 1] - offsets[b]}; }
  std::uint64_t num_items() const { return offsets.back(); }
};

// Splits [0, count) into a few ranges and calls visit(first, last, emit) twice for each; emit(row key, item) puts the
// item into the bucket of the row key, in the order of the ranges and of the calls. Memory of `buckets` is reused.
// Bound by the random cache lines that it writes, one per bucket.
template <class Item, class Visit>
void scatter(std::uint64_t count, const BucketFinder& find, Visit visit, Buckets<Item>& buckets, Budget& budget) {
  const std::uint64_t num_buckets = find.num_buckets();
  const int max_threads = loop_threads(count);
  std::vector<std::vector<std::uint64_t>> place(max_threads);  // per thread, per bucket
  for (auto& mine : place) mine.assign(num_buckets, 0);

  buckets.offsets.assign(num_buckets + 1, 0);
  on_threads(max_threads, [&](const ThreadOf& thread) {
    const std::uint64_t threads = thread.count();
    const std::uint64_t first = count * thread.index() / threads, last = count * (thread.index() + 1) / threads;
    std::vector<std::uint64_t>& mine = place[thread.index()];
    // Once Ctrl-C was pressed, the rest is left out: nobody will read it.
    const auto visit_all = [&](const auto& emit) {
      constexpr std::uint64_t block = 1u << 20;
      for (std::uint64_t from = first; from < last && !interrupted(); from += block)
        visit(from, std::min(last, from + block), emit);
    };
    visit_all([&](std::uint64_t row_key, const Item&) { ++mine[find(row_key)]; });
    thread.meet();
    if (thread.index() == 0) {
      std::uint64_t next = 0;
      for (std::uint64_t b = 0; b < num_buckets; ++b) {
        buckets.offsets[b] = next;
        for (std::uint64_t t = 0; t < threads; ++t) next += std::exchange(place[t][b], next);
      }
      buckets.offsets[num_buckets] = next;
      if (buckets.items.size() < next) {
        buckets.items = {};
        buckets.items = Array<Item>(next, budget, "edges by page");
      }
    }
    thread.meet();
    Item* const items = buckets.items.data();
    visit_all([&](std::uint64_t row_key, const Item& item) { items[mine[find(row_key)]++] = item; });
  });
  throw_if_interrupted();
}

}  // namespace millrace
