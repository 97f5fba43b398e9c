#include "millrace/catalogue/part.h"

#include <fmt/format.h>

#include "millrace/core/aside.h"
#include "millrace/core/error.h"
#include "millrace/core/foreign_format.h"
#include "millrace/core/output_file.h"
#include "millrace/core/regular_file.h"
#include "millrace/core/text.h"
#include "millrace/report/results.h"
#include "millrace/store/counted_edges.h"

namespace millrace {
namespace {

bool names_store(const std::filesystem::path& output) { return without_end_separators(output).extension() == ".store"; }

// The endings of GAP say whether there are weights.
void require_weights_as_named(const std::filesystem::path& edges, const Store& of) {
  const std::filesystem::path ending = without_compression_suffix(edges).extension();
  const bool weighted = of.manifest().weight_type != WeightType::none;
  if (ending == ".wel" && !weighted)
    throw UsageError("{} would have weights, and {} has none; end the name in .el or .txt", edges.string(),
                     of.path().string());
  if (ending == ".el" && weighted)
    throw UsageError("{} would have no weights, and those of {} are written; end the name in .wel or .txt",
                     edges.string(), of.path().string());
}

}  // namespace

std::vector<UsedPath> edges_or_store(const std::filesystem::path& output) {
  if (names_store(output)) return {{output, PathUse::store}};
  require_edges_name(output);
  return {{output, PathUse::output}};
}

std::vector<Option> PartOptions::options() {
  return {{.name = "output",
           .field = &output,
           .value = "FILE",
           .help = "Write 'source target [weight]' lines (tabs between where ids are names), compressed if it ends in "
                   ".gz or .zst, or a store if it ends in .store. Without it edges are only counted",
           .letter = 'o',
           .use = PathUse::output,
           .uses = edges_or_store,
           .typed = "; - is stdout"},
          {.name = "store",
           .field = &store,
           .value = "STORE",
           .help = "Write the selected part as a store, with its ids, names and weights",
           .use = PathUse::store},
          force_option()};
}

Option PartOptions::force_option() {
  return {.name = "force", .field = &force, .value = {}, .help = "Replace the store if it exists"};
}

SubgraphOutput PartOptions::destination(const Store& of) const {
  SubgraphOutput to{.edges = output,
                    .store = store,
                    .replace = force,
                    .source = "a part of " + of.path().lexically_normal().filename().string()};
  if (names_store(output)) {
    if (!store.empty())
      throw UsageError("@output@ {} and @store@ {}: give one of them", output.string(), store.string());
    to.edges.clear();
    to.store = without_end_separators(output);
  }
  require_weights_as_named(to.edges, of);
  if (!to.store.empty() && path_exists(to.store)) {
    if (std::filesystem::equivalent(to.store, of.path()))
      throw UsageError("{} is the store that is read; choose another path", to.store.string());
    if (!force)
      throw UsageError("{} exists already; choose another path or pass @force@ to replace it", to.store.string());
  }
  return to;
}

void tell_of(const SubgraphOutput& output, const Finished& finished) {
  for (const std::filesystem::path& file : {output.edges, output.store})
    if (!file.empty() && !is_stdout(file)) finished(file);
}

void write_part(const Store& store, const VertexSet& vertices, const SubgraphOutput& output, Budget& budget,
                std::vector<Finding>& findings, const Finished& finished) {
  const SubgraphSummary part = write_subgraph(store, vertices, vertices, output, budget);
  // People read pairs of figures in a row, in the words of `subgraph`.
  findings.push_back(
      {.name = "vertices",
       .json = fmt::format("{}", part.vertices),
       .shown = fmt::format("{}, {}", format_counted(part.vertices, "vertex"), edges_text(store, part.edges)),
       .words = "part"});
  findings.push_back({.name = "edges", .json = fmt::format("{}", part.edges), .in_json_alone = true});
  findings.push_back({.name = "pages_read",
                      .json = fmt::format("{}", part.pages),
                      .shown = fmt::format("{} of {}", format_count(part.pages), format_count(part.all_pages))});
  findings.push_back({.name = "pages", .json = fmt::format("{}", part.all_pages), .in_json_alone = true});
  findings.push_back({.name = "select_seconds",
                      .json = fmt::format("{}", part.seconds),
                      .shown = format_seconds(part.seconds),
                      .words = "time to select"});
  tell_of(output, finished);
}

}  // namespace millrace
