#include "millrace/run/store_options.h"

#include <fmt/format.h>

#include "millrace/core/error.h"
#include "millrace/core/regular_file.h"
#include "millrace/core/text.h"
#include "millrace/run/device_options.h"
#include "millrace/run/segments_option.h"

namespace millrace {
namespace {

const std::map<std::string, Order> order_names{
    {"auto", Order::automatic}, {"natural", Order::natural}, {"degree", Order::degree}};
const std::map<std::string, Duplicates> duplicate_names{{"first", Duplicates::first}, {"min", Duplicates::min},
                                                        {"max", Duplicates::max},     {"sum", Duplicates::sum},
                                                        {"keep", Duplicates::keep},   {"count", Duplicates::count}};
const std::map<std::string, Orientations> orientation_names{
    {"both", Orientations::both}, {"in", Orientations::in}, {"out", Orientations::out}};
const std::map<std::string, bool> self_loop_names{{"drop", false}, {"keep", true}};

}  // namespace

std::vector<Option> layout_options(StoreOptions& options) {
  BuildOptions& build = options.build;
  return {
      {.name = "undirected", .field = &build.undirected, .value = {}, .help = "Each edge goes both ways"},
      choice("order", build.order, order_names,
             "Order of the vertices in the store: natural (by id), degree (those with many edges first), or auto "
             "(default): "
             "the one in which a sample takes less space"),
      choice("duplicates", build.duplicates, duplicate_names,
             "Parallel edges: the first (default), the one of least or greatest weight, one with the sum, one whose "
             "weight is their number (count), or keep all"),
      choice("self-loops", build.keep_self_loops, self_loop_names,
             "Edges from a vertex to itself: drop (default) or keep"),
      {.name = "page-size",
       .field = &options.page_size,
       .value = "SIZE",
       .help = "The most a page may take (default 1M; 4K to 64M)"},
      segments_option(options.segments),
      choice("orientation", build.orientations, orientation_names,
             "Store the edges by their sources (out), by their targets (in) or both (default); one takes half the "
             "space, and algorithms use the one that is there")};
}

std::vector<Option> store_options(StoreOptions& options) {
  BuildOptions& build = options.build;
  std::vector<Option> all{{.name = "output",
                           .field = &options.output,
                           .value = "STORE",
                           .help = "The store to write",
                           .letter = 'o',
                           .required = true,
                           .use = PathUse::store}};
  for (Option& option : layout_options(options)) all.push_back(std::move(option));
  const std::vector<Option> added{
      {.name = "stripe",
       .field = &build.stripes,
       .value = "DIR[,DIR...]",
       .help = "Spread the pages over these directories, one on each disk, page by page in turn",
       .commas = true,
       .use = PathUse::below},
      {.name = "memory",
       .field = &options.memory,
       .value = "SIZE",
       .help = "The most memory to use, such as 1G (default: most of what is free); edges that do not fit go through "
               "temporary files"},
      {.name = "temp",
       .field = &build.temporary,
       .value = "DIR",
       .help = "Where temporary files go (default: beside the pages)",
       .use = PathUse::below},
      device_option(options.device,
                    "Where to sort and encode: cpu, cuda or cuda:N (default: a GPU if there is one, from 2^26 edges "
                    "on); graphs with weights take the cpu"),
      {.name = "force", .field = &build.replace, .value = {}, .help = "Replace the store if it exists"},
      threads_option()};
  all.insert(all.end(), added.begin(), added.end());
  return all;
}

void check_store_options(StoreOptions& options) {
  const std::uint64_t bytes = parse_size(options.page_size);
  if (bytes < min_page_bytes || bytes > max_page_bytes)
    throw UsageError("@page-size@ {} is outside of {} to {}", options.page_size, format_size(min_page_bytes),
                     format_size(max_page_bytes));
  options.build.page_bytes = static_cast<std::uint32_t>(bytes);
  options.build.segments = parse_segments(options.segments);
  options.build.memory = options.memory.empty() ? default_build_memory() : parse_size(options.memory);
  if (path_exists(options.output) && !options.build.replace)
    throw UsageError("{} exists already; choose another path or pass @force@ to replace it", options.output.string());
}

std::string weights_text(const BuildSummary& summary, bool always) {
  if (summary.weight_type == WeightType::none) return {};
  const WeightChoice& read = summary.weights;
  std::string rounding;
  if (summary.weight_type == WeightType::f32 && !read.all_float)
    rounding = fmt::format(", off by at most {:.3g}, or {:.3g} of the weight", read.f32_error, read.f32_relative_error);
  if (read.rounded > 0)
    rounding += fmt::format(", {} whole numbers rounded to the nearest f64", format_count(read.rounded));
  if (rounding.empty() && !always) return {};
  return fmt::format("weights: {}{}\n", weight_type_name(summary.weight_type), rounding);
}

std::string changes_text(const BuildSummary& summary) {
  std::string text;
  const auto add = [&](const std::string& change) { text += (text.empty() ? " (" : ", ") + change; };
  if (summary.dropped_self_loops > 0) add("dropped " + format_counted(summary.dropped_self_loops, "self-loop"));
  if (summary.merged_edges > 0) add("merged " + format_counted(summary.merged_edges, "parallel edge"));
  if (const std::string weights = weights_text(summary, false); !weights.empty())
    add(weights.substr(0, weights.size() - 1));
  return text.empty() ? text : text + ")";
}

}  // namespace millrace
