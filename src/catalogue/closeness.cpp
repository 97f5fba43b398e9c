#include "millrace/algorithms/closeness.h"

#include <fmt/format.h>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/draw_vertices.h"
#include "millrace/checks/check_closeness.h"
#include "millrace/run/notes.h"

namespace millrace {
namespace {

class Closeness final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "closeness",
        .help = mark_settings(
            "Closeness centrality, 1 over the mean distance to a vertex from those that reach it, and to @harmonic@ "
            "harmonic centrality, the sum of 1 over these distances; in hops, exact unless @samples@ is given"),
        .columns = {{"closeness"},
                    {.name = "harmonic",
                     .option = "harmonic",
                     .option_help = mark_settings("Write the harmonic centrality, in any form that @output@ has")}},
        .bench = BenchInfo{.unit = "batch",
                           .explanation = "one batch of 64 sources, median of repeats; GTEPS count the out-edges of "
                                          "the vertices that a source reaches, for each source"}};
    return info;
  }
  std::vector<Option> options() override {
    return {{.name = "samples",
             .field = &samples_,
             .value = "K",
             .help = "Distances from so many vertices drawn at random, scaled to stand for all (default: all vertices)",
             .range = std::pair(1.0, double{max_vertices})},
            {.name = "seed", .field = &seed_, .value = "S", .help = "Which vertices are drawn (default 1)"},
            {.name = "unscaled",
             .field = &unscaled_,
             .value = {},
             .help = "As wf_improved=False of NetworkX: closeness among those that reach a vertex alone; without it "
                     "times the share of the other vertices that do"}};
  }

  void prepare(const Store& store, const Wanted&) override {
    how_ = {.scaled = !unscaled_};
    remark_.clear();
    const std::uint64_t n = store.num_vertices();
    if (samples_ > 0 && samples_ < n) how_.sources = draw_vertices(store, samples_, seed_);
    if (samples_ > n)
      remark_ = marked_text(
          "@samples@ {}: the graph has {} vertices, all of which are taken, so that results are exact", samples_, n);
  }
  void prepare_measurement(const Store& store, const Measured&) override {
    how_ = {};
    if (store.num_vertices() > closeness_batch) how_.sources = draw_vertices(store, closeness_batch, 1);
  }
  std::vector<Finding> asked(const Store&) const override {
    std::vector<Finding> asked;
    if (samples_ > 0) {
      asked.push_back({"samples", fmt::format("{}", samples_)});
      asked.push_back({"seed", fmt::format("{}", seed_)});
    }
    asked.push_back({"unscaled", unscaled_ ? "true" : "false"});
    return asked;
  }
  std::string remark() const override { return remark_; }
  std::string note(const Store& store, Direction direction) const override { return note_on(store, direction, false); }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return closeness_needs(direction, available_in(store));
  }
  std::uint64_t kept_bytes_per_vertex() const override { return 2 * sizeof(double); }
  // Expected edges: nobody knows. The searches of a batch look at an edge together, as often as they come to it at
  // different levels.

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
  std::uint64_t samples_ = 0;
  std::uint64_t seed_ = 1;
  bool unscaled_ = false;
  ClosenessOptions how_;
  std::string remark_;
};

}  // namespace

std::unique_ptr<Described> make_closeness() { return std::make_unique<Closeness>(); }

}  // namespace millrace
