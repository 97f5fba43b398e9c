// millrace bench: one harness for every algorithm. Warm-up, repeats, median, rate, bytes, and the ratio to a limit of
// this machine that is measured in the same run.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/checks/check_bfs.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/cli/commands.h"
#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/text.h"
#include "millrace/report/limits.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

struct BenchOptions {
  std::vector<std::filesystem::path> stores;
  std::vector<std::string> algorithms{"pagerank", "bfs"};
  int repeats = 5;
  int sources = 16;
  int iterations = 10;
  bool check = false;
  std::filesystem::path json;
};

// One line of the result: a unit of work (an iteration, a search) and what bounds it.
struct Measurement {
  std::string algorithm;
  std::string unit;
  std::vector<double> seconds;  // of each repeat
  double edges = 0;             // per unit, for GTEPS
  double bytes = 0;             // topology read per unit
  double looks = 0;             // random reads per unit
  bool checked = false;

  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
  }
  double mean() const {
    double sum = 0;
    for (const double s : seconds) sum += s;
    return seconds.empty() ? 0 : sum / static_cast<double>(seconds.size());
  }
};

// Streaming the topology and looking up the attribute overlap: the slower of the two is the limit.
double limit_seconds(const Measurement& m, const MachineLimits& limits) {
  return std::max(m.bytes / limits.read_bandwidth, m.looks / limits.gather_rate);
}

class Harness {
 public:
  Harness(const BenchOptions& options, const std::filesystem::path& path)
      : options_(options), store_(Store::open(path)) {}

  const Store& store() const { return store_; }
  int threads() const { return device_.threads(); }

  Measurement pagerank_iterations() {
    const Graph graph(store_, pagerank_needs<float>(Direction::automatic), device_);
    const PageRankOptions pagerank_options{.iterations = static_cast<std::uint32_t>(options_.iterations)};
    Measurement m{.algorithm = "pagerank", .unit = "iteration", .seconds = {}, .checked = options_.check};
    for (int repeat = -1; repeat < options_.repeats; ++repeat) {
      Engine engine(device_, graph);
      PageRankResult<float> result;
      const double seconds = timed([&] { result = pagerank<float>(engine, pagerank_options); }) / options_.iterations;
      if (options_.check)
        demand(check_pagerank<float>(graph.pages(Orientation::in).pages, Orientation::in, result.rank,
                                     {.iterations = result.iterations}));
      if (repeat < 0) continue;  // warm-up
      m.seconds.push_back(seconds);
      m.edges = static_cast<double>(store_.num_edges());
      m.bytes = static_cast<double>(engine.supersteps().at(0).bytes);
      m.looks = m.edges;
    }
    return m;
  }

  // Mean over random sources with out-edges; the same ones in every run.
  Measurement searches() {
    const Graph graph(store_, bfs_needs(Direction::automatic), device_);
    Engine engine(device_, graph);
    Measurement m{.algorithm = "bfs", .unit = "search", .seconds = {}, .checked = options_.check};
    std::uint64_t edges = 0, bytes = 0, looks = 0;
    const std::vector<VertexId> sources = choose_sources(graph);
    if (!sources.empty()) bfs(engine, sources[0]);  // warm-up
    for (const VertexId source : sources) {
      const std::size_t first = engine.supersteps().size();
      BfsResult result;
      m.seconds.push_back(timed([&] { result = bfs(engine, source); }));
      if (options_.check)
        demand(check_bfs(graph.pages(Orientation::in).pages, Orientation::in, source, result.level, result.parent));
      edges += result.edges;
      for (std::size_t i = first; i < engine.supersteps().size(); ++i) {
        bytes += engine.supersteps()[i].bytes;
        looks += engine.supersteps()[i].edges;
      }
    }
    const double count = std::max<double>(1, static_cast<double>(sources.size()));
    m.edges = static_cast<double>(edges) / count;
    m.bytes = static_cast<double>(bytes) / count;
    m.looks = static_cast<double>(looks) / count;
    return m;
  }

