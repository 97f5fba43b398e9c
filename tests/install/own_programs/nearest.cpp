// For every vertex: how many hops it is from the nearest of some vertices, along edges, and which of them that is.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "millrace/catalogue/find_vertices.h"
#include "millrace/catalogue/plugin.h"
#include "millrace/checks/complaint.h"
#include "millrace/checks/rows.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace {

using namespace millrace;

constexpr std::uint32_t unreached = ~0u;

// What happens along an edge and at a vertex, in one superstep.
struct Reach {
  using Message = VertexId;
  using Combine = Min;  // of several messages a target takes the lowest
  View<std::uint32_t> hops;
  View<VertexId> nearest;
  std::uint32_t next;  // hops of the vertices that this superstep reaches

  MILLRACE_HD void advance() { ++next; }
  MILLRACE_HD bool wants(VertexId target) const { return hops[target] == unreached; }
  MILLRACE_HD Message message(VertexId source) const { return nearest[source]; }
  MILLRACE_HD bool absorb(VertexId target, Message from) {
    hops[target] = next;
    nearest[target] = from;
    return true;  // it is active in the next superstep
  }
};

// What the algorithm keeps for every vertex.
struct Kept {
  explicit Kept(Registry& registry)
      : hops(registry.attribute<std::uint32_t>("hops", unreached)),
        nearest(registry.vertex_numbers("nearest", no_vertex)) {}
  Attribute<std::uint32_t> hops;
  Attribute<VertexId> nearest;
};

struct Result {
  Array<std::uint32_t> hops;
  Array<VertexId> nearest;
};

// Finds what is wrong with a result without the code that made it; the numbers of hops as in a breadth-first search.
std::optional<std::string> check(const PageSet& pages, Orientation orientation, const std::vector<VertexId>& from,
                                 const Result& result) {
  Complaint complaint;
  std::vector<std::atomic<bool>> explained(result.hops.size());
  for (const VertexId v : from) {
    explained[v] = true;
    if (result.hops[v] != 0 || result.nearest[v] != v) complaint.about(v, "vertex {} is not nearest to itself", v);
  }
  for_each_edge(pages, orientation, [&](VertexId source, VertexId target) {
    if (result.hops[source] == unreached) return;
    const std::uint32_t hops = result.hops[source] + 1;
    if (result.hops[target] > hops) complaint.about(target, "vertex {} is at most {} hops away", target, hops);
    if (result.hops[target] != hops) return;
    if (result.nearest[source] < result.nearest[target])
      complaint.about(target, "vertex {} is as near to {}, which is lower", target, result.nearest[source]);
    if (result.nearest[source] == result.nearest[target]) explained[target] = true;
  });
  for (VertexId v = 0; v < result.hops.size(); ++v)
    if (result.hops[v] != unreached && !explained[v]) complaint.about(v, "nothing leads to vertex {}", v);
  return complaint.text();
}

class Nearest final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "nearest",
        .help = "For each vertex, how many hops it is from the nearest of some vertices, and which one that is",
        .finds = "the nearest of some vertices",
        .supersteps = "levels",
        .columns = {{.name = "hops", .shown = Shown::distribution},
                    {.name = "nearest",
                     .option = "nearest",
                     .option_help = "Write 'id nearest' lines",
                     .may_be_none = true,
                     .shown = Shown::groups}},
        .examples = {"g.store @from@ 0 @from@ 7 -o hops.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    return {{.name = "from",
             .field = &given_,
             .value = "ID",
             .help = "One of the vertices to be near to; may be given several times",
             .required = true}};
  }
  void prepare(const Store& store, const Wanted&) override {
    from_ = find_vertices(store, "from", given_);
    std::ranges::sort(from_);
    from_.erase(std::ranges::unique(from_).begin(), from_.end());
  }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return search_needs<Reach>(direction, available_in(store), needs_of<Kept>());
  }
  std::uint64_t kept_bytes_per_vertex() const override { return sizeof(std::uint32_t) + sizeof(VertexId); }

  Outcome compute(Engine& engine, const Store&) override {
    const Stopwatch watch;
    auto [hops, nearest] = Kept(engine);
    for (const VertexId v : from_) {
      engine.set(hops, v, 0u);
      engine.set(nearest, v, v);
    }
    const Traversal search = engine.traverse(engine.frontier(from_), Reach{hops, nearest, 1});
    const double seconds = watch.seconds();

    const auto result = std::make_shared<Result>(std::move(hops).take(), std::move(nearest).take());
    Outcome outcome{.seconds = seconds, .edges = search.edges, .result = result};
    outcome.findings = {{"reached", fmt::format("{}", search.active)}};
    outcome.columns = {{"hops", ValueColumn::Kind::levels, std::span<const std::uint32_t>(result->hops)},
                       {"nearest", ValueColumn::Kind::vertices, std::span<const VertexId>(result->nearest)}};
    outcome.check = [result, from = from_](const PageSet& pages, Orientation orientation) {
      return check(pages, orientation, from, *result);
    };
    return outcome;
  }

 private:
  std::vector<std::string> given_;
  std::vector<VertexId> from_;
};

}  // namespace

MILLRACE_PLUGIN(Nearest)
