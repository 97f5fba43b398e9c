#include "millrace/cli/bench_works.h"

#include <memory>

#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/checks/check_bfs.h"
#include "millrace/checks/check_pagerank.h"
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

}  // namespace

const std::vector<BenchWork>& bench_works() {
  static const std::vector<BenchWork> works{pagerank_work(), bfs_work()};
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
