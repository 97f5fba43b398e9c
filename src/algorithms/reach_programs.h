// The program of a search that only marks.
#pragma once

#include "millrace/operators/program.h"

namespace millrace {

struct Marks {
  VertexId from;  // the mark of vertices that may be reached
  VertexId to;    // their mark once they are
};

}  // namespace millrace

namespace millrace::reach_programs {

struct Mark {
  using Message = VertexId;
  using Combine = First;
  using Spreads = void;
  View<VertexId> mark;
  Marks marks;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return mark[target] == marks.from; }
  MILLRACE_HD Message message(VertexId) const { return marks.to; }
  MILLRACE_HD bool absorb(VertexId target, Message to) {
    mark[target] = to;
    return true;
  }
};

}  // namespace millrace::reach_programs
