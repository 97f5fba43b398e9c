#include "millrace/engine/cpu_lists.h"

#include "millrace/operators/most_frequent.h"

namespace millrace {

ListRoom CpuLists::room(std::uint64_t bytes) { return ListRoom(device_, bytes, "lists of rows"); }

void CpuLists::most_frequent(const Lists<std::uint32_t>& lists, View<std::uint32_t> result) {
  millrace::most_frequent(lists.offset, lists.last - lists.first, lists.values, result.data + lists.first,
                          device_.threads());
}

void CpuLists::unite(const ListPlan& plan, const Lists<std::uint32_t>& lists, bool weighted, View<std::uint32_t> length,
                     ListRoom&) {
  unite_lists(lists, plan.sides[0].lengths, weighted, length.data, device_.threads());
}

std::uint64_t CpuLists::add_triangles(const NeighbourLists& of, const NeighbourLists& with,
                                      const TriangleCounts& counts, Progress* progress) {
  if (!marks_) marks_ = std::make_unique<TriangleMarks>(device_, graph_.num_vertices());
  return millrace::add_triangles(of, with, counts, *marks_, device_.threads(), progress);
}

void CpuLists::add_degrees(const NeighbourLists& of, bool weighted, View<std::uint32_t> degree) {
  millrace::add_degrees(of, weighted, degree.data, device_.threads());
}

}  // namespace millrace
