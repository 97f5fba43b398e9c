// Graphs that break things, as a user would give them, by name.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "millrace/build/build.h"
#include "millrace/build/generate.h"
#include "millrace/core/hash.h"

namespace millrace::test {

// A graph as a user would give it: vertex i has the original id ids[i], or i if there are none.
struct Shape {
  std::uint64_t num_vertices = 0;
  std::vector<Edge> edges = {};
  bool undirected = false;
  bool keep_self_loops = false;
  Duplicates duplicates = Duplicates::first;
  std::vector<OriginalId> ids = {};        // ascending
  WeightType weights = WeightType::none;   // random weights; f64 leave little room for edges in small pages
  std::vector<double> given_weights = {};  // or these weights, one per edge
};

inline Shape chain(VertexId n) {
  Shape shape{.num_vertices = n};
  for (VertexId v = 0; v + 1 < n; ++v) shape.edges.push_back({v, v + 1});
  return shape;
}

inline Shape cycle(VertexId n) {
  Shape shape = chain(n);
  shape.edges.push_back({n - 1, 0});
  return shape;
}

inline Shape star_out(VertexId leaves) {
  Shape shape{.num_vertices = leaves + 1};
  for (VertexId v = 1; v <= leaves; ++v) shape.edges.push_back({0, v});
  return shape;
}

inline Shape star_in(VertexId leaves) {
  Shape shape{.num_vertices = leaves + 1};
  for (VertexId v = 1; v <= leaves; ++v) shape.edges.push_back({v, 0});
  return shape;
}

inline Shape two_components() {
  Shape shape = cycle(40);
  shape.num_vertices = 80;
  for (VertexId v = 40; v < 79; ++v) shape.edges.push_back({v, v + 1}), shape.edges.push_back({v + 1, v});
  return shape;
}

inline Shape complete(VertexId n) {
  Shape shape{.num_vertices = n};
  for (VertexId v = 0; v < n; ++v)
    for (VertexId w = 0; w < n; ++w)
      if (v != w) shape.edges.push_back({v, w});
  return shape;
}

// A hub in the middle of a ring, with edges to and from `degree` random others. Random, because consecutive neighbours
// would pack into very few bytes.
inline Shape hub(VertexId n, VertexId degree) {
  Shape shape = cycle(n);
  std::vector<VertexId> others;
  for (VertexId v = 0; v < n; ++v)
    if (v != n / 2) others.push_back(v);
  std::mt19937 random(7);
  for (const bool outward : {true, false}) {
    std::shuffle(others.begin(), others.end(), random);
    for (VertexId i = 0; i < degree; ++i)
      shape.edges.push_back(outward ? Edge{n / 2, others[i]} : Edge{others[i], n / 2});
  }
  return shape;
}

// In pages of 4 KiB and natural order: in-hubs 0, 2 and 114, and between them vertices without in-edges, which are on
// no page, since a hub fills its own pages.
inline Shape gaps() {
  constexpr VertexId n = 16'000, degree = 9'000, last_hub = 114;
  Shape shape{.num_vertices = n};
  const auto add = [&shape](VertexId source, VertexId target) { shape.edges.push_back({source, target}); };
  std::vector<VertexId> others;
  for (VertexId v = last_hub + 1; v < n; ++v) others.push_back(v);
  std::mt19937 random(11);
  for (const VertexId hub : {0u, 2u, last_hub}) {
    std::shuffle(others.begin(), others.end(), random);
    for (VertexId i = 0; i < degree; ++i) add(others[i], hub);
    add(hub, last_hub + 1);
  }
  // A binary tree over the others: all are reached, within few levels.
  for (VertexId v = last_hub + 2; v < n; ++v) add(last_hub + 1 + (v - last_hub - 2) / 2, v);
  // Vertices between hubs have edges to hubs and to others.
  for (VertexId v = 1; v < last_hub; ++v)
    if (v != 2)
      for (const VertexId target : {0u, 2u, last_hub, last_hub + 90 * v}) add(v, target);
  return shape;
}

inline Shape transposed(Shape shape) {
  for (Edge& edge : shape.edges) std::swap(edge.source, edge.target);
  return shape;
}

inline Shape binary_tree(VertexId n) {
  Shape shape{.num_vertices = n, .undirected = true};
  for (VertexId v = 1; v < n; ++v) shape.edges.push_back({(v - 1) / 2, v});
  return shape;
}

inline Shape from_generator(const GenerateOptions& options, bool undirected = false) {
  const EdgeList list = generate(options);
  return {.num_vertices = list.num_vertices, .edges = {list.edges.begin(), list.edges.end()}, .undirected = undirected};
}

inline Shape grid() { return from_generator({.kind = GenerateOptions::Kind::grid, .scale = 9, .weights = {}}, true); }

inline Shape rmat(std::uint32_t scale, bool undirected = false) {
  return from_generator({.scale = scale, .edge_factor = 8, .weights = {}}, undirected);
}

// Some edges two or three times, and self-loops, all kept.
inline Shape parallel_edges() {
  Shape shape = rmat(8);
  shape.duplicates = Duplicates::keep;
  shape.keep_self_loops = true;
  const std::size_t once = shape.edges.size();
  for (std::size_t i = 0; i < once; i += 2) shape.edges.insert(shape.edges.end(), i % 3 + 1, shape.edges[i]);
  shape.edges.insert(shape.edges.end(), 3, Edge{5, 5});
  return shape;
}

// Few vertices have edges, and ids do not fit 32 bits.
inline Shape sparse_ids() {
  Shape shape{.num_vertices = 500};
  for (std::uint64_t v = 0; v < 500; ++v) shape.ids.push_back(v * v * 1'000'003'001u + 17);
  for (VertexId v = 3; v < 460; v += 31) {
    shape.edges.push_back({v, v + 31});
    shape.edges.push_back({v + 31, (v * 7) % 500});
  }
  return shape;
}

struct NamedShape {
  const char* name;
  Shape (*make)();
};

inline constexpr NamedShape named_shapes[] = {
    {"empty", [] { return Shape{}; }},
    {"one_vertex", [] { return Shape{.num_vertices = 1}; }},
    {"self_loop",
     [] {
       return Shape{.num_vertices = 1, .edges = {{0, 0}}, .keep_self_loops = true};
     }},
    {"self_loop_dropped",
     [] {
       return Shape{.num_vertices = 1, .edges = {{0, 0}}};
     }},
    {"two_isolated", [] { return Shape{.num_vertices = 2}; }},
    {"chain", [] { return chain(200); }},
    {"cycle", [] { return cycle(130); }},
    {"star_out", [] { return star_out(70); }},
    {"star_in", [] { return star_in(70); }},
    {"two_components", two_components},
    {"complete", [] { return complete(40); }},
    {"hub", [] { return hub(1500, 600); }},             // cut over the lanes of slices of its own
    {"hub_of_pages", [] { return hub(16000, 9000); }},  // wider than a page of 4 KiB
    {"gaps", gaps},
    {"binary_tree", [] { return binary_tree(1023); }},
    {"grid", grid},
    {"rmat", [] { return rmat(11); }},
    {"rmat_undirected", [] { return rmat(10, true); }},
    {"parallel_edges", parallel_edges},
    {"sparse_ids", sparse_ids},
};

inline std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  for (const NamedShape& shape : named_shapes) names.push_back(shape.name);
  return names;
}

inline std::vector<std::string> names_of_shapes_with_vertices() {
  std::vector<std::string> names = shape_names();
  std::erase(names, "empty");
  return names;
}

inline Shape shape_named(const std::string& name) {
  for (const NamedShape& shape : named_shapes)
    if (shape.name == name) return shape.make();
  throw std::runtime_error("no shape " + name);
}

// A test of every shape, by name: a shape is made when its test runs, not when tests are listed.
class ShapeTest : public testing::TestWithParam<std::string> {
 protected:
  static Shape shape() { return shape_named(GetParam()); }
};

// For INSTANTIATE_TEST_SUITE_P.
inline std::string name_of(const testing::TestParamInfo<std::string>& info) { return info.param; }

// The weight of edge i: the same in both directions and for parallel edges, unless these are kept. Fractions are short
// enough that sums of them are exact.
inline double edge_weight(const Shape& shape, std::uint64_t i) {
  if (!shape.given_weights.empty()) return shape.given_weights[i];
  const auto [low, high] = std::minmax(shape.edges[i].source, shape.edges[i].target);
  const std::uint64_t copy = shape.duplicates == Duplicates::keep ? i % 7 : 0;
  const std::uint64_t bits = mix(mix(std::uint64_t{high} << 32 | low) + copy + 1);
  switch (shape.weights) {
    case WeightType::none:
      return 1;
    case WeightType::u8:
      return static_cast<double>(bits >> 56);
    case WeightType::u16:
      return static_cast<double>(bits >> 48);
    case WeightType::u32:
      return static_cast<double>(bits >> 32);
    case WeightType::f32:
      return std::ldexp(static_cast<double>(bits >> 40), -16);
    case WeightType::f64:
      return std::ldexp(static_cast<double>(bits >> 30), -34);
  }
  return 0;
}

inline EdgeList edge_list(const Shape& shape) {
  EdgeList list;
  list.num_vertices = shape.num_vertices;
  list.edges = Array<Edge>(shape.edges.size(), unlimited_budget(), "edges");
  std::copy(shape.edges.begin(), shape.edges.end(), list.edges.begin());
  list.weight_type = shape.weights;
  if (shape.weights != WeightType::none) {
    list.weights = Array<std::uint64_t>(shape.edges.size(), unlimited_budget(), "weights");
    for (std::uint64_t i = 0; i < list.weights.size(); ++i)
      list.weights[i] = weight_bits(shape.weights, edge_weight(shape, i));
  }
  list.ids = Array<OriginalId>(shape.ids.size(), unlimited_budget(), "ids");
  std::copy(shape.ids.begin(), shape.ids.end(), list.ids.begin());
  return list;
}

}  // namespace millrace::test
