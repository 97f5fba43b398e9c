#include <memory>

#include "millrace/algorithms/kcore.h"
#include "millrace/checks/check_kcore.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"
#include "millrace/cli/subgraph_options.h"

namespace millrace {
namespace {

struct KcoreOptions : RunOptions {
  std::uint32_t k = 0;
  bool wants_part = false;  // --k was given
  SubgraphOptions part;
};

void run_kcore(const KcoreOptions& options) {
  Run run(options, "kcore");
  require_simple(run.store());
  const SubgraphOutput part = options.part.destination(run.store(), options.json);
  if (part.edges == "-" && options.output == "-")
    throw UsageError("--output - and --edges - both want stdout: write one of them to a file");
  RunReport& report = run.report();
  report.note = note_on_both_ways(run.store(), run.direction());
  if (options.wants_part) report.options.emplace_back("k", fmt::format("{}", options.k));
  run.load(kcore_needs(run.direction(), available_in(run.store())), 4, !options.output.empty(),
           options.wants_part ? part_memory(run.store(), part) : 0);
  const auto result = run.compute(run.entries(), [](Engine& engine) { return kcore(engine); });
  report.edges_traversed = report.edges;
  report.results.emplace_back("largest_core", fmt::format("{}", result.largest));

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_kcore(pages, orientation, report.directed, result.core);
  });
  if (options.wants_part) {
    Budget& memory = run.free_pages();
    const VertexSet core =
        VertexSet::where(result.core.size(), memory, [&](VertexId v) { return result.core[v] >= options.k; });
    report_subgraph(run.store(), core, core, part, memory, report);
  }
  run.finish(!options.output.empty(), options.output == "-" || part.edges == "-", [&](const ResultWriter& writer) {
    writer.write(options.output, std::span<const std::uint32_t>(result.core));
  });
}

}  // namespace

void add_kcore(CLI::App& run) {
  const auto options = std::make_shared<KcoreOptions>();
  CLI::App* command = run.add_subcommand(
      "kcore",
      "Core numbers: the highest k for which a vertex is in the k-core, where all have k neighbours or more; in "
      "directed "
      "graphs those of in-edges and out-edges count. Stores with parallel edges or self-loops are refused");
  add_run_options(*command, *options);
  CLI::Option* const k =
      command->add_option("--k", options->k, "Also find the K-core itself, and its size")->type_name("K");
  command
      ->add_option("--edges", options->part.output,
                   "Write the K-core as 'source target [weight]' lines, compressed if it ends in .gz or .zst; - is "
                   "stdout")
      ->needs(k)
      ->type_name("FILE");
  command->add_option("--store", options->part.store, "Make a store of the K-core, with its ids, names and weights")
      ->needs(k)
      ->type_name("STORE");
  command->add_flag("--force", options->part.force, "Replace the store if it exists");
  command->callback([options, k] {
    options->wants_part = k->count() > 0;
    run_kcore(*options);
  });
}

}  // namespace millrace
