// From original ids, which may be any 64-bit numbers, to vertices numbered by ascending original id.
#pragma once

#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "millrace/build/edge_list.h"
#include "millrace/build/id_bitmap.h"
#include "millrace/build/id_table.h"
#include "millrace/core/memory.h"
#include "millrace/core/types.h"

namespace millrace {

// Maps every id of a set to its number: by a bitmap if the ids are close together, else by a hash table.
class IdIndex {
 public:
  // A function that passes all ids to `piece`, some at a time; called once.
  using Pieces = std::function<void(const std::function<void(std::span<const OriginalId>)>& piece)>;
  // Numbers the distinct ids in `pieces`, which have `count` ids in total, none above `largest`. Throws DoesNotFitError
  // past max_vertices or the budget.
  IdIndex(const Pieces& pieces, std::uint64_t count, OriginalId largest, Budget& budget);
  explicit IdIndex(std::span<const Array<OriginalId>> pieces, Budget& budget = unlimited_budget());
  // The ids `first`, first + 1, ...: `size` of them. With `first` 0 every number is its own id.
  explicit IdIndex(std::uint64_t size, OriginalId first = 0) : size_(size), first_(first) {}

  // The most memory for an index of up to `size` distinct ids, if each is passed once.
  static std::uint64_t most_memory(std::uint64_t size);

  std::uint64_t size() const { return size_; }
  // Every number is its own id, so take_ids() returns none.
  bool identity() const { return std::holds_alternative<std::monostate>(ways_) && first_ == 0; }

  // numbers[i] is the number of ids[i], or no_vertex if the set lacks it. Meant for many ids at a time.
  void find(std::span<const OriginalId> ids, VertexId* numbers) const;

  // The original id of every number; empty if they are the same. The index must not be used afterwards.
  Array<OriginalId> take_ids(Budget& budget = unlimited_budget());

 private:
  std::uint64_t size_ = 0;
  OriginalId first_ = 0;
  std::variant<std::monostate, IdBitmap, IdTable> ways_;  // monostate: ids are numbers, from first_ on
};

// Turns endpoints (source, target, source, ...), given in pieces of whole edges, into edges of numbered vertices. At
// its peak it takes the 16 bytes per edge of `endpoints`, the index (id_bitmap.h, id_table.h) and one piece: pieces are
// freed as edges of 8 bytes replace them. Every endpoint must be in the index.
Array<Edge> number_edges(std::vector<Array<OriginalId>> endpoints, const IdIndex& index,
                         Budget& budget = unlimited_budget());

}  // namespace millrace
