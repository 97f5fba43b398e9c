// The programs of label propagation.
#pragma once

#include <cstdint>

#include "millrace/operators/atomics.h"
#include "millrace/operators/program.h"

namespace millrace {

// Stands for an original id: its place among all of them, ascending. So smaller labels are smaller ids, in 4 bytes.
using Label = std::uint32_t;

}  // namespace millrace

namespace millrace::cdlp_programs {

struct LabelsOfNeighbours {
  using Value = Label;
  View<const Label> label;
  MILLRACE_HD Value value(VertexId neighbour) const { return label[neighbour]; }
};

struct TakeNumber {
  View<Label> label, next;
  MILLRACE_HD void operator()(VertexId v) const { label[v] = next[v] = v; }
};

// Chooses those that change.
struct Change {
  View<Label> label;
  View<const Label> next;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (label[v] == next[v]) return false;
    label[v] = next[v];
    return true;
  }
};

// Those that have changed tell their neighbours.
struct Tell {
  using Message = std::uint32_t;
  using Combine = Or;
  View<std::uint32_t> told;  // the iteration, from 1 on, that a vertex was told of last
  std::uint32_t iteration;

  MILLRACE_HD bool wants(VertexId target) const { return read_cached(told[target]) != iteration; }
  MILLRACE_HD Message message(VertexId) const { return 1; }
  MILLRACE_HD bool receive(VertexId target, Message) const {
    return exchange_shared(told[target], iteration) != iteration;
  }
  MILLRACE_HD void join(VertexId) const {}
  MILLRACE_HD bool absorb(VertexId target, Message) const {
    told[target] = iteration;
    return true;
  }
};

}  // namespace millrace::cdlp_programs
