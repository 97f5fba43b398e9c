// Numbers names in the order in which they are added: a hash table with linear probing.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <string_view>

#include "millrace/build/name_log.h"
#include "millrace/core/memory.h"
#include "millrace/core/types.h"

namespace millrace {

class StoreWriter;

class NameTable {
 public:
  NameTable();

  std::uint64_t size() const { return names_.size(); }
  // The numbers of names; no_vertex for those that are not in the table. Many threads may call it at the same time.
  void find(std::span<const std::string_view> names, VertexId* numbers) const;
  // The same, but unknown names get the next numbers, in their order. Throws DoesNotFitError past max_vertices.
  void add(std::span<const std::string_view> names, VertexId* numbers);

  // From now on the table is charged to this budget, what is there as well. Throws OverBudgetError, also from add(),
  // and then has the names that it had before.
  void keep_within(NameRoom room);
  // The least memory for so many names.
  static std::uint64_t least_memory(std::uint64_t names);

  // The names by number; the table must not be used afterwards.
  Names take_names();
  void write_names(StoreWriter& writer);

  static std::uint64_t hash_of(std::string_view name);

 private:
  VertexId add(std::string_view name, std::uint64_t hash);
  // The slot of the name, or the free slot in which to put it.
  std::uint64_t slot_of(std::string_view name, std::uint64_t hash) const;
  void grow();
  // At most three quarters of the slots are taken.
  static std::uint64_t slots_for(std::uint64_t names) {
    return std::bit_ceil(std::max<std::uint64_t>(names + names / 3 + 1, 1024));
  }

  // A slot has the number of a name, and the upper half of its hash, which saves most comparisons of names.
  struct Slot {
    std::uint32_t tag = 0;
    VertexId number_plus_one = 0;  // 0 marks a free slot, as new memory is zero
  };
  Array<Slot> slots_;
  NameLog names_;
};

}  // namespace millrace
