#include "millrace/algorithms/bc.h"

#include <fmt/format.h>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/find_vertices.h"
#include "millrace/catalogue/notes.h"
#include "millrace/catalogue/per_source.h"
#include "millrace/catalogue/samples.h"
#include "millrace/checks/check_bc.h"

namespace millrace {
namespace {

class Bc final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "bc",
        .help = mark_settings(
            "Betweenness centrality: for each vertex, the sum over all pairs of other vertices of the share of their "
            "shortest paths that pass through it; exact unless @source@ or @samples@ is given"),
        .finds = "betweenness centrality",
        .supersteps = "levels twice, for each source",
        .columns = {{"centrality"}},
        .bench = per_source("source"),
        .examples = {"g.store @samples@ 64 -o centrality.txt", "g.store @source@ 0 -o dependencies.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    std::vector<Option> options = {
        {.name = "source",
         .field = &source_,
         .value = "ID",
         .help = "Only paths from this vertex, not scaled: an id, or a name if ids are names"}};
    for (Option& option : samples_.options("Paths")) options.push_back(std::move(option));
    options[1].excludes = "source";  // samples
    options.push_back(
        {.name = "endpoints", .field = &endpoints_, .value = {}, .help = "Also count a path for its two ends"});
    options.push_back(
        {.name = "normalized",
         .field = &normalized_,
         .value = {},
         .help = "Divide by the number of pairs, as normalized=True of NetworkX; without it as normalized=False",
         .excludes = "source"});
    return options;
  }

  void prepare(const Store& store, const Wanted&) override {
    using Scale = BcOptions::Scale;
    if (source_.empty())
      how_ = {
          .sources = samples_.draw(store), .endpoints = endpoints_, .scale = normalized_ ? Scale::share : Scale::pairs};
    else
      how_ = {.sources = {find_vertex(store, "source", source_)}, .endpoints = endpoints_, .scale = Scale::sums};
  }
  void prepare_measurement(const Store&, const Measured& by) override {
    how_ = {.sources = {by.source}, .scale = BcOptions::Scale::sums};
  }
  std::vector<Finding> asked(const Store& store) const override {
    std::vector<Finding> asked = samples_.asked();
    if (!source_.empty()) asked = {{"source", vertex_json(store, source_)}};
    asked.push_back({"endpoints", endpoints_ ? "true" : "false"});
    asked.push_back({"normalized", normalized_ ? "true" : "false"});
    return asked;
  }
  std::string remark() const override { return samples_.remark(); }
  std::string note(const Store& store, Direction direction) const override {
    return note_on_both_ways(store, direction);
  }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return bc_needs(direction, available_in(store));
  }
  std::uint64_t kept_bytes_per_vertex() const override { return sizeof(double); }
  // All edges twice, forwards and backwards, if everything is reached. A number too large to count is called unknown.
  std::uint64_t expected_edges(const Store& store) const override {
    const double looks = 2.0 * static_cast<double>(store.num_edges()) * static_cast<double>(num_sources(store));
    return looks < 1e18 ? static_cast<std::uint64_t>(looks) : 0;
  }

  double expected_units(const Store& store) const override { return static_cast<double>(num_sources(store)); }
  Outcome compute(Engine& engine, const Store& store) override {
    const auto result = std::make_shared<BcResult>(bc(engine, how_));
    Outcome outcome{.seconds = result->seconds, .edges = result->edges, .result = result};
    outcome.findings = {{"sources", fmt::format("{}", num_sources(store))},
                        {"depth", fmt::format("{}", result->depth)}};
    outcome.columns = {{.name = "centrality",
                        .kind = ValueColumn::Kind::numbers,
                        .values = std::span<const double>(result->centrality),
                        .changed = true}};
    const BcFactors factors = bc_factors(store.num_vertices(), !store.manifest().directed, how_);
    outcome.check = [result, factors, how = how_](const PageSet& pages, Orientation orientation) {
      return check_bc(pages, orientation, result->centrality,
                      {.sources = how.sources,
                       .endpoints = how.endpoints,
                       .source_factor = factors.source,
                       .other_factor = factors.other});
    };
    return outcome;
  }

 private:
  std::uint64_t num_sources(const Store& store) const {
    return how_.sources.empty() ? store.num_vertices() : how_.sources.size();
  }

  std::string source_;
  Samples samples_;
  bool endpoints_ = false;
  bool normalized_ = false;
  BcOptions how_;
};

}  // namespace

std::unique_ptr<Described> make_bc() { return std::make_unique<Bc>(); }

}  // namespace millrace
