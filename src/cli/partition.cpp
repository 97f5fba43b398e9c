// millrace partition: a store in which every part of the graph is a range of vertices and of pages.
#include "millrace/partition/partition.h"

#include <fmt/core.h>

#include <memory>

#include "millrace/cli/command.h"
#include "millrace/cli/print.h"
#include "millrace/cli/report_build.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/report/part_figures.h"
#include "millrace/run/device_options.h"
#include "millrace/run/graph_argument.h"
#include "millrace/run/segments_option.h"

namespace millrace {
namespace {

const std::map<std::string, PartMethod> method_names{{"range", PartMethod::range},
                                                     {"random", PartMethod::random},
                                                     {"static", PartMethod::modulo},
                                                     {"biased", PartMethod::biased},
                                                     {"metis", PartMethod::metis}};

struct Options {
  std::filesystem::path store;
  std::filesystem::path output;
  std::string memory;
  std::string segments = "auto";
  bool trust = false;
  PartitionOptions partition;
};

void run_partition(Options& options) {
  PartitionOptions& partition = options.partition;
  partition.segments = parse_segments(options.segments);
  partition.memory = options.memory.empty() ? default_build_memory() : parse_size(options.memory);
  const auto store = open_to_use(
      options.store,
      {.trust = options.trust, .memory = options.memory, .memory_option = setting("memory"), .remark = say_remark});
  const PartitionSummary done = partition_store(*store, options.output, partition);
  note_finished(options.output);
  if (done.build.temporary_bytes > 0)
    say("{} went through temporary files (--memory allows more to stay in memory)\n",
        format_size(done.build.temporary_bytes));
  say("{}", segments_line(done.build.order));
  say("{}: {}, {}, built in {}, {} of it to assign parts\n", options.output.string(),
      format_counted(done.build.num_vertices, "vertex"), done.build.edges().text(), format_seconds(done.build.seconds),
      format_seconds(done.assign_seconds));
  SummaryTable table(options.output.string());
  add_rows(table, part_figures(Store::open(options.output)));
  print_text(table.text());
}

}  // namespace

Command partition_command() {
  const auto options = std::make_shared<Options>();
  PartitionOptions& partition = options->partition;
  return {
      .name = "partition",
      .help = "Make a store of the same graph whose vertices are ordered by parts",
      .options = {store_argument(options->store),
                  {.name = "output",
                   .field = &options->output,
                   .value = "STORE",
                   .help = "The store to write",
                   .letter = 'o',
                   .required = true,
                   .use = PathUse::store},
                  {.name = "parts",
                   .field = &partition.assign.parts,
                   .value = "N",
                   .help = "How many parts",
                   .required = true,
                   .range = std::pair(1.0, double{max_parts})},
                  choice("method", partition.assign.method, method_names,
                         "range (default): consecutive vertices, with about the same number of edges in each part; "
                         "random; static: vertex modulo N; biased: random, but preferring the parts of neighbours; "
                         "metis: few edges between parts"),
                  {.name = "seed",
                   .field = &partition.assign.seed,
                   .value = "S",
                   .help = "The same seed gives the same parts (default 1)"},
                  {.name = "bias",
                   .field = &partition.assign.bias,
                   .value = "P",
                   .help = "Of biased: the probability to follow a neighbour, 0 to 1 (default 1)",
                   .range = std::pair(0.0, 1.0)},
                  segments_option(options->segments),
                  {.name = "stripe",
                   .field = &partition.stripes,
                   .value = "DIR[,DIR...]",
                   .help = "Spread the pages over these directories, one on each disk, page by page in turn",
                   .commas = true,
                   .use = PathUse::below},
                  {.name = "memory",
                   .field = &options->memory,
                   .value = "SIZE",
                   .help = "The most memory to use, such as 1G (default: most of what is free); edges that do not fit "
                           "go through temporary files"},
                  {.name = "temp",
                   .field = &partition.temporary,
                   .value = "DIR",
                   .help = "Where temporary files go (default: beside the pages)",
                   .use = PathUse::below},
                  {.name = "force", .field = &partition.replace, .value = {}, .help = "Replace the store if it exists"},
                  trust_option(options->trust),
                  threads_option()},
      .run = [options] { run_partition(*options); },
      .footer =
          "Original ids, names and weights stay; results of runs are the same. Inside a part, vertices keep the "
          "order that they had.",
      .examples = {"millrace partition g.store --parts 4 -o g4.store",
                   "millrace partition g.store --parts 2 --method biased --bias 0.9 -o g2.store"}};
}

}  // namespace millrace
