#include "millrace/build/id_table.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/core/parallel_sort.h"
#include "millrace/core/progress.h"

namespace millrace {
namespace {

constexpr std::uint64_t batch_ids = 1 << 20;     // how many ids are inserted between two checks of the load
constexpr std::uint64_t chunk_slots = 1 << 16;   // how many slots a thread collects at a time
constexpr std::uint64_t prefetch_distance = 16;  // lookups in flight, to hide the latency of memory

}  // namespace

IdTable::IdTable(Budget& budget) : budget_(&budget) { reserve(0); }

void IdTable::insert(std::span<const OriginalId> ids) {
  for (std::uint64_t i = 0; i < ids.size(); i += batch_ids) {
    throw_if_interrupted();
    insert_some(ids.subspan(i, std::min<std::uint64_t>(batch_ids, ids.size() - i)));
  }
}

void IdTable::finish() {
  sort_ids();
  rank_keys();
}

// Adds an id other than 0, while other threads do the same; false if it is there already.
bool IdTable::insert_one(OriginalId id) {
  for (std::uint64_t slot = slot_of(id);; slot = next_slot(slot)) {
    const std::atomic_ref key(keys_[slot]);
    OriginalId found = key.load(std::memory_order_relaxed);
    if (found == 0 && key.compare_exchange_strong(found, id, std::memory_order_relaxed)) return true;
    if (found == id) return false;
  }
}

void IdTable::insert_some(std::span<const OriginalId> ids) {
  reserve(num_keys_ + ids.size());
  struct Added {
    std::uint64_t keys = 0;
    bool zero = false;
  };
  const auto insert = [&](Added& added, std::uint64_t i) {
    if (i + prefetch_distance < ids.size()) __builtin_prefetch(&keys_[slot_of(ids[i + prefetch_distance])], 1);
    added.zero = added.zero || ids[i] == 0;
    added.keys += ids[i] != 0 && insert_one(ids[i]);
  };
  const Added added = parallel_reduce(ids.size(), Added(), insert, [](Added& all, const Added& part) {
    all.keys += part.keys;
    all.zero |= part.zero;
  });
  num_keys_ += added.keys;
  has_zero_ |= added.zero;
  if (num_keys_ + has_zero_ > max_vertices)
    throw DoesNotFitError("more than {} distinct vertex ids, which is what a store can hold", max_vertices);
}

void IdTable::reserve(std::uint64_t keys) {
  const std::uint64_t slots = slots_for(keys);
  if (slots <= keys_.size()) return;
  const Array<OriginalId> old = std::exchange(keys_, {slots, *budget_, "the table of vertex ids"});
  parallel_for(old.size(), [&](std::uint64_t slot) {
    if (old[slot] != 0) insert_one(old[slot]);
  });
}

void IdTable::sort_ids() {
  const std::uint64_t chunks = (keys_.size() + chunk_slots - 1) / chunk_slots;
  std::vector<std::uint64_t> before(chunks + 1);
  const auto chunk = [this](std::uint64_t c) {
    const std::uint64_t begin = c * chunk_slots;
    return std::span(keys_.data() + begin, std::min(chunk_slots, keys_.size() - begin));
  };
  const auto is_used = [](OriginalId key) { return key != 0; };
  const auto count = [&](std::uint64_t c) {
    before[c] = static_cast<std::uint64_t>(std::ranges::count_if(chunk(c), is_used));
  };
  parallel_for(chunks, count, chunk_slots);
  std::exclusive_scan(before.begin(), before.end(), before.begin(), std::uint64_t{has_zero_});
  ids_ = Array<OriginalId>(before[chunks], *budget_, "the id map");
  const auto copy = [&](std::uint64_t c) { std::ranges::copy_if(chunk(c), ids_.data() + before[c], is_used); };
  parallel_for(chunks, copy, chunk_slots);
  parallel_sort(std::span<OriginalId>(ids_));
}

void IdTable::rank_keys() {
  ranks_ = Array<VertexId>(keys_.size(), *budget_, "the ranks of vertex ids");
  parallel_for(ids_.size() - has_zero_, [&](std::uint64_t key) {
    const std::uint64_t i = key + has_zero_;
    if (i + prefetch_distance < ids_.size()) __builtin_prefetch(&keys_[slot_of(ids_[i + prefetch_distance])]);
    std::uint64_t slot = slot_of(ids_[i]);
    while (keys_[slot] != ids_[i]) slot = next_slot(slot);
    ranks_[slot] = static_cast<VertexId>(i);
  });
}

void IdTable::find(std::span<const OriginalId> ids, VertexId* numbers) const {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + prefetch_distance < ids.size()) {
      const std::uint64_t later = slot_of(ids[i + prefetch_distance]);
      __builtin_prefetch(&keys_[later]);
      __builtin_prefetch(&ranks_[later]);
    }
    if (ids[i] == 0) {
      numbers[i] = has_zero_ ? 0 : no_vertex;
      continue;
    }
    std::uint64_t slot = slot_of(ids[i]);
    while (keys_[slot] != 0 && keys_[slot] != ids[i]) slot = next_slot(slot);
    numbers[i] = keys_[slot] == 0 ? no_vertex : ranks_[slot];
  }
}

}  // namespace millrace
