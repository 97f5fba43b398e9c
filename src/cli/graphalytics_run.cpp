#include "millrace/cli/graphalytics_run.h"

#include <charconv>

#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/cdlp.h"
#include "millrace/algorithms/lcc.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/algorithms/wcc.h"

namespace millrace {
namespace {

template <class T>
T parse_parameter(const LdbcProperties& properties, const std::string& key, const char* kind) {
  const std::string text = properties.required(key);
  T value{};
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || rest != text.data() + text.size())
    throw BadInputError("{}: {} is \"{}\"; expected {}", properties.name(), key, text, kind);
  return value;
}

// Levels from a source; 9223372036854775807 where there is no path.
void run_bfs(GraphalyticsRun& run, const std::filesystem::path& output) {
  const VertexId source = run.vertex("bfs.source-vertex");
  const auto result = run.compute(bfs_needs(Direction::automatic, run.available()), 8,
                                  [&](Engine& engine) { return bfs(engine, source); });
  run.edges_traversed = result.edges;
  run.write([&](const ResultWriter& writer) { writer.write_levels(output, result.level); });
}

// Ranks after a number of iterations.
void run_pr(GraphalyticsRun& run, const std::filesystem::path& output) {
  const PageRankOptions options{.damping = run.real("pr.damping-factor"), .iterations = run.count("pr.num-iterations")};
  const auto result = run.compute(pagerank_needs<double>(Direction::automatic, run.available()), 8,
                                  [&](Engine& engine) { return pagerank<double>(engine, options); });
  run.edges_traversed = run.store().num_edges() * result.iterations;
  run.write([&](const ResultWriter& writer) { writer.write(output, std::span<const double>(result.rank)); });
}

// The lowest id of each component.
void run_wcc(GraphalyticsRun& run, const std::filesystem::path& output) {
  auto result =
      run.compute(wcc_needs(Direction::automatic, run.available()), 8, [](Engine& engine) { return wcc(engine); });
  run.edges_traversed = run.store().num_edges();
  run.write([&](const ResultWriter& writer) {
    name_by_lowest_id(result.component, writer.order(), run.host_memory());
    writer.write_vertices(output, result.component);
  });
}

// Labels after a number of iterations.
void run_cdlp(GraphalyticsRun& run, const std::filesystem::path& output) {
  const CdlpOptions options{.iterations = run.count("cdlp.max-iterations")};
  const Array<Label> own = own_labels(run.store(), run.host_memory());
  auto result = run.compute(cdlp_needs(), 12, [&](Engine& engine) { return cdlp(engine, options, own); });
  run.edges_traversed = run.store().num_edges() * (run.store().manifest().directed ? 2 : 1) * result.iterations;
  run.write([&](const ResultWriter& writer) {
    become_vertices(result.label, own, run.host_memory());
    writer.write_vertices(output, result.label);
  });
}

// Clustering coefficients.
void run_lcc(GraphalyticsRun& run, const std::filesystem::path& output) {
  const auto result =
      run.compute(lcc_needs(Direction::automatic, run.available()), 8, [](Engine& engine) { return lcc(engine); });
  run.edges_traversed = run.store().num_edges();
  run.write([&](const ResultWriter& writer) { writer.write(output, std::span<const double>(result.coefficient)); });
}

}  // namespace

VertexId GraphalyticsRun::vertex(const std::string& key) const {
  const auto id = parse_parameter<OriginalId>(properties_, key, "a vertex id");
  const auto vertex = store_.load_ids(unlimited_budget()).find(id);
  if (!vertex) throw BadInputError("{}: {} is {}, which is no vertex of the graph", properties_.name(), key, id);
  return *vertex;
}

std::uint32_t GraphalyticsRun::count(const std::string& key) const {
  return parse_parameter<std::uint32_t>(properties_, key, "a whole number");
}

double GraphalyticsRun::real(const std::string& key) const {
  return parse_parameter<double>(properties_, key, "a number");
}

std::span<const GraphalyticsAlgorithm> graphalytics_algorithms() {
  static constexpr GraphalyticsAlgorithm algorithms[] = {
      {"bfs", "BFS", Match::exact, run_bfs},
      {"pr", "PR", Match::epsilon, run_pr},
      {"wcc", "WCC", Match::equivalent, run_wcc},
      {"cdlp", "CDLP", Match::exact, run_cdlp},
      {"lcc", "LCC", Match::epsilon, run_lcc},
  };
  return algorithms;
}

}  // namespace millrace
