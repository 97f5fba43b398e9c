// Stores built from shapes, and the same graphs as plain adjacency lists to compare with.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "millrace/build/build.h"
#include "millrace/store/store.h"
#include "support/shapes.h"
#include "support/temp_dir.h"

namespace millrace::test {

// The layout of a graph in a store; results must not depend on it.
struct Layout {
  Order order = Order::natural;
  std::uint32_t page_bytes = default_page_bytes;
  bool blocked = false;  // by segments of segment_for_tests() vertices
  std::string name() const {
    return std::string(order == Order::degree ? "degree" : "natural") + " order, " + (blocked ? "blocked " : "") +
           "pages of " + std::to_string(page_bytes);
  }
};

// The least segment with which a graph of so many vertices has at most eight; no store of up to 64 vertices is blocked.
inline std::uint64_t segment_for_tests(std::uint64_t num_vertices) {
  std::uint64_t segment = min_segment;
  while (8 * segment < num_vertices) segment *= 2;
  return segment;
}

inline std::vector<Layout> layouts() {
  return {{Order::natural, default_page_bytes},
          {Order::natural, 4096},
          {Order::degree, default_page_bytes},
          {Order::degree, 4096}};
}

// The same, and blocked pages where the graph has enough vertices for them.
inline std::vector<Layout> layouts_and_blocked(const Shape& shape) {
  std::vector<Layout> all = layouts();
  if (shape.num_vertices > min_segment) all.push_back({Order::natural, 4096, true});
  return all;
}

// Neighbours of every vertex, ascending.
struct Adjacency {
  std::vector<std::vector<VertexId>> out, in;
  std::uint64_t num_vertices() const { return out.size(); }
  std::uint64_t num_edges() const {
    std::uint64_t sum = 0;
    for (const auto& row : out) sum += row.size();
    return sum;
  }
};

struct WeightedEdge {
  VertexId source = 0, target = 0;
  double weight = 1;
};

// A store in its own directory, and what should be in it: the adjacency of the shape, with vertices numbered as in the
// store.
class StoredGraph {
 public:
  explicit StoredGraph(const Shape& shape, const Layout& layout = {}) : shape_(shape) {
    build_store(edge_list(shape), path(),
                {.undirected = shape.undirected,
                 .order = layout.order,
                 .duplicates = shape.duplicates,
                 .keep_self_loops = shape.keep_self_loops,
                 .page_bytes = layout.page_bytes,
                 .segments = {.vertices = layout.blocked ? segment_for_tests(shape.num_vertices) : 0},
                 .source = "a test"});
    store_ = std::make_unique<Store>(Store::open(path()));
    number_vertices();
    fill_adjacency();
  }

  const Store& store() const { return *store_; }
  const Adjacency& graph() const { return graph_; }
  std::filesystem::path path() const { return directory_ / "graph.store"; }
  // The number in the store of the shape's vertex i.
  VertexId vertex(std::uint64_t i) const { return vertex_[i]; }
  PageSet pages(Orientation orientation, With with = With::topology) const {
    return store_->load_pages(orientation, with, unlimited_budget());
  }

  // All edges of the store, in any order.
  std::vector<WeightedEdge> edges() const {
    std::vector<WeightedEdge> edges;
    std::set<std::pair<VertexId, VertexId>> seen;
    const auto add = [&](VertexId source, VertexId target, double weight) {
      if (shape_.duplicates != Duplicates::keep && !seen.insert({source, target}).second) return;
      edges.push_back({source, target, weight});
    };
    for (std::uint64_t i = 0; i < shape_.edges.size(); ++i) {
      const VertexId source = vertex(shape_.edges[i].source), target = vertex(shape_.edges[i].target);
      if (source == target && !shape_.keep_self_loops) continue;
      add(source, target, edge_weight(shape_, i));
      if (shape_.undirected && source != target) add(target, source, edge_weight(shape_, i));
    }
    return edges;
  }

  // Vertices to start from: the first, the last, the middle and the one with most out-edges.
  std::vector<VertexId> sources() const {
    const std::uint64_t n = graph_.num_vertices();
    VertexId busiest = 0;
    for (VertexId v = 0; v < n; ++v)
      if (graph_.out[v].size() > graph_.out[busiest].size()) busiest = v;
    std::vector<VertexId> some{vertex(0), vertex(n / 2), vertex(n - 1), busiest};
    std::sort(some.begin(), some.end());
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
  }

 private:
  void number_vertices() {
    const IdMap ids = store_->load_ids(unlimited_budget());
    std::map<OriginalId, VertexId> number;
    for (VertexId v = 0; v < ids.size(); ++v) number[ids.original(v)] = v;
    for (std::uint64_t i = 0; i < shape_.num_vertices; ++i)
      vertex_.push_back(number.at(shape_.ids.empty() ? i : shape_.ids[i]));
  }

  void fill_adjacency() {
    graph_.out.resize(shape_.num_vertices);
    graph_.in.resize(shape_.num_vertices);
    const auto add = [this](VertexId source, VertexId target) {
      graph_.out[source].push_back(target);
      graph_.in[target].push_back(source);
    };
    for (const Edge& edge : shape_.edges) {
      const VertexId source = vertex(edge.source), target = vertex(edge.target);
      if (source == target && !shape_.keep_self_loops) continue;
      add(source, target);
      if (shape_.undirected && source != target) add(target, source);
    }
    for (auto* rows : {&graph_.out, &graph_.in})
      for (auto& row : *rows) {
        std::sort(row.begin(), row.end());
        if (shape_.duplicates != Duplicates::keep) row.erase(std::unique(row.begin(), row.end()), row.end());
      }
  }

  TempDir directory_;
  Shape shape_;
  std::unique_ptr<Store> store_;
  std::vector<VertexId> vertex_;
  Adjacency graph_;
};

template <class T>
std::vector<T> to_vector(const Array<T>& values) {
  return {values.begin(), values.end()};
}

}  // namespace millrace::test
