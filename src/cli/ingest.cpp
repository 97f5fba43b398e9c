// millrace generate, millrace import: make stores.
#include <fmt/core.h>

#include <memory>

#include "millrace/build/cuda_generate.h"
#include "millrace/build/generate.h"
#include "millrace/build/generate_on_gpu.h"
#include "millrace/cli/command.h"
#include "millrace/cli/print.h"
#include "millrace/cli/report_build.h"
#include "millrace/core/error.h"
#include "millrace/plan/devices.h"
#include "millrace/run/import_options.h"

namespace millrace {
namespace {

const std::map<std::string, GenerateOptions::Kind> kind_names{{"rmat", GenerateOptions::Kind::rmat},
                                                              {"uniform", GenerateOptions::Kind::uniform},
                                                              {"grid", GenerateOptions::Kind::grid}};

// On a GPU if there is one and the graph is large enough to be worth it.
BuildSummary generate_anywhere(StoreOptions& options, const GenerateOptions& graph) {
  const bool able = generated_on_gpu(graph) && options.build.duplicates != Duplicates::count;
  const bool asked = !options.device.empty();
  if (able && (asked || num_generated_edges(graph) >= worth_a_gpu))
    if (const DeviceName name = parse_device(options.device); name.cuda) {
      options.build.gpu.ordinal = name.ordinal;
      return generate_store_on_gpu(graph, options.output, options.build);
    }
  if (asked && parse_device(options.device).cuda)
    throw UsageError("--device {}: grids, weights and counts are generated on the cpu alone", options.device);
  return generate_store(graph, options.output, options.build);
}

struct GenerateCommandOptions : StoreOptions {
  GenerateOptions graph;
  std::string weights;
};

std::vector<Option> graph_options(GenerateCommandOptions& options) {
  Option kind =
      choice("kind", options.graph.kind, kind_names,
             "rmat: a few vertices have very many edges, as in social networks (a=.57 b=.19 c=.19); uniform: "
             "each edge joins two random vertices; grid: each vertex to the one at its right and the one below");
  kind.argument = kind.required = true;
  return {kind,
          {.name = "scale",
           .field = &options.graph.scale,
           .value = "N",
           .help = "2^N vertices (default 20)",
           .range = std::pair(0.0, 31.0)},
          {.name = "edge-factor",
           .field = &options.graph.edge_factor,
           .value = "K",
           .help = "Edges per vertex (default 16; a grid has its own)",
           .range = std::pair(0.0, double{1 << 20})},
          {.name = "seed",
           .field = &options.graph.seed,
           .value = "S",
           .help = "The same seed gives the same graph (default 1)"},
          {.name = "weights",
           .field = &options.weights,
           .value = "LO:HI",
           .help = "Random weights: 1:255 integers, 0.5:1 reals"}};
}

void run_generate(GenerateCommandOptions& options) {
  check_store_options(options);
  if (!options.weights.empty()) options.graph.weights = parse_weight_range(options.weights);
  for (const auto& [name, kind] : kind_names)
    if (kind == options.graph.kind)
      options.build.source = fmt::format("{} scale {} edge factor {} seed {}", name, options.graph.scale,
                                         options.graph.edge_factor, options.graph.seed);
  report_build(options.output, generate_anywhere(options, options.graph));
}

}  // namespace

Command generate_command() {
  const auto options = std::make_shared<GenerateCommandOptions>();
  Command command{.name = "generate",
                  .help = "Make a store of a synthetic graph",
                  .options = graph_options(*options),
                  .run = [options] { run_generate(*options); },
                  .examples = {"millrace generate rmat -o g.store --scale 20 --edge-factor 16",
                               "millrace generate grid -o roads.store --scale 20 --undirected --weights 1:255",
                               "millrace generate uniform -o g.store --scale 20 --seed 7 --force"}};
  for (Option& option : store_options(*options)) command.options.push_back(std::move(option));
  return command;
}

Command import_command() {
  const auto options = std::make_shared<ImportOptions>();
  options->remark = say_remark;
  options->remarks_format = true;
  Command command{
      .name = "import",
      .help = "Make a store from a graph file",
      .options = {{.name = "file",
                   .field = &options->file,
                   .value = "FILE",
                   .help = "A graph: a text with an edge per line, source target [weight], or one of the formats "
                           "below; plain, gzip or zstd",
                   .argument = true,
                   .required = true,
                   .use = PathUse::input,
                   .uses = files_of_input}},
      .run = [options] { report_build(options->output, import_file(*options)); },
      .footer =
          "docs/formats.md says what is kept of each format. A format that is undirected makes an undirected store.",
      .examples = {"millrace import edges.txt -o g.store",
                   "millrace import roads.txt -o roads.store --undirected --weighted",
                   "millrace import trades.csv -o trades.store --columns seller,buyer,price --ids string"}};
  for (auto& some : {read_options(*options), store_options(*options)})
    command.options.insert(command.options.end(), some.begin(), some.end());
  return command;
}

}  // namespace millrace
