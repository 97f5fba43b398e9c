// Programs that gather lists, and what they should gather.
#pragma once

#include <vector>

#include "millrace/engine/engine_programs.h"
#include "millrace/engine/rows.h"
#include "support/graphs.h"

namespace millrace::test {

struct EveryNeighbour {
  using Value = std::uint32_t;
  MILLRACE_HD bool wants(VertexId, VertexId) const { return true; }
  MILLRACE_HD Value value(VertexId neighbour) const { return neighbour; }
};
// The lower neighbours of each row, marked with the orientation of the row.
struct LowerNeighbours {
  using Value = std::uint32_t;
  MILLRACE_HD bool wants(VertexId vertex, VertexId neighbour) const { return neighbour < vertex; }
  MILLRACE_HD bool keeps(VertexId vertex, VertexId neighbour) const { return wants(vertex, neighbour); }
  MILLRACE_HD Value value(VertexId neighbour, bool in) const { return 2 * neighbour + in; }
};
struct SomeNeighbours {
  using Value = std::uint32_t;
  MILLRACE_HD bool wants(VertexId vertex, VertexId neighbour) const { return (7 * vertex + neighbour) % 3 > 0; }
  MILLRACE_HD bool keeps(VertexId vertex, VertexId neighbour) const { return wants(vertex, neighbour); }
  MILLRACE_HD Value value(VertexId neighbour) const { return 3 * neighbour; }
};

struct EveryThird {
  MILLRACE_HD bool operator()(VertexId v) const { return v % 3 == 0; }
};
struct Nobody {
  MILLRACE_HD bool operator()(VertexId) const { return false; }
};

// Calls visit(lists) for consecutive ranges of vertices.
template <class Program, class Visit>
void for_lists(Engine& engine, ListsOf of, const Program& program, std::uint64_t room_bytes, const Visit& visit) {
  WholeRows rows(engine, of, program, {.most = room_bytes});
  WholeRows::Room room = rows.room();
  for (std::size_t round = 0; round < rows.rounds(); ++round) visit(rows.gather(round, room).front());
}

constexpr ListsOf every_orientation[] = {ListsOf::out, ListsOf::in, ListsOf::both};

inline GraphNeeds list_needs() {
  return {.in_pages = true,
          .out_pages = true,
          .out_degrees = true,
          .in_degrees = true,
          .attributes = {.bytes = 8, .count = 8},
          .list_bytes_per_edge = 8};
}

template <class Program>
std::vector<std::vector<typename Program::Value>> expected_lists(const Adjacency& graph, bool undirected, ListsOf of,
                                                                 const Program& program) {
  std::vector<std::vector<typename Program::Value>> lists(graph.num_vertices());
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    const auto add = [&](const std::vector<VertexId>& row, bool in) {
      for (const VertexId w : row)
        if (program.wants(v, w)) lists[v].push_back(list_value(program, w, in));
    };
    if (of != ListsOf::in || undirected) add(graph.out[v], false);
    if (of != ListsOf::out && !undirected) add(graph.in[v], true);
  }
  return lists;
}

// A memory size into which each list fits alone, but all of them only in about a dozen ranges.
template <class Lists>
std::uint64_t small_room(const Lists& lists) {
  std::size_t longest = 0, bytes = 0;
  for (const auto& list : lists) longest = std::max(longest, list.size()), bytes += 8 + 4 * list.size();
  return std::max(16 + 4 * longest, bytes / 12);
}

}  // namespace millrace::test
