// Numbers names in the order in which they are added: a hash table with linear probing.
#pragma once

#include <span>
#include <string_view>

#include "millrace/core/memory.h"
#include "millrace/core/types.h"
#include "millrace/store/names.h"

namespace millrace {

class NameTable {
 public:
  NameTable();

  std::uint64_t size() const { return names_.size(); }
  // The numbers of names; no_vertex for those that are not in the table. Many threads may call it at the same time.
  void find(std::span<const std::string_view> names, VertexId* numbers) const;
  // The same, but unknown names get the next numbers, in their order. Throws DoesNotFitError past max_vertices.
  void add(std::span<const std::string_view> names, VertexId* numbers);

  // The names by number; the table must not be used afterwards.
  Names take_names() { return std::move(names_); }

 private:
  VertexId add(std::string_view name, std::uint64_t hash);
  // The slot of the name, or the free slot in which to put it.
  std::uint64_t slot_of(std::string_view name, std::uint64_t hash) const;
  void grow();

  // A slot has the number of a name, and the upper half of its hash, which saves most comparisons of names.
  struct Slot {
    std::uint32_t tag = 0;
    VertexId number_plus_one = 0;  // 0 marks a free slot, as new memory is zero
  };
  Array<Slot> slots_;
  Names names_;
};

}  // namespace millrace
