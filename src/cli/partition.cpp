// millrace partition: a store in which every part of the graph is a range of vertices and of pages.
#include "millrace/partition/partition.h"

#include <fmt/core.h>

#include <memory>

#include "millrace/cli/commands.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/report/part_figures.h"

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
  PartitionOptions partition;
};

void run_partition(Options& options) {
  PartitionOptions& partition = options.partition;
  partition.memory = options.memory.empty() ? default_build_memory() : parse_size(options.memory);
  const PartitionSummary done = partition_store(Store::open(options.store), options.output, partition);
  note_finished(options.output);
  if (done.build.temporary_bytes > 0)
    say("{} went through temporary files (--memory allows more to stay in memory)\n",
        format_size(done.build.temporary_bytes));
  say("{}: {} vertices, {} edges, built in {}, {} of it to assign parts\n", options.output.string(),
      format_count(done.build.num_vertices), format_count(done.build.num_edges), format_seconds(done.build.seconds),
      format_seconds(done.assign_seconds));
  SummaryTable table(options.output.string());
  add_rows(table, part_figures(Store::open(options.output)));
  print_text(table.text());
}

}  // namespace

void add_partition_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  PartitionOptions& partition = options->partition;
  CLI::App* command =
      app.add_subcommand("partition", "Make a store of the same graph whose vertices are ordered by parts");
  add_store_argument(*command, options->store);
  command->add_option("-o,--output", options->output, "The store to write")->required()->type_name("STORE");
  command->add_option("--parts", partition.assign.parts, "How many parts")
      ->required()
      ->type_name("N")
      ->check(CLI::Range(1u, max_parts).description(""));
  add_choice(*command, "--method", partition.assign.method, method_names,
             "range (default): the order that is there, cut so that parts have as many edges; random; static: vertex "
             "modulo N; biased: at random, but where neighbours are; metis: few edges between parts");
  command->add_option("--seed", partition.assign.seed, "The same seed gives the same parts (default 1)")
      ->type_name("S");
  command->add_option("--bias", partition.assign.bias, "How often a neighbour decides in biased, 0 to 1 (default 1)")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0).description(""));
  command
      ->add_option("--stripe", partition.stripes,
                   "Spread the pages over these directories, one on each disk, page by page in turn")
      ->type_name("DIR[,DIR...]")
      ->delimiter(',');
  command
      ->add_option("--memory", options->memory,
                   "The most memory to use, such as 1G (default: most of what is free); what finds no room goes "
                   "through temporary files")
      ->type_name("SIZE");
  command->add_option("--temp", partition.temporary, "Where temporary files go (default: beside the pages)")
      ->type_name("DIR");
  command->add_flag("--force", partition.replace, "Replace the store if it exists");
  add_threads_option(*command);
  command->footer(
      "Original ids, names and weights stay; results of runs are the same. Inside a part, vertices keep the order that "
      "they had.");
  command->callback([options] { run_partition(*options); });
}

}  // namespace millrace
