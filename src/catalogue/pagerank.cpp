#include "millrace/algorithms/pagerank.h"

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/iterative.h"
#include "millrace/catalogue/notes.h"
#include "millrace/checks/check_pagerank.h"

namespace millrace {
namespace {

class PageRank final : public Iterative {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "pagerank",
        .help = "PageRank; the rank of vertices without out-edges is shared by all",
        .finds = "rank, sums to 1",
        .supersteps = "iterations",
        .columns = {{"rank"}},
        .bench = per_iteration(),
        .examples = {"g.store -o ranks.txt", "g.store @iterations@ 50 @tolerance@ 1e-9 @check@",
                     "g.store @device@ cuda @device-memory@ 8G -o ranks.npy"}};
    return info;
  }
  std::vector<Option> options() override {
    std::vector<Option> options =
        iteration_options(mark_settings("Iterations (default 20; 1000 with @tolerance@)"),
                          "Stop once ranks change by less, summed over vertices (default: never)");
    options.push_back({.name = "damping",
                       .field = &damping_,
                       .value = "D",
                       .help = "Damping factor (default 0.85)",
                       .range = std::pair(0.0, 1.0)});
    return options;
  }

  void prepare(const Store&, const Wanted&) override {}
  std::vector<Finding> asked(const Store&) const override {
    std::vector<Finding> asked = asked_iterations();
    asked.insert(asked.begin(), {"damping", fmt::format("{}", damping_)});
    return asked;
  }
  std::string note(const Store& store, Direction direction) const override { return note_on(store, direction, true); }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return (f64() ? pagerank_needs<double> : pagerank_needs<float>)(direction, available_in(store));
  }

 protected:
  std::uint32_t default_iterations() const override { return tolerance() > 0 ? 1000 : 20; }
  double default_tolerance() const override { return 0; }
  Outcome compute_f32(Engine& engine, const Store&) override { return compute_in<float>(engine); }
  Outcome compute_f64(Engine& engine, const Store&) override { return compute_in<double>(engine); }

 private:
  template <class Real>
  Outcome compute_in(Engine& engine) const {
    const PageRankOptions how{.damping = damping_, .iterations = iterations(), .tolerance = tolerance()};
    const auto result = std::make_shared<PageRankResult<Real>>(pagerank<Real>(engine, how));
    Outcome outcome = outcome_of(result, tolerance());
    outcome.columns = {{"rank", ValueColumn::Kind::numbers, std::span<const Real>(result->rank)}};
    outcome.check = [result, damping = damping_](const PageSet& pages, Orientation orientation) {
      return check_pagerank<Real>(pages, orientation, result->rank,
                                  {.damping = damping,
                                   .iterations = result->iterations,
                                   .relative_tolerance = check_tolerance<Real>(result->iterations)});
    };
    return outcome;
  }

  double damping_ = 0.85;
};

}  // namespace

std::unique_ptr<Described> make_pagerank() { return std::make_unique<PageRank>(); }

}  // namespace millrace
