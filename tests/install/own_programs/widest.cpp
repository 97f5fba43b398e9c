// For every vertex: the widest path from a source. A path is as wide as its narrowest edge; weights are widths.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "millrace/catalogue/find_vertices.h"
#include "millrace/catalogue/plugin.h"
#include "millrace/checks/rows.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/operators/atomics.h"

namespace {

using namespace millrace;

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Widen {
  using Message = double;
  using Combine = Max;
  using Weight = double;  // the program gets the weights of edges
  View<double> width;

  MILLRACE_HD void advance() {}
  // Other threads may write the values that are read here: both go through functions of operators/atomics.h.
  MILLRACE_HD Message message(VertexId source, VertexId target, Weight weight) const {
    const double by_source = read_cached(width[source]);
    const double narrowest = weight < by_source ? weight : by_source;
    return narrowest > width[target] ? narrowest : Max::identity<double>();  // which nobody gets
  }
  MILLRACE_HD bool absorb(VertexId target, Message widest) {
    if (!(widest > width[target])) return false;
    write_shared(width[target], widest);
    return true;
  }
};

// Goes through all edges until nothing changes.
std::vector<double> reference(const PageSet& pages, Orientation orientation, VertexId source, std::size_t vertices) {
  std::vector<double> width(vertices, 0);
  width[source] = infinite;
  struct Edge {
    VertexId source, target;
    double weight;
  };
  std::vector<Edge> edges;
  std::mutex mutex;
  for_each_weighted_edge(pages, orientation, [&](VertexId from, VertexId to, double weight) {
    const std::lock_guard lock(mutex);
    edges.push_back({from, to, weight});
  });
  for (bool changed = true; changed;) {
    changed = false;
    for (const Edge& edge : edges) {
      const double widest = std::min(width[edge.source], edge.weight);
      if (widest > width[edge.target]) width[edge.target] = widest, changed = true;
    }
  }
  return width;
}

std::optional<std::string> check(const PageSet& pages, Orientation orientation, VertexId source,
                                 std::span<const double> width) {
  const std::vector<double> expected = reference(pages, orientation, source, width.size());
  for (VertexId v = 0; v < width.size(); ++v)
    if (width[v] != expected[v]) return fmt::format("vertex {} has width {}, expected {}", v, width[v], expected[v]);
  return std::nullopt;
}

struct Kept {
  explicit Kept(Registry& registry) : width(registry.attribute<double>("width")) {}
  Attribute<double> width;
};

class Widest final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{.name = "widest",
                                    .help = "For each vertex, the widest path from a source; weights are widths",
                                    .finds = "widest paths",
                                    .supersteps = "as many as the widest paths have edges, and more",
                                    .columns = {{"width"}},
                                    .uses_weights = true};
    return info;
  }
  std::vector<Option> options() override {
    return {{.name = "source", .field = &given_, .value = "ID", .help = "The source", .required = true}};
  }
  void prepare(const Store& store, const Wanted&) override { source_ = find_vertex(store, "source", given_); }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return search_needs<Widen>(direction, available_in(store), needs_of<Kept>());
  }
  std::uint64_t kept_bytes_per_vertex() const override { return sizeof(double); }

  Outcome compute(Engine& engine, const Store&) override {
    const Stopwatch watch;
    auto [width] = Kept(engine);
    engine.set(width, source_, infinite);
    const Traversal search = engine.traverse(engine.frontier({source_}), Widen{width});
    const double seconds = watch.seconds();

    const auto result = std::make_shared<Array<double>>(std::move(width).take());
    Outcome outcome{.seconds = seconds, .edges = search.edges, .result = result};
    outcome.columns = {{"width", ValueColumn::Kind::numbers, std::span<const double>(*result)}};
    outcome.check = [result, source = source_](const PageSet& pages, Orientation orientation) {
      return check(pages, orientation, source, *result);
    };
    return outcome;
  }

 private:
  std::string given_;
  VertexId source_ = 0;
};

}  // namespace

MILLRACE_PLUGIN(Widest)
