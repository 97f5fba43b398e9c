#include "millrace/algorithms/lcc.h"

#include <fmt/format.h>

#include "millrace/catalogue/all_edges.h"
#include "millrace/catalogue/catalogue.h"
#include "millrace/checks/check_triangles.h"

namespace millrace {
namespace {

class Lcc final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{.name = "lcc",
                                    .help =
                                        "Local clustering coefficient: the share of the possible edges between the "
                                        "neighbours of a vertex that exist",
                                    .finds = "clustering coefficients",
                                    .supersteps = "as triangles",
                                    .columns = {{.name = "coefficient", .shown = Shown::distribution}},
                                    .has_direction = false,
                                    .bench = per_run(),
                                    .examples = {"g.store -o coefficients.txt"}};
    return info;
  }

  void prepare(const Store&, const Wanted&) override {}
  GraphNeeds needs(const Store&, Direction) const override { return lcc_needs(); }
  std::uint64_t kept_bytes_per_vertex() const override { return sizeof(double); }
  // All rows, to make the lists of earlier neighbours; and these lists, which have every edge once.
  std::uint64_t expected_edges(const Store& store) const override { return entries_of(store) + entries_of(store) / 2; }

  Outcome compute(Engine& engine, const Store& store) override {
    const auto result = std::make_shared<LccResult>(lcc(engine));
    Outcome outcome{.seconds = result->seconds, .edges = store.num_edges(), .result = result};
    outcome.findings = {{"mean", fmt::format("{:.6f}", result->mean)},
                        {"triangles", fmt::format("{}", result->triangles)}};
    outcome.columns = {{"coefficient", ValueColumn::Kind::numbers, std::span<const double>(result->coefficient)}};
    outcome.check = [result](const PageSet& pages, Orientation orientation) {
      return check_lcc(pages, orientation, result->coefficient);
    };
    return outcome;
  }
};

}  // namespace

std::unique_ptr<Described> make_lcc() { return std::make_unique<Lcc>(); }

}  // namespace millrace
