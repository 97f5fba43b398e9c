// Returns the core number of every vertex (Seidman 1983) by peeling: for k = 1, 2, ... the vertices with at most k
// neighbours left are taken out with core number k; each tells its neighbours, and those that fall to k follow. All
// that are low at once are one superstep, as in Dhulipala et al. 2017. Looking for the next low ones goes through a
// list of those left, made anew whenever it has halved: so all looks together are no more than there are edges.
#include "millrace/algorithms/kcore.h"

#include <limits>

#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/operators/atomics.h"

namespace millrace {
namespace {

constexpr std::uint32_t unpeeled = std::numeric_limits<std::uint32_t>::max();
// When so many k in a row had nobody to take out, the next is looked up.
constexpr std::uint32_t patience = 4;

struct Begin {
  View<const std::uint32_t> out_degree, in_degree;
  bool undirected;
  View<std::uint32_t> left, core;
  MILLRACE_HD void operator()(VertexId v) const {
    left[v] = out_degree[v] + (undirected ? 0 : in_degree[v]);
    core[v] = left[v] == 0 ? 0 : unpeeled;
  }
};

struct IsLeft {
  View<const std::uint32_t> core;
  MILLRACE_HD bool operator()(VertexId v) const { return core[v] == unpeeled; }
};

// Chooses the low ones, and takes them out.
struct TakeLow {
  View<const std::uint32_t> left;
  View<std::uint32_t> core;
  std::uint32_t k;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (core[v] != unpeeled || left[v] > k) return false;
    core[v] = k;
    return true;
  }
};

// Those taken out are missed by their neighbours.
struct Peel {
  using Message = std::uint32_t;
  using Combine = Sum;
  View<std::uint32_t> left, core;
  std::uint32_t k;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return read_cached(core[target]) == unpeeled; }
  MILLRACE_HD Message message(VertexId) const { return 1; }
  // Of messages that are all 1, the one that takes it from k + 1 to k.
  MILLRACE_HD bool receive(VertexId target, Message missing) const {
    return add_shared(left[target], 0 - missing) == k + missing;
  }
  MILLRACE_HD void join(VertexId target) const { write_shared(core[target], k); }
  MILLRACE_HD bool absorb(VertexId target, Message missing) {
    left[target] -= missing;
    if (left[target] > k) return false;
    core[target] = k;
    return true;
  }
};

struct LeftOf {
  View<const std::uint32_t> left, core;
  MILLRACE_HD std::uint32_t operator()(VertexId v) const { return core[v] == unpeeled ? left[v] : unpeeled; }
};
struct Lower {
  MILLRACE_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? a : b; }
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
          .attributes = attributes_of<std::uint32_t, std::uint32_t>(),
          .supersteps = supersteps_of<Peel>(
              {.push = push, .frontiers = frontiers, .queues = frontiers, .unites = available.directed}),
          .result_bytes_per_vertex = 4};
}

KcoreResult kcore(Engine& engine) {
  const Stopwatch watch;
  Attribute<std::uint32_t> left = engine.attribute<std::uint32_t>("neighbours left");
  Attribute<std::uint32_t> core = engine.attribute<std::uint32_t>("core");
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
