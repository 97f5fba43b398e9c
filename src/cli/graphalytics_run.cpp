#include "millrace/cli/graphalytics_run.h"

#include "millrace/catalogue/catalogue.h"
#include "millrace/core/error.h"

namespace millrace {
namespace {

using Parameter = GraphalyticsAlgorithm::Parameter;

constexpr Parameter bfs_parameters[] = {{"source", "bfs.source-vertex", "a vertex id"}};
constexpr Parameter pr_parameters[] = {{"damping", "pr.damping-factor", "a number"},
                                       {"iterations", "pr.num-iterations", "a whole number"}};
constexpr Parameter cdlp_parameters[] = {{"iterations", "cdlp.max-iterations", "a whole number"}};
constexpr Parameter sssp_parameters[] = {{"source", "sssp.source-vertex", "a vertex id"}};

}  // namespace

std::span<const GraphalyticsAlgorithm> graphalytics_algorithms() {
  static constexpr GraphalyticsAlgorithm algorithms[] = {
      {"bfs", "BFS", Match::exact, "bfs", bfs_parameters}, {"pr", "PR", Match::epsilon, "pagerank", pr_parameters},
      {"wcc", "WCC", Match::equivalent, "wcc", {}},        {"cdlp", "CDLP", Match::exact, "cdlp", cdlp_parameters},
      {"lcc", "LCC", Match::epsilon, "lcc", {}},           {"sssp", "SSSP", Match::epsilon, "sssp", sssp_parameters},
  };
  return algorithms;
}

RunReport run_graphalytics_algorithm(const GraphalyticsAlgorithm& algorithm, const LdbcProperties& properties,
                                     const std::shared_ptr<const Store>& store, const RunSettings& settings,
                                     const std::filesystem::path& output) {
  const std::unique_ptr<Algorithm> chosen = make_algorithm(std::string(algorithm.algorithm));
  for (const Parameter& parameter : algorithm.parameters) {
    const std::string key(parameter.key), text = properties.required(key);
    try {
      set_option(*chosen, std::string(parameter.option), text);
    } catch (const UsageError&) {
      throw BadInputError("{}: {} is \"{}\"; expected {}", properties.name(), key, text, parameter.kind);
    }
  }
  if (algorithm.algorithm == "pagerank") set_option(*chosen, "precision", "f64");
  const std::string column = chosen->info().columns.front().name;
  Wanted wanted{.columns = {column}};
  try {
    chosen->prepare(*store, wanted);
    wanted.prepared = true;
  } catch (const UsageError&) {
    const Parameter& source = algorithm.parameters.front();
    throw BadInputError("{}: {} is {}, which is no vertex of the graph", properties.name(), source.key,
                        properties.required(std::string(source.key)));
  }
  const ReadyRun ready = ready_run(store, *chosen, wanted, settings);
  Outcome outcome = ready.run();
  ready.session->write(outcome, {{column, output}});
  RunReport report = ready.session->report(outcome);
  ready.learn(outcome, report);
  return report;
}

}  // namespace millrace
