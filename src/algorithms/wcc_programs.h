// The programs of weakly connected components: linking, searching, hooking and jumping.
#pragma once

#include <cstdint>

#include "millrace/operators/atomics.h"
#include "millrace/operators/program.h"

namespace millrace::wcc_programs {

inline constexpr VertexId searched = 0;
inline constexpr VertexId unsaid = no_vertex;

struct Root {
  View<VertexId> label;
  MILLRACE_HD void operator()(VertexId v) const { label[v] = v + 1; }
};

struct Busiest {
  std::uint32_t degree = 0;
  VertexId vertex = 0;
};
struct DegreeOf {
  View<const std::uint32_t> degree;
  MILLRACE_HD Busiest operator()(VertexId v) const { return {degree[v], v}; }
};
struct Busier {
  MILLRACE_HD Busiest operator()(Busiest a, Busiest b) const {
    return b.degree > a.degree || (b.degree == a.degree && b.vertex < a.vertex) ? b : a;
  }
};

// Links a vertex to its first neighbour.
struct Link {
  using Message = VertexId;
  using Combine = First;
  using WritesToOthers = void;
  View<VertexId> label, linked;
  MILLRACE_HD bool wants(VertexId target) const { return linked[target] == 0; }
  MILLRACE_HD Message message(VertexId source) const { return source; }
  MILLRACE_HD void absorb(VertexId target, VertexId source) {
    if (source == no_vertex) return;
    linked[target] = 1;
    VertexId a = read_shared(label[target]), b = read_shared(label[source]);
    while (a != b) {
      const VertexId low = a < b ? a : b, high = a < b ? b : a;
      const VertexId before = lower(label[high - 1], low);
      if (before == high) break;  // it was a root
      // What it was linked to has to be linked to the other.
      a = before;
      b = low;
    }
  }
};

// The label that more than half of the vertices have which are no roots; if there is none, any label, or `searched`.
struct Votes {
  VertexId label = searched;
  std::uint32_t ahead = 0;  // of all the others
};
struct VoteOf {
  View<const VertexId> label;
  MILLRACE_HD Votes operator()(VertexId v) const { return {label[v], label[v] != v + 1}; }
};
struct AddVotes {
  MILLRACE_HD Votes operator()(Votes a, Votes b) const {
    if (a.label == b.label) return {a.label, a.ahead + b.ahead};
    return a.ahead < b.ahead ? Votes{b.label, b.ahead - a.ahead} : Votes{a.label, a.ahead - b.ahead};
  }
};

// Chooses the vertices of a tree, where the search begins.
struct InTree {
  View<VertexId> label;
  VertexId root;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (label[v] != root) return false;
    label[v] = searched;
    return true;
  }
};

struct Find {
  using Message = VertexId;
  using Combine = First;
  using Spreads = void;
  View<VertexId> label;
  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return label[target] != searched; }
  MILLRACE_HD Message message(VertexId) const { return searched; }
  MILLRACE_HD bool absorb(VertexId target, Message) {
    label[target] = searched;
    return true;
  }
};

// Every vertex has a label to send, unless it has no neighbours, or the search is finished and has found it.
struct Begin {
  View<const VertexId> label;
  View<VertexId> said;
  View<const std::uint32_t> out, in;
  bool all_found;
  MILLRACE_HD void operator()(VertexId v) const {
    const bool settled = (label[v] == searched && all_found) || (out[v] == 0 && in[v] == 0);
    said[v] = settled ? label[v] : unsaid;
  }
};

// Takes the vertices whose label has changed since they last sent it, and notes that they send it.
struct Sends {
  View<VertexId> label, said;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (label[v] == said[v]) return false;
    said[v] = label[v];
    return true;
  }
};

struct Hook {
  using Message = VertexId;
  using Combine = Min;
  using WritesToOthers = void;
  View<VertexId> label;
  View<const VertexId> said;  // unlike labels, these stay while others absorb
  MILLRACE_HD bool wants(VertexId target) const { return said[target] != searched; }
  MILLRACE_HD Message message(VertexId source) const { return read_shared(label[source]); }
  MILLRACE_HD void absorb(VertexId target, Message lowest) {
    const VertexId before = read_shared(label[target]);
    if (lowest >= before) return;
    lower(label[before - 1], lowest);
    lower(label[target], lowest);
  }
};

struct Jump {
  View<VertexId> label;
  MILLRACE_HD void operator()(VertexId v) const {
    const VertexId before = read_shared(label[v]);
    VertexId root = before;
    for (VertexId next = root; next != searched;) {
      next = read_shared(label[root - 1]);
      if (next == root) break;
      root = next;
    }
    if (root != before) lower(label[v], root);
  }
};

struct Found {
  View<const VertexId> label;
  MILLRACE_HD VertexId operator()(VertexId v) const { return label[v] == searched ? v : no_vertex; }
};
struct Lower {
  MILLRACE_HD VertexId operator()(VertexId a, VertexId b) const { return a < b ? a : b; }
};
struct Finish {
  View<VertexId> label;
  VertexId lowest_found;
  MILLRACE_HD void operator()(VertexId v) const { label[v] = label[v] == searched ? lowest_found : label[v] - 1; }
};

}  // namespace millrace::wcc_programs
