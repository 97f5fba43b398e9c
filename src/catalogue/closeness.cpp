#include "millrace/algorithms/closeness.h"

#include <fmt/format.h>

#include <cmath>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/notes.h"
#include "millrace/catalogue/samples.h"
#include "millrace/checks/check_closeness.h"

namespace millrace {
namespace {

class Closeness final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "closeness",
        .help = mark_settings(
            "Closeness centrality: 1 / the mean distance to a vertex from the vertices that reach it; @harmonic@ also "
            "writes harmonic centrality, the sum of 1 / these distances; in hops, exact unless @samples@ is given"),
        .finds = "closeness and harmonic centrality",
        .supersteps = "levels, for every 64 sources",
        .columns = {{"closeness"},
                    {.name = "harmonic",
                     .option = "harmonic",
                     .option_help = mark_settings("Write the harmonic centrality, in any form that @output@ has")}},
        .bench = BenchInfo{.unit = "batch",
                           .explanation = "one batch of 64 sources, median of repeats; GTEPS count the out-edges of "
                                          "the vertices that a source reaches, for each source"},
        .examples = {"g.store @samples@ 256 -o closeness.txt @harmonic@ harmonic.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    std::vector<Option> options = samples_.options("Distances");
    options.push_back({.name = "unscaled",
                       .field = &unscaled_,
                       .value = {},
                       .help = "Closeness only among the vertices that reach a vertex (NetworkX: wf_improved=False); "
                               "the default also multiplies by the share of other vertices that reach it"});
    return options;
  }

  void prepare(const Store& store, const Wanted&) override {
    how_ = {.sources = samples_.draw(store), .scaled = !unscaled_};
  }
  void prepare_measurement(const Store& store, const Measured&) override {
    how_ = {};
    if (store.num_vertices() > closeness_batch) how_.sources = draw_vertices(store, closeness_batch, 1);
  }
  std::vector<Finding> asked(const Store&) const override {
    std::vector<Finding> asked = samples_.asked();
    asked.push_back({"unscaled", unscaled_ ? "true" : "false"});
    return asked;
  }
  std::string remark() const override { return samples_.remark(); }
  std::string note(const Store& store, Direction direction) const override { return note_on(store, direction, false); }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return closeness_needs(direction, available_in(store));
  }
  std::uint64_t kept_bytes_per_vertex() const override { return 2 * sizeof(double); }

  double expected_units(const Store& store) const override {
    const std::uint64_t sources = how_.sources.empty() ? store.num_vertices() : how_.sources.size();
    return std::ceil(static_cast<double>(sources) / closeness_batch);
  }
  Outcome compute(Engine& engine, const Store& store) override {
    const auto result = std::make_shared<ClosenessResult>(closeness(engine, how_));
    Outcome outcome{.seconds = result->seconds, .edges = result->edges, .result = result};
    const std::uint64_t num_sources = how_.sources.empty() ? store.num_vertices() : how_.sources.size();
    outcome.findings = {{"sources", fmt::format("{}", num_sources)}, {"depth", fmt::format("{}", result->depth)}};
    outcome.columns = {{"closeness", ValueColumn::Kind::numbers, std::span<const double>(result->closeness)},
                       {"harmonic", ValueColumn::Kind::numbers, std::span<const double>(result->harmonic)}};
    outcome.check = [result, how = how_](const PageSet& pages, Orientation orientation) {
      return check_closeness(pages, orientation, result->closeness, result->harmonic,
                             {.sources = how.sources, .scaled = how.scaled});
    };
    return outcome;
  }

 private:
  Samples samples_;
  bool unscaled_ = false;
  ClosenessOptions how_;
};

}  // namespace

std::unique_ptr<Described> make_closeness() { return std::make_unique<Closeness>(); }

}  // namespace millrace
