// Types that every folder uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

using VertexId = std::uint32_t;    // inside a store
using OriginalId = std::uint64_t;  // as the user wrote it
using EdgeCount = std::uint64_t;

inline constexpr VertexId no_vertex = ~VertexId{0};

// The vertices in [first, last).
struct VertexRange {
  std::uint64_t first = 0, last = 0;
  constexpr std::uint64_t size() const { return last - first; }
};

// The most vertices that a store can hold; all ids are below `no_vertex`.
inline constexpr std::uint64_t max_vertices = 0xffff'fff0u;

}  // namespace millrace

// Marks the functions of a program that any processor may run.
#ifdef __CUDACC__
#define MILLRACE_HD __host__ __device__
#else
#define MILLRACE_HD
#endif
