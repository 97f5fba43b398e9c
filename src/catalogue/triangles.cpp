#include "millrace/algorithms/triangles.h"

#include <fmt/format.h>

#include "millrace/catalogue/all_edges.h"
#include "millrace/catalogue/catalogue.h"
#include "millrace/checks/check_triangles.h"

namespace millrace {
namespace {

class Triangles final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "triangles",
        .help = "Triangles, edges taken as undirected: all of them, and those of each vertex if written",
        .finds = "triangles",
        .supersteps = "passes over ranges",
        .columns = {{"triangles"}},
        .has_direction = false,
        .bench =
            BenchInfo{.unit = "run", .explanation = "the total alone, median of repeats; GTEPS count all edges once"},
        .examples = {"g.store", "g.store -o triangles.txt @check@"}};
    return info;
  }

  void prepare(const Store&, const Wanted& wanted) override {
    how_.by_vertex = wanted.has("triangles") || wanted.check;
  }
  void prepare_measurement(const Store&, const Measured&) override { how_.by_vertex = false; }
  GraphNeeds needs(const Store&, Direction) const override { return triangles_needs(); }
  std::uint64_t kept_bytes_per_vertex() const override { return sizeof(std::uint64_t); }
  std::uint64_t expected_edges(const Store& store) const override { return entries_of(store) + store.num_edges() / 2; }

  Outcome compute(Engine& engine, const Store& store) override {
    const auto result = std::make_shared<TrianglesResult>(triangles(engine, how_));
    Outcome outcome{.seconds = result->seconds, .edges = store.num_edges(), .result = result};
    outcome.findings = {{"triangles", fmt::format("{}", result->triangles)}};
    if (how_.by_vertex)
      outcome.columns = {{"triangles", ValueColumn::Kind::numbers, std::span<const std::uint64_t>(result->count)}};
    outcome.check = [result, by_vertex = how_.by_vertex, num_vertices = store.num_vertices()](const PageSet& pages,
                                                                                              Orientation orientation) {
      return by_vertex ? check_triangles(pages, orientation, result->count, result->triangles)
                       : check_triangles(pages, orientation, num_vertices, result->triangles);
    };
    return outcome;
  }

 private:
  TrianglesOptions how_;
};

}  // namespace

std::unique_ptr<Described> make_triangles() { return std::make_unique<Triangles>(); }

}  // namespace millrace
