#include "millrace/checks/check_components.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>

#include "millrace/checks/plain_graph.h"

namespace millrace {
namespace {

// Union-find for any number of threads: each vertex points to a lower vertex of its set, the lowest to itself.
class UnionFind {
 public:
  explicit UnionFind(std::uint64_t size) : parent_(size) {
    for (std::uint64_t v = 0; v < size; ++v) parent_[v] = static_cast<VertexId>(v);
  }

  VertexId find(VertexId v) {
    for (;;) {
      VertexId parent = parent_[v].load(std::memory_order_relaxed);
      if (parent == v) return v;
      const VertexId above = parent_[parent].load(std::memory_order_relaxed);
      parent_[v].compare_exchange_weak(parent, above, std::memory_order_relaxed);  // halves the path
      v = above;
    }
  }
  void unite(VertexId a, VertexId b) {
    for (;;) {
      a = find(a), b = find(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      VertexId root = a;
      if (parent_[a].compare_exchange_strong(root, b, std::memory_order_relaxed)) return;
    }
  }

 private:
  std::vector<std::atomic<VertexId>> parent_;
};

// Tarjan 1972, with an explicit stack instead of recursion: returns for each vertex the root of its component.
std::vector<VertexId> tarjan(const PlainRows& out) {
  const std::uint64_t n = out.num_vertices();
  constexpr std::uint64_t unseen = 0;
  std::vector<std::uint64_t> number(n, unseen), lowest(n), next(n);  // next: the edge to follow next
  std::vector<VertexId> root(n, no_vertex), path, waiting;
  std::uint64_t seen = 0;
  for (VertexId start = 0; start < n; ++start) {
    if (number[start] != unseen) continue;
    const auto enter = [&](VertexId v) {
      number[v] = lowest[v] = ++seen;
      path.push_back(v);
      waiting.push_back(v);
    };
    enter(start);
    while (!path.empty()) {
      const VertexId v = path.back();
      if (next[v] < out.degree(v)) {
        const VertexId w = out[v][next[v]++];
        if (number[w] == unseen)
          enter(w);
        else if (root[w] == no_vertex)
          lowest[v] = std::min(lowest[v], number[w]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) lowest[path.back()] = std::min(lowest[path.back()], lowest[v]);
      if (lowest[v] != number[v]) continue;
      for (VertexId w = no_vertex; w != v; waiting.pop_back()) root[w = waiting.back()] = v;
    }
  }
  return root;
}

// Whether two partitions of the vertices into sets are the same; expected(v) and found[v] are members of the set of v.
template <class Expected>
std::optional<std::string> compare(std::span<const VertexId> found, Expected expected) {
  for (std::uint64_t i = 0; i < found.size(); ++i) {
    const auto v = static_cast<VertexId>(i);
    if (found[v] >= found.size() || found[found[v]] != found[v])
      return fmt::format("vertex {} has {} for its component, which does not stand for one", v, found[v]);
    if (expected(found[v]) != expected(v))
      return fmt::format("vertices {} and {} are in one component, but nothing connects them", v, found[v]);
    if (found[expected(v)] != found[v])
      return fmt::format("vertices {} and {} are connected, but in components {} and {}", v, expected(v), found[v],
                         found[expected(v)]);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> check_wcc(const PageSet& pages, Orientation orientation,
                                     std::span<const VertexId> component) {
  UnionFind sets(component.size());
  for_each_edge(pages, orientation, [&](VertexId source, VertexId target) { sets.unite(source, target); });
  return compare(component, [&](VertexId v) { return sets.find(v); });
}

std::optional<std::string> check_scc(const PageSet& pages, Orientation orientation,
                                     std::span<const VertexId> component) {
  const std::vector<VertexId> root = tarjan(plain_rows(pages, orientation, Orientation::out, component.size()));
  return compare(component, [&](VertexId v) { return root[v]; });
}

}  // namespace millrace
