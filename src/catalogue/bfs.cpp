#include "millrace/algorithms/bfs.h"

#include <fmt/format.h>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/notes.h"
#include "millrace/catalogue/search.h"
#include "millrace/checks/check_bfs.h"

namespace millrace {
namespace {

class Bfs final : public SearchFromOne {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "bfs",
        .help = "Breadth-first search: levels, and parents if asked",
        .finds = "levels and parents",
        .supersteps = "levels",
        .columns = {{.name = "level", .shown = Shown::distribution}, parent_column()},
        .bench = BenchInfo{.unit = "search",
                           .explanation =
                               "mean time of sources; GTEPS count the out-edges of reached vertices, harmonic mean",
                           .from_sources = true,
                           .reads_bits = true},
        .examples = {"g.store @source@ 0 -o levels.txt", "g.store @source@ 0 @parents@ parents.txt @check@"}};
    return info;
  }
  std::string note(const Store& store, Direction direction) const override { return note_on(store, direction, false); }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return bfs_needs(direction, available_in(store));
  }
  std::uint64_t kept_bytes_per_vertex() const override { return sizeof(Level) + sizeof(VertexId); }

  Outcome compute(Engine& engine, const Store&) override {
    const auto result = std::make_shared<BfsResult>(bfs(engine, source()));
    Outcome outcome{.seconds = result->seconds, .edges = result->edges, .result = result};
    outcome.findings = {{"reached", fmt::format("{}", result->reached)}, {"depth", fmt::format("{}", result->depth)}};
    outcome.columns = {{"level", ValueColumn::Kind::levels, std::span<const Level>(result->level)},
                       {"parent", ValueColumn::Kind::vertices, std::span<const VertexId>(result->parent)}};
    outcome.check = [result, from = source()](const PageSet& pages, Orientation orientation) {
      return check_bfs(pages, orientation, from, result->level, result->parent);
    };
    return outcome;
  }
};

}  // namespace

std::unique_ptr<Described> make_bfs() { return std::make_unique<Bfs>(); }

}  // namespace millrace
