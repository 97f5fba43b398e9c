#include "millrace/cli/bench_works.h"

#include <memory>

#include "millrace/algorithms/bc.h"
#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/cdlp.h"
#include "millrace/algorithms/kcore.h"
#include "millrace/algorithms/lcc.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/algorithms/scc.h"
#include "millrace/algorithms/triangles.h"
#include "millrace/algorithms/wcc.h"
#include "millrace/checks/check_bc.h"
#include "millrace/checks/check_bfs.h"
#include "millrace/checks/check_cdlp.h"
#include "millrace/checks/check_components.h"
#include "millrace/checks/check_kcore.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/checks/check_triangles.h"
#include "millrace/core/error.h"

namespace millrace {
namespace {

constexpr Direction automatic = Direction::automatic;

BenchWork pagerank_work() {
  BenchWork work{.name = "pagerank",
                 .unit = "iteration",
                 .explanation = "f32, time per iteration, median of repeats; GTEPS count all edges"};
  work.needs = [](const Store& store) { return pagerank_needs<float>(automatic, available_in(store)); };
  work.run = [](Engine& engine, const Store& store, const WorkOptions& options) {
    const auto result =
        std::make_shared<PageRankResult<float>>(pagerank<float>(engine, {.iterations = options.iterations}));
    const PageRankClaim claim{.iterations = options.iterations, .relative_tolerance = 1e-4};
    return WorkDone{.seconds = result->seconds,
                    .edges = static_cast<double>(store.num_edges()) * options.iterations,
                    .units = static_cast<double>(options.iterations),
                    .check = [=](const PageSet& pages, Orientation o) {
                      return check_pagerank<float>(pages, o, result->rank, claim);
                    }};
  };
  return work;
}

BenchWork bfs_work() {
  BenchWork work{.name = "bfs",
                 .unit = "search",
                 .explanation = "mean time of sources; GTEPS count the out-edges of reached vertices, harmonic mean",
                 .from_sources = true,
                 .reads_bits = true};
  work.needs = [](const Store& store) { return bfs_needs(automatic, available_in(store)); };
  work.run = [](Engine& engine, const Store&, const WorkOptions& options) {
    const auto result = std::make_shared<BfsResult>(bfs(engine, options.source));
    return WorkDone{.seconds = result->seconds,
                    .edges = static_cast<double>(result->edges),
                    .check = [=](const PageSet& pages, Orientation o) {
                      return check_bfs(pages, o, options.source, result->level, result->parent);
                    }};
  };
  return work;
}

BenchWork cdlp_work() {
  BenchWork work{.name = "cdlp",
                 .unit = "iteration",
                 .explanation = "time per iteration, median of repeats; GTEPS count the neighbours of all vertices"};
  work.needs = [](const Store&) { return cdlp_needs(); };
  work.run = [](Engine& engine, const Store& store, const WorkOptions& options) {
    struct Run {
      Array<Label> own;
      CdlpResult result;
    };
    const auto run = std::make_shared<Run>();
    run->own = own_labels(store, unlimited_budget());
    run->result = cdlp(engine, {.iterations = options.iterations}, run->own);
    const bool directed = store.manifest().directed;
    const double values = static_cast<double>(store.num_edges()) * (directed ? 2 : 1) * run->result.iterations;
    return WorkDone{.seconds = run->result.seconds,
                    .edges = values,
                    .units = static_cast<double>(std::max(run->result.iterations, 1u)),
                    .more_bytes = 2 * sizeof(Label) * values,
                    .check = [=](const PageSet& pages, Orientation o) {
                      return check_cdlp(pages, o, run->result.label,
                                        {.directed = directed, .iterations = options.iterations, .own = run->own});
                    }};
  };
  return work;
}

// An algorithm without a source that looks at every edge, or might.
template <class Compute, class Check>
BenchWork whole_graph_work(const char* name, GraphNeeds (*needs)(Direction, Available), Compute compute, Check check) {
  BenchWork work{.name = name, .unit = "run", .explanation = "median of repeats; GTEPS count all edges"};
  work.needs = [needs](const Store& store) { return needs(automatic, available_in(store)); };
  work.run = [compute, check](Engine& engine, const Store& store, const WorkOptions&) {
    const auto result = std::make_shared<decltype(compute(engine))>(compute(engine));
    const bool directed = store.manifest().directed;
    return WorkDone{.seconds = result->seconds,
                    .edges = static_cast<double>(store.num_edges()),
                    .check = [=](const PageSet& pages, Orientation o) { return check(pages, o, directed, *result); }};
  };
  return work;
}

BenchWork wcc_work() {
  return whole_graph_work("wcc", wcc_needs, wcc, [](const PageSet& pages, Orientation o, bool, const auto& result) {
    return check_wcc(pages, o, result.component);
  });
}

BenchWork scc_work() {
  return whole_graph_work("scc", scc_needs, scc, [](const PageSet& pages, Orientation o, bool, const auto& result) {
    return check_scc(pages, o, result.component);
  });
}

BenchWork kcore_work() {
  return whole_graph_work("kcore", kcore_needs, kcore,
                          [](const PageSet& pages, Orientation o, bool directed, const auto& result) {
                            return check_kcore(pages, o, directed, result.core);
                          });
}

BenchWork bc_work() {
  BenchWork work{
      .name = "bc",
      .unit = "source",
      .explanation = "mean time of sources; GTEPS count the out-edges of reached vertices once, harmonic mean",
      .from_sources = true};
  work.needs = [](const Store& store) { return bc_needs(automatic, available_in(store)); };
  work.run = [](Engine& engine, const Store&, const WorkOptions& options) {
    const BcOptions from{.sources = {options.source}, .scale = BcOptions::Scale::sums};
    const auto result = std::make_shared<BcResult>(bc(engine, from));
    return WorkDone{.seconds = result->seconds,
                    .edges = static_cast<double>(result->edges),
                    .check = [=](const PageSet& pages, Orientation o) {
                      return check_bc(pages, o, result->centrality, {.sources = from.sources});
                    }};
  };
  return work;
}

BenchWork triangles_work() {
  BenchWork work{.name = "triangles",
                 .unit = "run",
                 .explanation = "the total alone, median of repeats; GTEPS count all edges once"};
  work.needs = [](const Store& store) { return triangles_needs(automatic, available_in(store)); };
  work.run = [](Engine& engine, const Store& store, const WorkOptions&) {
    const TrianglesResult result = triangles(engine, {.by_vertex = false});
    return WorkDone{.seconds = result.seconds,
                    .edges = static_cast<double>(store.num_edges()),
                    .check = [n = store.num_vertices(), found = result.triangles](const PageSet& pages, Orientation o) {
                      return check_triangles(pages, o, n, found);
                    }};
  };
  return work;
}

BenchWork lcc_work() {
  BenchWork work{.name = "lcc", .unit = "run", .explanation = "median of repeats; GTEPS count all edges once"};
  work.needs = [](const Store& store) { return lcc_needs(automatic, available_in(store)); };
  work.run = [](Engine& engine, const Store& store, const WorkOptions&) {
    const auto result = std::make_shared<LccResult>(lcc(engine));
    return WorkDone{
        .seconds = result->seconds,
        .edges = static_cast<double>(store.num_edges()),
        .check = [=](const PageSet& pages, Orientation o) { return check_lcc(pages, o, result->coefficient); }};
  };
  return work;
}

}  // namespace

const std::vector<BenchWork>& bench_works() {
  static const std::vector<BenchWork> works{pagerank_work(), bfs_work(),  wcc_work(),       scc_work(), bc_work(),
                                            kcore_work(),    cdlp_work(), triangles_work(), lcc_work()};
  return works;
}

const BenchWork& bench_work(const std::string& name) {
  for (const BenchWork& work : bench_works())
    if (work.name == name) return work;
  throw InternalError("nothing to measure is called {}", name);
}

std::vector<std::string> bench_work_names() {
  std::vector<std::string> names;
  for (const BenchWork& work : bench_works()) names.push_back(work.name);
  return names;
}

}  // namespace millrace
