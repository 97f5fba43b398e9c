// Numbers for names, in the order in which they are added: a hash table with linear probing.
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
  // Numbers of names, no_vertex for those that are not there. Any number of threads may ask at the same time.
  void find(std::span<const std::string_view> names, VertexId* numbers) const;
  // The same, but names that are not there get the next numbers, in their order. Throws DoesNotFitError past
  // max_vertices.
  void add(std::span<const std::string_view> names, VertexId* numbers);

  // The names by number; the table is not to be used afterwards.
  Names take_names() { return std::move(names_); }

 private:
  VertexId add(std::string_view name, std::uint64_t hash);
  // The slot that holds the name, or the free one where it would go.
  std::uint64_t slot_of(std::string_view name, std::uint64_t hash) const;
  void grow();

  // A slot is a number, which leads to the name, and the upper half of the hash, which saves most looks at the name.
  struct Slot {
    std::uint32_t tag = 0;
    VertexId number_plus_one = 0;  // 0 marks a free slot, as fresh memory has it
  };
  Array<Slot> slots_;
  Names names_;
};

}  // namespace millrace
