#include "millrace/cli/bench_works.h"

#include "millrace/algorithms/bc.h"
#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/cdlp.h"
#include "millrace/algorithms/kcore.h"
#include "millrace/algorithms/lcc.h"
#include "millrace/algorithms/radius.h"
#include "millrace/algorithms/scc.h"
#include "millrace/algorithms/sssp.h"
#include "millrace/algorithms/triangles.h"
#include "millrace/algorithms/wcc.h"
#include "millrace/checks/check_bc.h"
#include "millrace/checks/check_bfs.h"
#include "millrace/checks/check_cdlp.h"
#include "millrace/checks/check_components.h"
#include "millrace/checks/check_degrees.h"
#include "millrace/checks/check_kcore.h"
#include "millrace/checks/check_radius.h"
#include "millrace/checks/check_sssp.h"
#include "millrace/checks/check_triangles.h"
#include "millrace/cli/bench_complete.h"
#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/report/degree_distribution.h"

namespace millrace {
namespace {

constexpr auto per_run = "median of repeats; GTEPS count all edges once";
constexpr auto per_source = "mean time of sources; GTEPS count the out-edges of reached vertices once, harmonic mean";

BenchWork bfs_work() {
  return complete(
      {.name = "bfs",
       .unit = "search",
       .explanation = "mean time of sources; GTEPS count the out-edges of reached vertices, harmonic mean",
       .from_sources = true,
       .reads_bits = true},
      bfs_needs, [](Engine& engine, const WorkOptions& options) { return bfs(engine, options.source); },
      [](const Evidence& by, const auto& result) {
        return check_bfs(by.pages, by.orientation, by.options.source, result.level, result.parent);
      });
}

template <class Distance>
WorkDone sssp_done(Engine& engine, const Store& store, const WorkOptions& options) {
  const auto check = [](const Evidence& by, const auto& result) {
    return check_sssp<Distance>(by.pages, by.orientation, by.options.source, result.distance);
  };
  return done(sssp<Distance>(engine, options.source), check, store, options);
}

BenchWork sssp_work() {
  BenchWork work{.name = "sssp", .unit = "search", .explanation = per_source, .from_sources = true, .weighted = true};
  work.needs = [](const Store& store, Direction direction) {
    return (distances_fit_u32(store) ? sssp_needs<std::uint32_t> : sssp_needs<double>)({}, direction,
                                                                                       available_in(store));
  };
  work.run = [](Engine& engine, const Store& store, const WorkOptions& options) {
    return (distances_fit_u32(store) ? sssp_done<std::uint32_t> : sssp_done<double>)(engine, store, options);
  };
  return work;
}

BenchWork bc_work() {
  return complete(
      {.name = "bc", .unit = "source", .explanation = per_source, .from_sources = true}, bc_needs,
      [](Engine& engine, const WorkOptions& options) {
        return bc(engine, {.sources = {options.source}, .scale = BcOptions::Scale::sums});
      },
      [](const Evidence& by, const auto& result) {
        return check_bc(by.pages, by.orientation, result.centrality, {.sources = std::span(&by.options.source, 1)});
      });
}

BenchWork radius_work() {
  return complete(
      {.name = "radius",
       .unit = "run",
       .explanation = "64 registers, median of repeats; GTEPS count the edges looked at, 8 registers at a time"},
      [](Direction direction, Available available) { return radius_needs({}, direction, available); },
      [](Engine& engine, const WorkOptions&) { return radius(engine, {}); },
      [](const Evidence& by, const auto& result) {
        return check_radius(by.pages, by.orientation, result.radius, result.neighbourhood, {});
      });
}

template <class Check>
BenchWork components_work(const char* name, GraphNeeds (*needs)(Direction, Available),
                          ComponentsResult (*compute)(Engine&), Check check) {
  return complete(
      {.name = name, .unit = "run", .explanation = per_run}, needs,
      [=](Engine& engine, const WorkOptions&) { return compute(engine); },
      [=](const Evidence& by, const auto& result) { return check(by.pages, by.orientation, result.component); });
}

BenchWork kcore_work() {
  return complete(
      {.name = "kcore", .unit = "run", .explanation = per_run}, kcore_needs,
      [](Engine& engine, const WorkOptions&) { return kcore(engine); },
      [](const Evidence& by, const auto& result) {
        return check_kcore(by.pages, by.orientation, by.store.manifest().directed, result.core);
      });
}

BenchWork triangles_work() {
  return complete(
      {.name = "triangles",
       .unit = "run",
       .explanation = "the total alone, median of repeats; GTEPS count all edges once"},
      triangles_needs, [](Engine& engine, const WorkOptions&) { return triangles(engine, {.by_vertex = false}); },
      [](const Evidence& by, const auto& result) {
        return check_triangles(by.pages, by.orientation, by.store.num_vertices(), result.triangles);
      });
}

BenchWork lcc_work() {
  return complete(
      {.name = "lcc", .unit = "run", .explanation = per_run}, lcc_needs,
      [](Engine& engine, const WorkOptions&) { return lcc(engine); },
      [](const Evidence& by, const auto& result) { return check_lcc(by.pages, by.orientation, result.coefficient); });
}

BenchWork cdlp_work() {
  struct Result : CdlpResult {
    Array<Label> own;
    std::uint64_t edges = 0;
  };
  BenchWork work{.name = "cdlp",
                 .unit = "iteration",
                 .explanation = "time per iteration, median of repeats; GTEPS count the neighbours of all vertices"};
  work.needs = [](const Store&, Direction) { return cdlp_needs(); };
  work.run = [](Engine& engine, const Store& store, const WorkOptions& options) {
    const bool directed = store.manifest().directed;
    Array<Label> own = own_labels(store, unlimited_budget());
    const std::size_t first = engine.supersteps().size();
    Result found{cdlp(engine, {.iterations = options.iterations}, own), std::move(own)};
    double looks = 0;
    for (std::size_t i = first; i < engine.supersteps().size(); ++i)
      looks += static_cast<double>(engine.supersteps()[i].edges);
    found.edges = store.num_edges() * (directed ? 2 : 1) * found.iterations;
    const auto check = [=](const Evidence& by, const auto& result) {
      return check_cdlp(by.pages, by.orientation, result.label,
                        {.directed = directed, .iterations = by.options.iterations, .own = result.own});
    };
    WorkDone run = done(std::move(found), check, store, options);
    run.more_bytes = 2 * sizeof(Label) * looks;  // lists are written and read
    return run;
  };
  return work;
}

// Pages are loaded, as for any other work, and not looked at.
BenchWork degrees_work() {
  struct Result {
    Array<std::uint32_t> out, in;  // in: of a directed graph
    double seconds = 0;
    std::uint64_t edges = 0;
  };
  BenchWork work{.name = "degrees",
                 .unit = "run",
                 .explanation = "on the host, with files in the system's cache, median of repeats; no edge is read",
                 .on_host = true};
  work.needs = [](const Store& store, Direction) {
    const bool in = store.has(Orientation::in);
    return GraphNeeds{.in_pages = in, .out_pages = !in, .out_degrees = false};
  };
  work.run = [](Engine&, const Store& store, const WorkOptions& options) {
    Result result;
    const Stopwatch watch;
    result.out = store.load_degrees(Orientation::out, unlimited_budget());
    count_degrees(result.out);
    if (store.manifest().directed) {
      result.in = store.load_degrees(Orientation::in, unlimited_budget());
      count_degrees(result.in);
      count_degrees(result.out, result.in);
    }
    result.seconds = watch.seconds();
    const double bytes = static_cast<double>(sizeof(std::uint32_t) * (result.out.size() + result.in.size()));
    const auto check = [](const Evidence& by, const auto& found) {
      return check_degrees(by.pages, by.orientation, found.out, by.store.manifest().directed ? found.in : found.out);
    };
    WorkDone run = done(std::move(result), check, store, options);
    run.more_bytes = bytes;
    return run;
  };
  return work;
}

}  // namespace

const std::vector<BenchWork>& bench_works() {
  static const std::vector<BenchWork> works = [] {
    std::vector<BenchWork> all = rank_works();
    for (BenchWork& work : std::vector{bfs_work(), sssp_work(), bc_work(), radius_work(),
                                       components_work("wcc", wcc_needs, wcc, check_wcc),
                                       components_work("scc", scc_needs, scc, check_scc), kcore_work(), cdlp_work(),
                                       triangles_work(), lcc_work(), degrees_work()})
      all.push_back(std::move(work));
    return all;
  }();
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
