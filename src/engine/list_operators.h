// What a device does with lists of rows that are gathered, whichever kind of device it is.
#pragma once

#include "millrace/core/progress.h"
#include "millrace/engine/list_plan.h"
#include "millrace/operators/triangles.h"

namespace millrace {

class ListOperators {
 public:
  virtual ~ListOperators() = default;
  // Room for lists, and to unite them, where a device needs that.
  virtual ListRoom room(std::uint64_t bytes) = 0;
  virtual ListRoom room_to_unite(std::uint64_t bytes) = 0;
  // See rows.h.
  virtual void most_frequent(const Lists<std::uint32_t>& lists, View<std::uint32_t> result) = 0;
  virtual void unite(const ListPlan& plan, const Lists<std::uint32_t>& lists, bool weighted, View<std::uint32_t> length,
                     ListRoom& scratch) = 0;
  virtual std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with,
                                      const TriangleCounts& counts, Progress* progress) = 0;
  virtual void add_degrees(const NeighbourLists& of, bool weighted, View<std::uint32_t> degree) = 0;
};

}  // namespace millrace
