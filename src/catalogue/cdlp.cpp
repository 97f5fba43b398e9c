#include "millrace/algorithms/cdlp.h"

#include <fmt/format.h>

#include "millrace/catalogue/all_edges.h"
#include "millrace/catalogue/catalogue.h"
#include "millrace/checks/check_cdlp.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

class Cdlp final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "cdlp",
        .help = "Communities by label propagation; a community is named by the id of a vertex",
        .finds = "communities by labels",
        .supersteps = "iterations",
        .columns = {{.name = "community", .shown = Shown::groups}},
        .has_direction = false,
        .bench = BenchInfo{.unit = "iteration",
                           .explanation =
                               "time per iteration, median of repeats; GTEPS count the neighbours of all vertices"},
        .examples = {"g.store @iterations@ 20 -o communities.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    return {{.name = "iterations",
             .field = &how_.iterations,
             .value = "N",
             .help = "Iterations (default 10)",
             .range = std::pair(0.0, double{1 << 30})}};
  }

  void prepare(const Store&, const Wanted&) override { own_.reset(); }
  // The memory of initial labels is not counted, so that the shares of memory that `bench` uses apply to the run alone.
  void prepare_measurement(const Store& store, const Measured& by) override {
    how_.iterations = by.iterations;
    load_input(store, unlimited_budget());
  }
  std::vector<Finding> asked(const Store&) const override {
    return {{"iterations", fmt::format("{}", how_.iterations)}};
  }
  GraphNeeds needs(const Store&, Direction) const override { return cdlp_needs(); }
  // The label, the initial label, and the memory for replacing labels by vertices.
  std::uint64_t kept_bytes_per_vertex() const override { return 2 * sizeof(Label) + sizeof(VertexId); }
  TakenBefore input_memory(const Store& store) const override {
    return own_ ? TakenBefore{} : own_labels_memory(store);
  }
  void load_input(const Store& store, Budget& budget) override {
    own_ = std::make_shared<const Array<Label>>(own_labels(store, budget));
  }
  std::uint64_t expected_edges(const Store& store) const override { return entries_of(store) * how_.iterations; }

  double expected_units(const Store&) const override { return how_.iterations; }
  Outcome compute(Engine& engine, const Store& store) override {
    const std::uint64_t edges_before = engine.edges_looked_at();
    const std::shared_ptr<const Array<Label>> own = own_ ? own_ : std::make_shared<const Array<Label>>();
    const auto result = std::make_shared<CdlpResult>(cdlp(engine, how_, *own));
    const std::uint64_t looks = engine.edges_looked_at() - edges_before;
    Outcome outcome{.seconds = result->seconds,
                    .edges = entries_of(store) * result->iterations,
                    .units = std::max<double>(result->iterations, 1),
                    .more_bytes = 2 * sizeof(Label) * static_cast<double>(looks),  // lists are written and read
                    .result = result};
    outcome.findings = {{"iterations", fmt::format("{}", result->iterations)},
                        {"changed", fmt::format("{}", result->changed)}};
    outcome.columns = {
        {"community", ValueColumn::Kind::vertices, std::span<const VertexId>(result->label),
         [result, own](std::span<const VertexId>, Budget& budget) { become_vertices(result->label, *own, budget); }}};
    outcome.check = [result, own, directed = store.manifest().directed, iterations = how_.iterations](
                        const PageSet& pages, Orientation orientation) {
      return check_cdlp(pages, orientation, result->label,
                        {.directed = directed, .iterations = iterations, .own = *own});
    };
    return outcome;
  }

  void finish(const Store&, Outcome& outcome, Budget&, const Finished&) override {
    const auto& label = std::static_pointer_cast<CdlpResult>(outcome.result)->label;
    outcome.findings.insert(outcome.findings.begin(), {"communities", fmt::format("{}", count_communities(label))});
  }

 private:
  CdlpOptions how_;
  std::shared_ptr<const Array<Label>> own_;  // null: not loaded
};

}  // namespace

std::unique_ptr<Described> make_cdlp() { return std::make_unique<Cdlp>(); }

}  // namespace millrace
