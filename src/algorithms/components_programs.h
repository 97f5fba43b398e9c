// The programs that count the members of components.
#pragma once

#include <cstdint>

#include "millrace/operators/atomics.h"
#include "millrace/operators/program.h"

namespace millrace::components_programs {

// The giant is counted by itself: so many atomics in one place would queue up.
struct CountMembers {
  using WritesToOthers = void;
  View<const VertexId> component;
  View<VertexId> members;
  VertexId giant;
  MILLRACE_HD void operator()(VertexId v) const {
    if (component[v] != giant) add_shared(members[component[v]], VertexId{1});
  }
};
struct Counts {
  std::uint64_t components = 0, largest = 0, giant = 0;
};
struct CountOf {
  View<const VertexId> component, members;
  VertexId giant;
  MILLRACE_HD Counts operator()(VertexId v) const { return {component[v] == v, members[v], component[v] == giant}; }
};
struct AddCounts {
  MILLRACE_HD Counts operator()(Counts a, Counts b) const {
    return {a.components + b.components, a.largest > b.largest ? a.largest : b.largest, a.giant + b.giant};
  }
};

}  // namespace millrace::components_programs
