#include <bit>
#include <memory>

#include "millrace/algorithms/radius.h"
#include "millrace/checks/check_radius.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"
#include "millrace/core/hyperloglog.h"
#include "millrace/core/output_file.h"

namespace millrace {
namespace {

struct Options : RunOptions {
  std::uint32_t registers = 64;
  RadiusOptions radius;
  std::filesystem::path neighbourhood;
};

void write_neighbourhood(const std::filesystem::path& path, std::span<const double> neighbourhood) {
  OutputFile file(path);
  std::string text = "hops,pairs\n";
  for (std::size_t h = 0; h < neighbourhood.size(); ++h) text += fmt::format("{},{:.1f}\n", h, neighbourhood[h]);
  file.write(text.data(), text.size());
  file.close();
}

std::string json_list(std::span<const double> values) {
  std::string list;
  for (const double value : values) list += fmt::format("{}{:.1f}", list.empty() ? "" : ", ", value);
  return "[" + list + "]";
}

void run_radius(const Options& options) {
  Run run(options, "radius");
  RunReport& report = run.report();
  RadiusOptions how = options.radius;
  how.log2_registers = static_cast<std::uint32_t>(std::countr_zero(options.registers));
  report.options.emplace_back("registers", fmt::format("{}", options.registers));
  report.options.emplace_back("seed", fmt::format("{}", how.seed));
  report.options.emplace_back("undirected", how.undirected ? "true" : "false");
  if (!report.directed) how.undirected = false;  // both ways are one

  if (!how.undirected) report.note = note_on(run.store(), run.direction(), false, Along::in);
  run.load(radius_needs(how, run.direction(), available_in(run.store())), 4, !options.output.empty());
  const auto result = run.compute(0, [&](Engine& engine) { return radius(engine, how); });
  report.edges_traversed = result.edges;
  report.results.emplace_back("effective_diameter", fmt::format("{:.3f}", result.effective_diameter));
  report.results.emplace_back("hops", fmt::format("{}", result.hops()));
  report.results.emplace_back("complete", result.complete ? "true" : "false");
  report.results.emplace_back("pairs", fmt::format("{:.1f}", result.neighbourhood.back()));
  report.results.emplace_back("standard_error", fmt::format("{:.4f}", hyperloglog_error(how.log2_registers)));
  if (options.json) report.results.emplace_back("neighbourhood", json_list(result.neighbourhood));

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_radius(
        pages, orientation, result.radius, result.neighbourhood,
        {.log2_registers = how.log2_registers, .seed = how.seed, .undirected = how.undirected, .hops = how.hops});
  });
  if (!options.neighbourhood.empty()) write_neighbourhood(options.neighbourhood, result.neighbourhood);
  note_finished(options.neighbourhood);
  run.finish(
      !options.output.empty(), options.output == "-" || options.neighbourhood == "-",
      [&](const ResultWriter& writer) { writer.write(options.output, std::span<const std::uint32_t>(result.radius)); });
}

}  // namespace

void add_radius(CLI::App& run) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = run.add_subcommand(
      "radius",
      "Estimates how far a graph reaches, by HyperLogLog sketches: the neighbourhood function (pairs at most "
      "so many hops apart along out-edges), the effective diameter (within which nine tenths of them are), "
      "and to --output for every vertex the hop at which it last met somebody new");
  add_run_options(*command, *options);
  command
      ->add_option("--registers", options->registers,
                   "Registers of a sketch, each a byte for every vertex: a power of two from 16 to 1024 (default 64); "
                   "how many a vertex reaches is estimated with a standard error of 1.04/sqrt(registers)")
      ->type_name("N");
  command->add_option("--seed", options->radius.seed, "Of the hash behind the sketches (default 1)")->type_name("N");
  command->add_option("--hops", options->radius.hops, "The most hops (default: until nobody meets anybody new)")
      ->check(CLI::Range(0u, ~0u - 1))
      ->type_name("N");
  command->add_flag("--undirected", options->radius.undirected, "Go both ways along edges");
  command
      ->add_option("--neighbourhood", options->neighbourhood,
                   "Write the neighbourhood function as CSV, hops and pairs; - is stdout")
      ->type_name("FILE");
  command->callback([options] {
    const std::uint32_t registers = options->registers;
    if (!std::has_single_bit(registers) || registers < 1u << min_log2_registers || registers > 1u << max_log2_registers)
      throw UsageError("--registers {} is not a power of two from 16 to 1024", registers);
    if (options->neighbourhood == "-" && (options->json || options->output == "-"))
      throw UsageError("--neighbourhood - and something else both want stdout: write one of them to a file");
    run_radius(*options);
  });
}

}  // namespace millrace
