#include "millrace/algorithms/mis.h"

#include <fmt/format.h>

#include "millrace/algorithms/cdlp.h"
#include "millrace/algorithms/mis_programs.h"
#include "millrace/catalogue/all_edges.h"
#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/notes.h"
#include "millrace/checks/check_mis.h"

namespace millrace {
namespace {

class Mis final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "mis",
        .help =
            "A maximal independent set: no two of its vertices are neighbours, and every other vertex has a neighbour "
            "in it. Vertices are taken in by rising degree, those of equal degree in a random order; edges of any "
            "direction count",
        .finds = "a maximal independent set",
        .supersteps = "2 for each of a few rounds",
        .columns = {{.name = "member", .shown = Shown::distribution}},
        .bench = per_run(),
        .examples = {"g.store -o members.txt", "g.store @seed@ 7 @check@"}};
    return info;
  }
  std::vector<Option> options() override {
    return {{.name = "seed",
             .field = &how_.seed,
             .value = "S",
             .help = "Seed of the order of vertices of equal degree (default 1)"}};
  }

  void prepare(const Store&, const Wanted&) override { own_.reset(); }
  // As in cdlp: the memory of ids is not counted, so that the shares of memory that `bench` uses apply to the run
  // alone.
  void prepare_measurement(const Store& store, const Measured&) override { load_input(store, unlimited_budget()); }
  std::vector<Finding> asked(const Store&) const override { return {{"seed", fmt::format("{}", how_.seed)}}; }
  std::string note(const Store& store, Direction direction) const override {
    return note_on_both_ways(store, direction);
  }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return mis_needs(direction, available_in(store));
  }
  // The set, and the numbers below.
  std::uint64_t kept_bytes_per_vertex() const override { return 2 * sizeof(std::uint32_t); }
  TakenBefore input_memory(const Store& store) const override {
    return own_ ? TakenBefore{} : own_labels_memory(store);
  }
  // Numbers that do not depend on the order of vertices in the store; then the set does not either.
  void load_input(const Store& store, Budget& budget) override {
    own_ = std::make_shared<const Array<Label>>(own_labels(store, budget));
  }
  std::uint64_t expected_edges(const Store& store) const override { return entries_of(store); }

  Outcome compute(Engine& engine, const Store& store) override {
    const std::shared_ptr<const Array<Label>> own = own_ ? own_ : std::make_shared<const Array<Label>>();
    const auto result = std::make_shared<MisResult>(mis(engine, how_, *own));
    Outcome outcome{.seconds = result->seconds, .edges = store.num_edges(), .result = result};
    outcome.findings = {{"size", fmt::format("{}", result->size)}, {"rounds", fmt::format("{}", result->rounds)}};
    outcome.columns = {{"member", ValueColumn::Kind::numbers, std::span<const std::uint32_t>(result->member)}};
    outcome.check = [result, own, directed = store.manifest().directed, seed = how_.seed](const PageSet& pages,
                                                                                          Orientation orientation) {
      return check_mis(pages, orientation, directed, result->member, [&](std::uint64_t degree, VertexId v) {
        return greedy_place(degree, own->empty() ? v : (*own)[v], seed);
      });
    };
    return outcome;
  }

 private:
  MisOptions how_;
  std::shared_ptr<const Array<Label>> own_;  // null: not loaded
};

}  // namespace

std::unique_ptr<Described> make_mis() { return std::make_unique<Mis>(); }

}  // namespace millrace
