// millrace generate, millrace import: make stores.
#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "millrace/cli/command.h"
#include "millrace/cli/device_options.h"
#include "millrace/cli/print.h"
#include "millrace/cli/segments_option.h"
#include "millrace/core/error.h"
#include "millrace/core/regular_file.h"
#include "millrace/core/text.h"
#include "millrace/ingest/build.h"
#include "millrace/ingest/cuda_generate.h"
#include "millrace/ingest/formats.h"
#include "millrace/ingest/generate.h"
#include "millrace/ingest/generate_on_gpu.h"
#include "millrace/run/devices.h"
#include "millrace/store/store.h"

namespace millrace {
namespace {

const std::map<std::string, Order> order_names{
    {"auto", Order::automatic}, {"natural", Order::natural}, {"degree", Order::degree}};
const std::map<std::string, Duplicates> duplicate_names{{"first", Duplicates::first},
                                                        {"min", Duplicates::min},
                                                        {"max", Duplicates::max},
                                                        {"sum", Duplicates::sum},
                                                        {"keep", Duplicates::keep}};
const std::map<std::string, Orientations> orientation_names{
    {"both", Orientations::both}, {"in", Orientations::in}, {"out", Orientations::out}};
const std::map<std::string, bool> self_loop_names{{"drop", false}, {"keep", true}};
const std::map<std::string, GenerateOptions::Kind> kind_names{{"rmat", GenerateOptions::Kind::rmat},
                                                              {"uniform", GenerateOptions::Kind::uniform},
                                                              {"grid", GenerateOptions::Kind::grid}};

// Common to both commands: where the store is written and how it is laid out.
struct StoreOptions {
  std::filesystem::path output;
  BuildOptions build;
  std::string page_size = "1M";
  std::string segments = "auto";
  std::string memory;
  std::string device;
};

void add_store_options(Command& command, StoreOptions& options) {
  BuildOptions& build = options.build;
  const std::vector<Option> added{
      {.name = "output",
       .field = &options.output,
       .value = "STORE",
       .help = "The store to write",
       .letter = 'o',
       .required = true},
      {.name = "undirected", .field = &build.undirected, .value = {}, .help = "Each edge goes both ways"},
      choice("order", build.order, order_names,
             "Order of the vertices: auto (default) encodes a sample both ways and takes the smaller"),
      choice("duplicates", build.duplicates, duplicate_names,
             "Parallel edges: the first (default), the one of least or greatest weight, one with the sum, or keep all"),
      choice("self-loops", build.keep_self_loops, self_loop_names,
             "Edges from a vertex to itself: drop (default) or keep"),
      {.name = "page-size",
       .field = &options.page_size,
       .value = "SIZE",
       .help = "The most a page may take (default 1M; 4K to 64M)"},
      segments_option(options.segments),
      choice("orientation", build.orientations, orientation_names,
             "Store the edges by their sources (out), by their targets (in) or both (default); one takes half the "
             "space, and algorithms use the one that is there"),
      {.name = "stripe",
       .field = &build.stripes,
       .value = "DIR[,DIR...]",
       .help = "Spread the pages over these directories, one on each disk, page by page in turn",
       .commas = true},
      {.name = "memory",
       .field = &options.memory,
       .value = "SIZE",
       .help = "The most memory to use, such as 1G (default: most of what is free); edges that do not fit go through "
               "temporary files"},
      {.name = "temp",
       .field = &build.temporary,
       .value = "DIR",
       .help = "Where temporary files go (default: beside the pages)"},
      device_option(options.device,
                    "Where to sort and encode: cpu, cuda or cuda:N (default: a GPU if there is one, from 2^26 edges "
                    "on); graphs with weights take the cpu"),
      {.name = "force", .field = &build.replace, .value = {}, .help = "Replace the store if it exists"},
      threads_option()};
  command.options.insert(command.options.end(), added.begin(), added.end());
}

// Checked early, so that an import that cannot be written fails at once.
void check_store_options(StoreOptions& options) {
  const std::uint64_t bytes = parse_size(options.page_size);
  if (bytes < min_page_bytes || bytes > max_page_bytes)
    throw UsageError("--page-size {} is outside of {} to {}", options.page_size, format_size(min_page_bytes),
                     format_size(max_page_bytes));
  options.build.page_bytes = static_cast<std::uint32_t>(bytes);
  options.build.segments = parse_segments(options.segments);
  options.build.memory = options.memory.empty() ? default_build_memory() : parse_size(options.memory);
  if (path_exists(options.output) && !options.build.replace)
    throw UsageError("{} exists already; choose another path or pass --force to replace it", options.output.string());
}

// Prints the weight type and, if weights were rounded, by how much.
void report_weights(const BuildSummary& summary) {
  if (summary.weight_type == WeightType::none) return;
  const WeightChoice& read = summary.weights;
  std::string rounding;
  if (summary.weight_type == WeightType::f32 && !read.all_float)
    rounding = fmt::format(", off by at most {:.3g}, or {:.3g} of the weight", read.f32_error, read.f32_relative_error);
  if (read.rounded > 0)
    rounding += fmt::format(", {} whole numbers rounded to the nearest f64", format_count(read.rounded));
  say("weights: {}{}\n", weight_type_name(summary.weight_type), rounding);
}

void report_build(const std::filesystem::path& path, const BuildSummary& summary) {
  const ChosenOrder& order = summary.order;
  std::string sample;
  if (order.natural.bytes_per_edge > 0 && order.degree.bytes_per_edge > 0)
    sample = fmt::format(" (a sample took {:.2f} bytes an edge in natural order, {:.2f} by degree)",
                         order.natural.bytes_per_edge, order.degree.bytes_per_edge);
  say("order: {}{}\n", order.order == Order::degree ? "degree" : "natural", sample);
  say("{}", segments_line(order));
  if (summary.dropped_self_loops > 0)
    say("dropped {} self-loops (--self-loops keep keeps them)\n", format_count(summary.dropped_self_loops));
  if (summary.merged_edges > 0)
    say("merged {} parallel edges (--duplicates says how)\n", format_count(summary.merged_edges));
  report_weights(summary);
  if (summary.device != "cpu") say("sorted and encoded on {}\n", summary.device);
  if (summary.temporary_bytes > 0)
    say("{} went through temporary files (--memory allows more to stay in memory)\n",
        format_size(summary.temporary_bytes));
  say("{}: {} vertices, {} edges, built in {}\n", path.string(), format_count(summary.num_vertices),
      format_count(summary.num_edges), format_seconds(summary.seconds));
}

// On a GPU if there is one and the graph is large enough to be worth it.
BuildSummary generate_anywhere(StoreOptions& options, const GenerateOptions& graph) {
  const bool able = generated_on_gpu(graph);
  const bool asked = !options.device.empty();
  if (able && (asked || num_generated_edges(graph) >= worth_a_gpu))
    if (const DeviceName name = parse_device(options.device); name.cuda) {
      options.build.gpu.ordinal = name.ordinal;
      return generate_store_on_gpu(graph, options.output, options.build);
    }
  if (asked && parse_device(options.device).cuda)
    throw UsageError("--device {}: grids and weights are generated on the cpu alone", options.device);
  return generate_store(graph, options.output, options.build);
}

struct GenerateCommandOptions : StoreOptions {
  GenerateOptions graph;
  std::string weights;
};

std::vector<Option> graph_options(GenerateCommandOptions& options) {
  Option kind = choice("kind", options.graph.kind, kind_names,
                       "rmat (a=.57 b=.19 c=.19), uniform, or grid (edges right and down)");
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
  add_store_options(command, *options);
  return command;
}

namespace {

const std::map<std::string, Format> format_names{
    {"auto", Format::automatic}, {"edges", Format::edges},      {"wel", Format::wel},
    {"csv", Format::csv},        {"mtx", Format::mtx},          {"metis", Format::metis},
    {"sg", Format::sg},          {"wsg", Format::wsg},          {"gr", Format::gr},
    {"ldbc", Format::ldbc},      {"graph500", Format::graph500}};
const std::map<std::string, WeightType> weight_type_names{{"auto", WeightType::none}, {"u8", WeightType::u8},
                                                          {"u16", WeightType::u16},   {"u32", WeightType::u32},
                                                          {"f32", WeightType::f32},   {"f64", WeightType::f64}};
const std::map<std::string, IdKind> id_kind_names{{"integer", IdKind::integer}, {"string", IdKind::string}};

// --device: the device on which an import sorts and encodes.
void choose_device(StoreOptions& options) {
  if (options.device.empty()) {
    options.build.use_gpu = UseGpu::where_worth;
    return;
  }
  const DeviceName name = parse_device(options.device);
  if (!name.cuda) return;
  options.build.use_gpu = UseGpu::always;
  options.build.gpu.ordinal = name.ordinal;
  ChosenDevice(name, Budget::unlimited);  // throws now if there is no such GPU, not after reading the graph
}

struct ImportOptions : StoreOptions {
  std::filesystem::path file;
  ReadOptions read;
  bool weighted = false;
  bool unweighted = false;
};

std::vector<Option> read_options(ImportOptions& options) {
  ReadOptions& read = options.read;
  Option weights = choice(
      "weights", read.weight_type, weight_type_names,
      "The type to keep weights in: auto (default) is the smallest that has them exactly; f32 and f64 round, and "
      "say how far off that is; implies --weighted");
  weights.excludes = "unweighted";
  return {
      {.name = "file",
       .field = &options.file,
       .value = "FILE",
       .help = "A graph: a text with an edge per line, source target [weight], or one of the formats below; plain, "
               "gzip or zstd",
       .argument = true,
       .required = true},
      choice("format", read.format, format_names,
             "What the file is: edges (text, also GAP .el), wel (with weights), csv, mtx (MatrixMarket), metis, sg, "
             "wsg (GAP), gr (DIMACS), graph500 (pairs of 64 bits), ldbc (Graphalytics); auto (default) by content and "
             "name"),
      {.name = "columns",
       .field = &read.columns,
       .value = "SRC,DST[,WEIGHT]",
       .help = "Columns of source, target and weight, by number from 1 or, in csv, by name: 1,2,4 or from,to (edges, "
               "wel, csv)"},
      choice("ids", read.ids, id_kind_names, "Vertex ids: integer (default), or string for any text (edges, wel, csv)"),
      {.name = "vertices",
       .field = &read.vertices,
       .value = "FILE",
       .help = "A file with one vertex id per line, for vertices without edges (edges, wel, csv, graph500)"},
      {.name = "weighted",
       .field = &options.weighted,
       .value = {},
       .help = "Edges have weights: the third column, or that called weight; formats that always say whether they have "
               "weights need no flag"},
      {.name = "unweighted",
       .field = &options.unweighted,
       .value = {},
       .help = "Leave out the weights that the file has",
       .excludes = "weighted"},
      weights};
}

void run_import(ImportOptions& options) {
  check_store_options(options);
  choose_device(options);
  if (options.unweighted) options.read.weighted = false;
  if (options.weighted || options.read.weight_type != WeightType::none) options.read.weighted = true;
  const std::unique_ptr<EdgeReader> reader = open_graph(options.file, options.read);
  const GraphShape shape = reader->shape();
  say("format: {}{}\n", shape.format, shape.undirected ? ", undirected" : "");
  if (shape.weighted && options.build.use_gpu == UseGpu::always)
    throw UsageError("--device {}: edges with weights are sorted on the cpu alone; --unweighted leaves the weights out",
                     options.device);
  options.build.source = options.file.filename().string();
  report_build(options.output, build_store(*reader, options.output, options.build));
}

}  // namespace

Command import_command() {
  const auto options = std::make_shared<ImportOptions>();
  Command command{
      .name = "import",
      .help = "Make a store from a graph file",
      .options = read_options(*options),
      .run = [options] { run_import(*options); },
      .footer =
          "docs/formats.md says what is kept of each format. A format that is undirected makes an undirected store.",
      .examples = {"millrace import edges.txt -o g.store",
                   "millrace import roads.txt -o roads.store --undirected --weighted",
                   "millrace import trades.csv -o trades.store --columns seller,buyer,price --ids string"}};
  add_store_options(command, *options);
  return command;
}

}  // namespace millrace
