// millrace export: writes a store to a file for other programs.
#include "millrace/export/export.h"

#include <fmt/core.h>

#include <memory>

#include "millrace/cli/command.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/run/device_options.h"
#include "millrace/run/graph_argument.h"
#include "millrace/store/counted_edges.h"

namespace millrace {
namespace {

struct ExportOptions {
  std::filesystem::path store;
  std::filesystem::path output;
  std::filesystem::path vertices;
  std::string format;
  std::string host_memory;
  bool no_weights = false;
  bool trust = false;
};

void run_export(const ExportOptions& options) {
  ExportKind kind = export_kind(options.output, options.format);
  if (options.no_weights && kind.weights == ExportWeights::required)
    throw UsageError("--no-weights and a format that is for weights: {}", options.output.string());
  if (options.no_weights) kind.weights = ExportWeights::none;
  const auto opened =
      open_to_use(options.store, {.trust = options.trust, .memory = options.host_memory, .remark = say_remark});
  const Store& store = *opened;
  Budget budget(options.host_memory.empty() ? Budget::unlimited : parse_size(options.host_memory));
  if (budget.limit() != Budget::unlimited)
    budget.require(export_memory(store, kind, !options.vertices.empty()), "the export");
  const Stopwatch watch;
  export_graph(store, options.output, kind, budget);
  note_finished(options.output);
  if (!options.vertices.empty()) export_vertices(store, options.vertices, budget, kind);
  say("{}: {}, {}{}, written in {}\n", options.output.string(), format_counted(store.num_vertices(), "vertex"),
      edges_of(store).text(), exports_weights(store, kind) ? " with weights" : "", format_seconds(watch.seconds()));
}

}  // namespace

Command export_command() {
  const auto options = std::make_shared<ExportOptions>();
  return {
      .name = "export",
      .help = "Write the graph of a store for other programs",
      .options = {store_argument(options->store),
                  {.name = "output",
                   .field = &options->output,
                   .value = "FILE",
                   .help = "The file to write, replaced if it exists; its ending says the format, and .gz or .zst "
                           "after it compresses; - is stdout, for text",
                   .letter = 'o',
                   .required = true,
                   .use = PathUse::output},
                  {.name = "format",
                   .field = &options->format,
                   .value = "NAME",
                   .help = "edges: 'source target [weight]' lines (.txt, .e; .el without weights, .wel with); mtx: "
                           "MatrixMarket; sg, wsg: GAP benchmark suite; npz: SciPy CSR. All but edges number vertices "
                           "in ascending order of ids",
                   .choices = {"edges", "el", "wel", "mtx", "sg", "wsg", "npz"}},
                  {.name = "vertices",
                   .field = &options->vertices,
                   .value = "FILE",
                   .help = "Also write all ids, one per line, ascending: includes vertices without edges, and tells "
                           "the id of each number in the file",
                   .use = PathUse::output,
                   .uses = file_of_ids},
                  {.name = "no-weights", .field = &options->no_weights, .value = {}, .help = "Leave the weights out"},
                  {.name = "host-memory",
                   .field = &options->host_memory,
                   .value = "SIZE",
                   .help = "The most memory to use (default: no limit); sg, wsg and npz read a store in several passes "
                           "where it is little"},
                  trust_option(options->trust),
                  threads_option()},
      .run = [options] { run_export(*options); },
      .examples = {"millrace export g.store -o edges.txt.gz",
                   "millrace export roads.store -o roads.mtx --vertices ids.txt",
                   "millrace export g.store -o - --no-weights"}};
}

}  // namespace millrace