 private:
  template <class Body>
  static double timed(Body body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  static void demand(const std::optional<std::string>& problem) {
    if (problem) throw InternalError("the check failed: {}", *problem);
  }
  std::vector<VertexId> choose_sources(const Graph& graph) const {
    std::vector<VertexId> sources;
    if (graph.num_edges() == 0) return sources;
    for (std::uint64_t i = 0; sources.size() < static_cast<std::size_t>(options_.sources); ++i) {
      const auto v = static_cast<VertexId>(mix(i) % graph.num_vertices());
      if (graph.out_degree()[v] > 0) sources.push_back(v);
    }
    return sources;
  }

  const BenchOptions& options_;
  Store store_;
  CpuDevice device_;
};

Json to_json(const std::filesystem::path& store, const Measurement& m, const MachineLimits& limits, int threads) {
  const double unit = m.algorithm == "bfs" ? m.mean() : m.median();
  return {{"store", store.filename().string()},
          {"algorithm", m.algorithm},
          {"unit", m.unit},
          {"threads", threads},
          {"seconds", unit},
          {"statistic", m.algorithm == "bfs" ? "mean" : "median"},
          {"all_seconds", m.seconds},
          {"edges", m.edges},
          {"gteps", unit > 0 ? m.edges / unit * 1e-9 : 0},
          {"topology_bytes", m.bytes},
          {"random_reads", m.looks},
          {"limit_seconds", limit_seconds(m, limits)},
          {"ratio_to_limit", unit > 0 ? limit_seconds(m, limits) / unit : 0},
          {"read_bandwidth", limits.read_bandwidth},
          {"gather_rate", limits.gather_rate},
          {"checked", m.checked}};
}

void bench(const BenchOptions& options) {
  Json all = Json::array();
  fmt::print("{:<24} {:<9} {:>12} {:>9} {:>12} {:>12} {:>9} {}\n", "store", "algorithm", "time", "GTEPS", "topology",
             "limit", "of limit", "check");
  for (const auto& path : options.stores) {
    Harness harness(options, path);
    const MachineLimits limits = measure_limits(harness.store().num_vertices() * 4, harness.threads());
    for (const std::string& algorithm : options.algorithms) {
      const Measurement m = algorithm == "bfs" ? harness.searches() : harness.pagerank_iterations();
      const Json json = to_json(path, m, limits, harness.threads());
      fmt::print("{:<24} {:<9} {:>12} {:>9.3f} {:>12} {:>12} {:>8.0f}% {}\n", path.filename().string(), algorithm,
                 format_seconds(json["seconds"]), json["gteps"].get<double>(),
                 format_size(static_cast<std::uint64_t>(m.bytes)), format_seconds(json["limit_seconds"]),
                 100 * json["ratio_to_limit"].get<double>(), m.checked ? "passed" : "-");
      std::fflush(stdout);
      all.push_back(json);
    }
  }
  fmt::print(
      "\nTime per PageRank iteration (f32, median) and per search (mean over {} sources). The limit is the larger of "
      "streaming the\ntopology that was read and one random 4-byte read per edge looked at, as measured just now; a "
      "skewed graph beats the\nlatter where its hubs stay in cache.\n",
      options.sources);
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    file << Json{{"schema_version", 1}, {"millrace", MILLRACE_VERSION}, {"results", all}}.dump(
                2, ' ', false, Json::error_handler_t::replace)
         << "\n";
    if (!file.flush()) throw IoError("cannot write {}", options.json.string());
  }
}

}  // namespace

void add_bench_command(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Time algorithms on stores, against limits of this machine");
  command->add_option("stores", options->stores)->required()->type_name("STORE...");
  command->add_option("--algorithms", options->algorithms, "Which (default pagerank,bfs)")
      ->delimiter(',')
      ->check(CLI::IsMember({"pagerank", "bfs"}))
      ->type_name("NAME,...");
  command->add_option("--repeats", options->repeats, "Repeats of PageRank (default 5)")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  command->add_option("--iterations", options->iterations, "PageRank iterations in one repeat (default 10)")
      ->check(CLI::Range(1, 10000))
      ->type_name("N");
  command->add_option("--sources", options->sources, "Sources of BFS (default 16)")
      ->check(CLI::Range(1, 1 << 20))
      ->type_name("N");
  add_threads_option(*command);
  command->add_flag("--check", options->check, "Verify every result by independent means");
  command->add_option("--json", options->json, "Also write the figures to a file")->type_name("FILE");
  command->callback([options] { bench(*options); });
}

}  // namespace millrace
