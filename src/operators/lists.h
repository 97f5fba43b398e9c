// Rows gathered into lists: the values that a program takes from the neighbours of a vertex, side by side in the memory
// of the device, for operators that have to see the whole neighbourhood of a vertex at once.
//
//   struct Labels {
//     using Value = std::uint32_t;
//     View<const std::uint32_t> label;
//     MILLRACE_HD bool keeps(VertexId vertex, VertexId neighbour) const;          // optional: leave neighbours out
//     MILLRACE_HD Value value(VertexId neighbour) const { return label[neighbour]; }
//   };
//
// value() may take a second argument: whether the neighbour comes from an in-row.
#pragma once

#include <concepts>
#include <cstdint>

#include "millrace/core/types.h"

namespace millrace {

// Which rows: of out-edges, of in-edges, or of both, the `in` row after the `out` row. In an undirected graph all three
// are the same, and `both` takes each edge of a vertex once.
enum class ListsOf { out, in, both };

// The lists of the vertices [first, last): that of v is values[offset[v - first]] up to values[offset[v - first + 1]],
// in the memory of the device. In the order of the row: neighbours ascend; with `both`, in each of the two rows.
template <class T>
struct Lists {
  VertexId first = 0, last = 0;
  const std::uint64_t* offset = nullptr;
  T* values = nullptr;           // the caller may reorder them
  std::uint64_t num_values = 0;  // an upper bound if only some vertices have lists
};

template <class Program>
inline constexpr bool takes_orientation = requires(const Program program, VertexId v) {
  program.value(v, true);
};

template <class Program>
concept ListProgram = std::same_as<typename Program::Value, std::uint32_t> &&
    (takes_orientation<Program> || requires(const Program program, VertexId v) {
      { program.value(v) } -> std::convertible_to<typename Program::Value>;
    });

// Whether the program leaves neighbours out: then they have to be counted before they are gathered.
template <class Program>
inline constexpr bool keeps_some = requires(const Program program, VertexId v) {
  program.keeps(v, v);
};

template <class Program>
MILLRACE_HD bool keeps(const Program& program, VertexId vertex, VertexId neighbour) {
  if constexpr (keeps_some<Program>)
    return program.keeps(vertex, neighbour);
  else
    return true;
}

template <class Program>
MILLRACE_HD typename Program::Value list_value(const Program& program, VertexId neighbour, bool in) {
  if constexpr (takes_orientation<Program>)
    return program.value(neighbour, in);
  else
    return program.value(neighbour);
}

}  // namespace millrace
