#include "millrace/derive/derive.h"

#include "millrace/build/store_builder.h"
#include "millrace/core/stopwatch.h"
#include "millrace/derive/hidden_folder.h"
#include "millrace/derive/store_supply.h"
#include "millrace/store/fleeting.h"

namespace millrace {
namespace {

BuildOptions build_options(const Store& from, const DeriveOptions& options) {
  const Manifest& manifest = from.manifest();
  const bool weighted = manifest.weight_type != WeightType::none;
  return {.undirected = !manifest.directed || options.symmetrised,
          .orientations = options.orientations,
          .order = options.order,
          .duplicates = options.duplicates == Duplicates::sum && !weighted ? Duplicates::count : options.duplicates,
          .keep_self_loops = options.keep_self_loops,
          .page_bytes = options.page_bytes,
          .segments = options.segments,
          .replace = options.replace,
          .temporary = options.folder,
          .source = options.source};
}

}  // namespace

BuildSummary derive_store(const Store& from, const Numbering& numbering, const std::filesystem::path& path,
                          const DeriveOptions& options, Budget& budget) {
  const Stopwatch watch;
  BuildOptions build = build_options(from, options);
  StoreWriter writer(path, {.replace = options.replace}, budget);
  StoreSupply edges(from, numbering.number, numbering.number.empty() ? from.num_vertices() : numbering.count,
                    numbering.drops, budget);
  if (options.keep_ids) edges.keep_ids();
  if (options.duplicates == Duplicates::sum && edges.sum_up()) build.duplicates = Duplicates::sum;
  BuildSummary summary = build_from(edges, build, writer, budget);
  summary.seconds = watch.seconds();
  return summary;
}

Store derive_hidden_store(const Store& from, const Numbering& numbering, const DeriveOptions& options, Budget& budget) {
  const HiddenFolder hidden(options.folder.empty() ? std::filesystem::temp_directory_path() : options.folder);
  const Fleeting fleeting;
  DeriveOptions inside = options;
  inside.folder.clear();  // temporary files go beside the pages, to be removed with them
  const std::filesystem::path path = hidden.path() / "graph.store";
  derive_store(from, numbering, path, inside, budget);
  return Store::open(path).called(from.path());
}

}  // namespace millrace
