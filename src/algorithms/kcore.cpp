// Returns the core number of every vertex (Seidman 1983) by peeling: for k = 1, 2, ... the vertices with at most k
// neighbours left are taken out with core number k; each tells its neighbours, and those that fall to k follow. All
// that are low at once are one superstep, as in Dhulipala et al. 2017. Looking for the next low ones goes through a
// list of those left, made anew whenever it has halved: so all looks together are no more than there are edges.
#include "millrace/algorithms/kcore.h"

#include "millrace/algorithms/kcore_programs.h"
#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace kcore_programs;

// When so many k in a row had nobody to take out, the next is looked up.
constexpr std::uint32_t patience = 4;

namespace {

struct Kept {
  explicit Kept(Registry& registry)
      : left(registry.attribute<std::uint32_t>("neighbours left")), core(registry.attribute<std::uint32_t>("core")) {}
  Attribute<std::uint32_t> left, core;
};

}  // namespace

void require_simple(const Store& store) {
  const Manifest& manifest = store.manifest();
  if (manifest.keeps_parallel_edges || manifest.self_loops > 0)
    throw UsageError(
        "{} keeps {}, and core numbers are those of graphs without: make the store again without them",
        store.path().string(),
        manifest.keeps_parallel_edges ? "parallel edges" : fmt::format("{} self-loops", manifest.self_loops));
}

GraphNeeds kcore_needs(Direction direction, Available available) {
  const bool push = direction != Direction::pull;
  const bool forced = direction != Direction::automatic;  // then no orientation stands in for the other
  // The list of those left, the frontier, and those that joined along one way or either.
  const std::uint32_t frontiers = available.directed ? 4 : 3;
  return {.in_pages = available.in || forced,
          .out_pages = available.out || forced,
          .row_index = push,
          .both_ways = true,
          .out_degrees = true,
          .in_degrees = true,
          .attributes = needs_of<Kept>(),
          .supersteps = supersteps_of<Peel>(
              {.push = push, .frontiers = frontiers, .queues = frontiers, .unites = available.directed}),
          .result_bytes_per_vertex = 4};
}

KcoreResult kcore(Engine& engine) {
  const Stopwatch watch;
  auto [left, core] = Kept(engine);
  engine.vertex_map(Begin{engine.out_degree(), engine.in_degree(), engine.undirected(), left, core});

  KcoreResult result;
  Frontier list = engine.filter(IsLeft{core});
  std::uint64_t remaining = list.size();
  std::uint32_t in_vain = 0;
  for (std::uint32_t k = 1; remaining > 0; ++k) {
    if (remaining < list.size() / 2) list = engine.filter_in(list, IsLeft{core});
    if (in_vain >= patience) k = engine.reduce(unpeeled, LeftOf{left, core}, Lower{});
    Frontier low = engine.take_in(list, TakeLow{left, core, k});
    in_vain = low.empty() ? in_vain + 1 : 0;
    if (low.empty()) continue;
    remaining -= engine.traverse_both_ways(std::move(low), Peel{left, core, k}).active;
    result.largest = k;
  }
  result.seconds = watch.seconds();
  result.core = std::move(core).take();
  return result;
}

}  // namespace millrace
