#include "millrace/run/import_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/build/store_builder.h"
#include "millrace/core/error.h"
#include "millrace/plan/devices.h"
#include "millrace/read/source_state.h"

namespace millrace {
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

// @device@: the device on which an import sorts and encodes.
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

}  // namespace

std::vector<Option> read_options(ImportOptions& options) {
  ReadOptions& read = options.read;
  Option weights = choice(
      "weights", read.weight_type, weight_type_names,
      mark_settings(
          "The type to keep weights in: auto (default) is the smallest that has them exactly; f32 and f64 round, and "
          "say how far off that is; implies @weighted@"));
  weights.excludes = "unweighted";
  return {
      choice("format", read.format, format_names,
             "What the file is: edges (text, also GAP .el), wel (with weights), csv, mtx (MatrixMarket), metis, sg, "
             "wsg (GAP), gr (DIMACS), graph500 (pairs of 64 bits), ldbc (Graphalytics); auto (default) by content and "
             "name"),
      {.name = "columns",
       .field = &read.columns,
       .value = "SRC,DST[,WEIGHT]",
       .help = "Columns of source, target and weight, by number from 1 or, in csv, by name: 1,2,4 or from,to (edges, "
               "wel, csv); default: by the usual names in a header, else the first two"},
      choice("ids", read.ids, id_kind_names, "Vertex ids: integer (default), or string for any text (edges, wel, csv)"),
      {.name = "vertices",
       .field = &read.vertices,
       .value = "FILE",
       .help = "A file with one vertex id per line, for vertices without edges (edges, wel, csv, graph500)",
       .use = PathUse::input},
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

std::vector<UsedPath> files_of_input(const std::filesystem::path& file) {
  std::vector<UsedPath> files{{file, PathUse::input}};
  for (const std::filesystem::path& one : files_of_graph(file, {})) files.push_back({one, PathUse::input});
  return files;
}

BuildSummary import_file(ImportOptions& options) {
  check_store_options(options);
  choose_device(options);
  if (options.unweighted) options.read.weighted = false;
  if (options.weighted || options.read.weight_type != WeightType::none) options.read.weighted = true;
  const std::uint64_t memory = options.build.memory;
  options.read.blocks.memory = reader_room(memory - std::min(memory, process_overhead));
  const std::unique_ptr<EdgeReader> reader = open_graph(options.file, options.read);
  const GraphShape shape = reader->shape();
  if (options.remark && options.remarks_format)
    options.remark(fmt::format("format: {}{}", shape.format, shape.undirected ? ", undirected" : ""));
  if (options.remark)
    for (const std::string& remark : shape.remarks) options.remark(remark);
  const bool counts = options.build.duplicates == Duplicates::count;
  if (counts && shape.weighted) throw_not_countable();
  if ((shape.weighted || counts) && options.build.use_gpu == UseGpu::always)
    throw UsageError("@device@ {}: edges with weights are sorted on the cpu alone; @unweighted@ leaves the weights out",
                     options.device);
  if (options.build.source.empty()) options.build.source = options.file.filename().string();
  return build_store(*reader, options.output, options.build);
}

}  // namespace millrace
