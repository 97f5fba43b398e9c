#include "millrace/algorithms/hits.h"

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/iterative.h"
#include "millrace/checks/check_centrality.h"
#include "millrace/checks/compare_values.h"

namespace millrace {
namespace {

class Hits final : public Iterative {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "hits",
        .help = mark_settings(
            "Hubs and authorities (HITS), each summing to 1; @output@ gets the authorities, @hubs@ the hubs"),
        .finds = "hubs and authorities",
        .supersteps = "2 for each iteration",
        .columns = {{"authority"},
                    {.name = "hub",
                     .option = "hubs",
                     .option_help = mark_settings("Write the hub values, in any form that @output@ has")}},
        .bench = per_iteration("all edges twice"),
        .examples = {"g.store -o authorities.txt @hubs@ hubs.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    return iteration_options("The most iterations (default 100)",
                             "Stop once hub values change by less, summed over vertices (default 1e-6; 1e-8 in f64)");
  }

  void prepare(const Store&, const Wanted&) override {}
  std::vector<Finding> asked(const Store&) const override { return asked_iterations(); }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return (f64() ? hits_needs<double> : hits_needs<float>)(direction, available_in(store));
  }
  std::uint64_t kept_bytes_per_vertex() const override { return 2 * real_bytes(); }

 protected:
  std::uint32_t default_iterations() const override { return 100; }
  double default_tolerance() const override { return f64() ? 1e-8 : 1e-6; }
  std::uint64_t edges_an_iteration(const Store& store) const override { return 2 * store.num_edges(); }
  Outcome compute_f32(Engine& engine, const Store& store) override { return compute_in<float>(engine, store); }
  Outcome compute_f64(Engine& engine, const Store& store) override { return compute_in<double>(engine, store); }

 private:
  template <class Real>
  Outcome compute_in(Engine& engine, const Store& store) const {
    const HitsOptions how{.iterations = iterations(), .tolerance = tolerance()};
    const auto result = std::make_shared<HitsResult<Real>>(hits<Real>(engine, how));
    Outcome outcome = outcome_of(result, tolerance());
    outcome.columns = {{"authority", ValueColumn::Kind::numbers, std::span<const Real>(result->authority)},
                       {"hub", ValueColumn::Kind::numbers, std::span<const Real>(result->hub)}};
    outcome.check = [result, n = store.num_vertices()](const PageSet& pages, Orientation orientation) {
      const PlainHits expected = reference_hits(pages, orientation, n, result->iterations);
      const double share = check_tolerance<Real>(result->iterations);
      const auto problem = compare_values<Real>("authority", result->authority, expected.authority, share);
      return problem ? problem : compare_values<Real>("hub value", result->hub, expected.hub, share);
    };
    return outcome;
  }
};

}  // namespace

std::unique_ptr<Described> make_hits() { return std::make_unique<Hits>(); }

}  // namespace millrace
