#include "millrace/algorithms/eigenvector.h"

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/iterative.h"
#include "millrace/catalogue/notes.h"
#include "millrace/checks/check_centrality.h"

namespace millrace {
namespace {

class Eigenvector final : public Iterative {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "eigenvector",
        .help = "Eigenvector centrality, proportional to the sum over in-neighbours; squares sum to 1",
        .finds = "principal eigenvector",
        .supersteps = "iterations",
        .columns = {{"centrality"}},
        .bench = per_iteration(),
        .examples = {"g.store @iterations@ 100 -o centrality.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    return iteration_options("The most iterations (default 100)",
                             "Stop once values change by less on average (default 1e-6)");
  }

  void prepare(const Store&, const Wanted&) override {}
  std::vector<Finding> asked(const Store&) const override { return asked_iterations(); }
  std::string note(const Store& store, Direction direction) const override { return note_on(store, direction, true); }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return (f64() ? eigenvector_needs<double> : eigenvector_needs<float>)(direction, available_in(store));
  }

 protected:
  std::uint32_t default_iterations() const override { return 100; }
  double default_tolerance() const override { return 1e-6; }
  Outcome compute_f32(Engine& engine, const Store& store) override { return compute_in<float>(engine, store); }
  Outcome compute_f64(Engine& engine, const Store& store) override { return compute_in<double>(engine, store); }

 private:
  template <class Real>
  Outcome compute_in(Engine& engine, const Store& store) const {
    const std::uint64_t n = store.num_vertices();
    const EigenvectorOptions how{.iterations = iterations(), .tolerance = tolerance()};
    const auto result = std::make_shared<EigenvectorResult<Real>>(eigenvector<Real>(engine, how));
    return centrality_of<Real>(result, tolerance() * static_cast<double>(n),
                               [n, done = result->iterations](const PageSet& pages, Orientation orientation) {
                                 return reference_eigenvector(pages, orientation, n, done);
                               });
  }
};

}  // namespace

std::unique_ptr<Described> make_eigenvector() { return std::make_unique<Eigenvector>(); }

}  // namespace millrace
