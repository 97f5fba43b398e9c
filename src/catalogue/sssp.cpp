#include "millrace/algorithms/sssp.h"

#include <fmt/format.h>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/notes.h"
#include "millrace/catalogue/per_source.h"
#include "millrace/catalogue/search.h"
#include "millrace/checks/check_sssp.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

class Sssp final : public SearchFromOne {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{.name = "sssp",
                                    .help = "Shortest paths by weight: distances, and parents if asked",
                                    .finds = "distances by weight, and parents",
                                    .supersteps = "until no distance decreases",
                                    .columns = {{.name = "distance", .shown = Shown::distribution}, parent_column()},
                                    .uses_weights = true,
                                    .bench = per_source("search", true),
                                    .examples = {"roads.store @source@ 0 -o distances.txt",
                                                 "roads.store @source@ 0 @parents@ parents.txt @check@"}};
    return info;
  }
  std::vector<Option> options() override {
    std::vector<Option> options = SearchFromOne::options();
    options.push_back({.name = "delta",
                       .field = &delta_,
                       .value = "D",
                       .help = "Width of the distance buckets (default: adapted during the search)",
                       .above_zero = true});
    return options;
  }

  void prepare(const Store& store, const Wanted& wanted) override {
    SearchFromOne::prepare(store, wanted);
    kept_bytes_ = needs(store, Direction::automatic).result_bytes_per_vertex;
    weighted_ = store.manifest().weight_type != WeightType::none;
  }
  std::string remark() const override {
    return weighted_ ? std::string()
                     : marked_text(
                           "the graph has no weights, so every edge counts 1 (weights are read from a graph file "
                           "with @weighted@)");
  }
  std::string note(const Store& store, Direction direction) const override { return note_on(store, direction, false); }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return (distances_fit_u32(store) ? sssp_needs<std::uint32_t> : sssp_needs<double>)(how(), direction,
                                                                                       available_in(store));
  }
  std::uint64_t kept_bytes_per_vertex() const override { return kept_bytes_; }

  Outcome compute(Engine& engine, const Store& store) override {
    return distances_fit_u32(store) ? compute_in<std::uint32_t>(engine) : compute_in<double>(engine);
  }

 private:
  SsspOptions how() const { return {.delta = delta_, .parents = wants_parents()}; }

  template <class Distance>
  Outcome compute_in(Engine& engine) const {
    const auto result = std::make_shared<SsspResult<Distance>>(sssp<Distance>(engine, source(), how()));
    Outcome outcome{.seconds = result->seconds, .edges = result->edges, .result = result};
    outcome.findings = {{"reached", fmt::format("{}", result->reached)},
                        {"farthest", fmt::format("{}", result->farthest)},
                        {"relaxed_edges", fmt::format("{}", result->relaxed)},
                        {"buckets", fmt::format("{}", result->buckets)}};
    if (result->beyond > 0) {
      outcome.findings.push_back({"beyond", fmt::format("{}", result->beyond)});
      outcome.shortfall = fmt::format(
          "{} reached only by paths longer than {:.2g}, the largest number of 64 bits, and count{} as not reached",
          result->beyond == 1 ? "1 vertex is" : format_count(result->beyond) + " vertices are",
          std::numeric_limits<double>::max(), result->beyond == 1 ? "s" : "");
    }
    outcome.columns = {{"distance", ValueColumn::Kind::distances, std::span<const Distance>(result->distance)}};
    if (wants_parents())
      outcome.columns.push_back({"parent", ValueColumn::Kind::vertices, std::span<const VertexId>(result->parent)});
    outcome.check = [result, from = source()](const PageSet& pages, Orientation orientation) {
      return check_sssp<Distance>(pages, orientation, from, result->distance, result->parent);
    };
    return outcome;
  }

  double delta_ = 0;
  bool weighted_ = true;
  std::uint64_t kept_bytes_ = 0;  // for each vertex
};

}  // namespace

std::unique_ptr<Described> make_sssp() { return std::make_unique<Sssp>(); }

}  // namespace millrace
