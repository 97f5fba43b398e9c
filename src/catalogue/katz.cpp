#include "millrace/algorithms/katz.h"

#include <algorithm>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/iterative.h"
#include "millrace/catalogue/notes.h"
#include "millrace/checks/check_centrality.h"
#include "millrace/core/error.h"

namespace millrace {
namespace {

// No eigenvalue is larger than this: the largest sum of a row, or that of a column, of the matrix.
std::uint32_t eigenvalue_bound(const Store& store) {
  std::uint32_t bound = ~0u;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const Array<std::uint32_t> degrees = store.load_degrees(o, unlimited_budget());
    bound = std::min(bound, *std::max_element(degrees.begin(), degrees.end()));
  }
  return bound;
}

class Katz final : public Iterative {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "katz",
        .help = "Katz centrality: alpha times the sum over in-neighbours, plus beta; scaled so that squares sum to 1",
        .finds = "walks that end at a vertex, damped by length",
        .supersteps = "iterations",
        .columns = {{"centrality"}},
        .bench = per_iteration(),
        .examples = {"g.store @alpha@ 0.01 -o centrality.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    std::vector<Option> options = {
        {.name = "alpha",
         .field = &alpha_,
         .value = "A",
         .help = "Factor of each edge (default 0.1); must be below 1 / the largest eigenvalue to converge",
         .range = std::pair(0.0, 1e10)},
        {.name = "beta",
         .field = &beta_,
         .value = "B",
         .help = "Constant added to every vertex, above 0 (default 1)",
         .range = std::pair(1e-10, 1e10)}};
    for (Option& option :
         iteration_options("The most iterations (default 1000)",
                           "Stop once values change by less on average, before scaling (default 1e-6)"))
      options.push_back(std::move(option));
    return options;
  }

  void prepare(const Store&, const Wanted&) override {}
  // Values may grow without bound, which ends a repeat early: the time per iteration stays the same.
  void prepare_measurement(const Store& store, const Measured& by) override {
    Iterative::prepare_measurement(store, by);
    may_diverge_ = true;
  }
  std::vector<Finding> asked(const Store&) const override {
    std::vector<Finding> asked = {{"alpha", fmt::format("{}", alpha_)}, {"beta", fmt::format("{}", beta_)}};
    for (Finding& finding : asked_iterations()) asked.push_back(std::move(finding));
    return asked;
  }
  std::string note(const Store& store, Direction direction) const override { return note_on(store, direction, true); }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return (f64() ? katz_needs<double> : katz_needs<float>)(direction, available_in(store));
  }

 protected:
  std::uint32_t default_iterations() const override { return 1000; }
  double default_tolerance() const override { return 1e-6; }
  Outcome compute_f32(Engine& engine, const Store& store) override { return compute_in<float>(engine, store); }
  Outcome compute_f64(Engine& engine, const Store& store) override { return compute_in<double>(engine, store); }

 private:
  template <class Real>
  Outcome compute_in(Engine& engine, const Store& store) const {
    const std::uint64_t n = store.num_vertices();
    const KatzOptions how{.alpha = alpha_,
                          .beta = beta_,
                          .iterations = iterations(),
                          .tolerance = tolerance(),
                          .undirected = !store.manifest().directed};
    const auto result = std::make_shared<KatzResult<Real>>(katz<Real>(engine, how));
    if (result->diverged && !may_diverge_)
      require_small_alpha(store, result->widest, result->iterations, result->largest);
    return centrality_of<Real>(
        result, tolerance() * static_cast<double>(n),
        [n, alpha = alpha_, beta = beta_, done = result->iterations](const PageSet& pages, Orientation orientation) {
          return reference_katz(pages, orientation, n, {.alpha = alpha, .beta = beta, .iterations = done});
        });
  }

  // Below that bound a run was only too short.
  void require_small_alpha(const Store& store, std::uint32_t widest, std::uint32_t iterations, double change) const {
    const std::uint32_t bound = eigenvalue_bound(store);
    if (alpha_ * bound < 1) return;
    throw Error(ExitCode::failure,
                marked_text("katz diverged: iteration {} of {} changed the values most, by {:.3g} in all, and there is "
                            "no result; @alpha@ {} is too large for this graph; with any below 1/{} (a bound by "
                            "degrees) values converge",
                            widest, iterations, change, alpha_, bound));
  }

  double alpha_ = 0.1;
  double beta_ = 1;
  bool may_diverge_ = false;
};

}  // namespace

std::unique_ptr<Described> make_katz() { return std::make_unique<Katz>(); }

}  // namespace millrace
