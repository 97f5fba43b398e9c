#include "millrace/algorithms/kcore.h"

#include <fmt/format.h>

#include "millrace/catalogue/all_edges.h"
#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/notes.h"
#include "millrace/catalogue/part.h"
#include "millrace/checks/check_kcore.h"

namespace millrace {
namespace {

class Kcore final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "kcore",
        .help =
            "Core numbers: the highest k for which a vertex is in the k-core, the largest subgraph in which every "
            "vertex has k neighbours or more; in directed graphs in-edges and out-edges both count. Stores with "
            "parallel edges or self-loops are refused",
        .finds = "core numbers",
        .supersteps = "rounds of peeling",
        .columns = {{.name = "core", .shown = Shown::distribution}},
        .uses_weights = true,
        .bench = per_run(),
        .examples = {"g.store -o cores.txt", "g.store @k@ 3 @edges@ core.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    return {{.name = "k", .field = &k_, .value = "K", .help = "Also find the K-core itself, and its size"},
            {.name = "edges",
             .field = &part_.output,
             .value = "FILE",
             .help = "Write the K-core as 'source target [weight]' lines, compressed if it ends in .gz or .zst",
             .use = PathUse::output,
             .uses = edges_or_store,
             .needs = "k",
             .typed = "; - is stdout"},
            {.name = "store",
             .field = &part_.store,
             .value = "STORE",
             .help = "Make a store of the K-core, with its ids, names and weights",
             .use = PathUse::store,
             .needs = "k"},
            part_.force_option()};
  }

  void prepare(const Store& store, const Wanted&) override {
    require_simple(store);
    destination_ = part_.destination(store);
  }
  std::vector<Finding> asked(const Store&) const override {
    if (!k_) return {};
    return {{"k", fmt::format("{}", *k_)}};
  }
  std::string note(const Store& store, Direction direction) const override {
    return note_on_both_ways(store, direction);
  }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return kcore_needs(direction, available_in(store));
  }
  std::uint64_t kept_bytes_per_vertex() const override { return sizeof(std::uint32_t); }
  std::uint64_t finish_memory(const Store& store) const override { return k_ ? part_memory(store, destination_) : 0; }
  std::uint64_t expected_edges(const Store& store) const override { return entries_of(store); }

  Outcome compute(Engine& engine, const Store& store) override {
    const auto result = std::make_shared<KcoreResult>(kcore(engine));
    Outcome outcome{.seconds = result->seconds, .edges = store.num_edges(), .result = result};
    outcome.findings = {{"largest_core", fmt::format("{}", result->largest)}};
    outcome.columns = {{"core", ValueColumn::Kind::numbers, std::span<const std::uint32_t>(result->core)}};
    outcome.check = [result, directed = store.manifest().directed](const PageSet& pages, Orientation orientation) {
      return check_kcore(pages, orientation, directed, result->core);
    };
    return outcome;
  }

  void finish(const Store& store, Outcome& outcome, Budget& budget, const Finished& finished) override {
    if (!k_) return;
    const Array<std::uint32_t>& core = std::static_pointer_cast<KcoreResult>(outcome.result)->core;
    const VertexSet members = VertexSet::where(core.size(), budget, [&](VertexId v) { return core[v] >= *k_; });
    write_part(store, members, destination_, budget, outcome.findings, finished);
  }

 private:
  std::optional<std::uint32_t> k_;
  PartOptions part_;
  SubgraphOutput destination_;
};

}  // namespace

std::unique_ptr<Described> make_kcore() { return std::make_unique<Kcore>(); }

}  // namespace millrace
