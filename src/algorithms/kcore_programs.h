// The programs of peeling.
#pragma once

#include <cstdint>
#include <limits>

#include "millrace/operators/atomics.h"
#include "millrace/operators/program.h"

namespace millrace::kcore_programs {

inline constexpr std::uint32_t unpeeled = std::numeric_limits<std::uint32_t>::max();

struct Begin {
  View<const std::uint32_t> out_degree, in_degree;
  bool undirected;
  View<std::uint32_t> left, core;
  MILLRACE_HD void operator()(VertexId v) const {
    left[v] = out_degree[v] + (undirected ? 0 : in_degree[v]);
    core[v] = left[v] == 0 ? 0 : unpeeled;
  }
};

struct IsLeft {
  View<const std::uint32_t> core;
  MILLRACE_HD bool operator()(VertexId v) const { return core[v] == unpeeled; }
};

// Chooses the low ones, and takes them out.
struct TakeLow {
  View<const std::uint32_t> left;
  View<std::uint32_t> core;
  std::uint32_t k;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (core[v] != unpeeled || left[v] > k) return false;
    core[v] = k;
    return true;
  }
};

// Those taken out are missed by their neighbours.
struct Peel {
  using Message = std::uint32_t;
  using Combine = Sum;
  View<std::uint32_t> left, core;
  std::uint32_t k;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return read_cached(core[target]) == unpeeled; }
  MILLRACE_HD Message message(VertexId) const { return 1; }
  // Of messages that are all 1, the one that takes it from k + 1 to k.
  MILLRACE_HD bool receive(VertexId target, Message missing) const {
    return add_shared(left[target], 0 - missing) == k + missing;
  }
  MILLRACE_HD void join(VertexId target) const { write_shared(core[target], k); }
  MILLRACE_HD bool absorb(VertexId target, Message missing) {
    left[target] -= missing;
    if (left[target] > k) return false;
    core[target] = k;
    return true;
  }
};

struct LeftOf {
  View<const std::uint32_t> left, core;
  MILLRACE_HD std::uint32_t operator()(VertexId v) const { return core[v] == unpeeled ? left[v] : unpeeled; }
};
struct Lower {
  MILLRACE_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? a : b; }
};

}  // namespace millrace::kcore_programs
