// Numbers ids from the whole 64-bit range: a hash table with linear probing, from an id to its rank.
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "millrace/core/hash.h"
#include "millrace/core/memory.h"
#include "millrace/core/types.h"

namespace millrace {

// Takes 18 to 36 bytes per distinct id, and 8 more for the sorted ids (12 while they are being sorted).
class IdTable {
 public:
  explicit IdTable(Budget& budget);
  // The most memory it takes for `num_ids` ids: keys and ranks, or two tables of keys while it grows; and the ids.
  static std::uint64_t most_memory(std::uint64_t num_ids) {
    return buffer_memory(12 * slots_for(num_ids)) + 4096 + buffer_memory(8 * num_ids);
  }
  void insert(std::span<const OriginalId> ids);
  // To be called after the last insert, before anything else.
  void finish();

  // The number of distinct ids.
  std::uint64_t size() const { return ids_.size(); }

  // numbers[i] is how many distinct ids are smaller than ids[i], or no_vertex if ids[i] was not inserted.
  void find(std::span<const OriginalId> ids, VertexId* numbers) const;

  // The distinct ids, ascending; the table must not be used afterwards.
  Array<OriginalId> take_ids() { return std::move(ids_); }

 private:
  std::uint64_t slot_of(OriginalId id) const { return mix(id) >> std::countl_zero(keys_.size() - 1); }
  std::uint64_t next_slot(std::uint64_t slot) const { return (slot + 1) & (keys_.size() - 1); }
  // At most two thirds of the slots are full.
  static std::uint64_t slots_for(std::uint64_t keys) {
    return std::bit_ceil(std::max<std::uint64_t>(keys + keys / 2 + 1, 16));
  }
  bool insert_one(OriginalId id);
  void insert_some(std::span<const OriginalId> ids);
  void reserve(std::uint64_t keys);
  void sort_ids();
  void rank_keys();

  Budget* budget_;
  // 0 marks a free slot, so the id 0 is kept apart; as the smallest id it always has the number 0.
  Array<OriginalId> keys_;
  Array<VertexId> ranks_;
  Array<OriginalId> ids_;
  std::uint64_t num_keys_ = 0;
  bool has_zero_ = false;
};

}  // namespace millrace
