#include "millrace/partition/partition.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "millrace/build/items.h"
#include "millrace/build/store_builder.h"
#include "millrace/core/stopwatch.h"
#include "millrace/derive/store_supply.h"
#include "millrace/partition/assign_metis.h"
#include "millrace/partition/store_edges.h"

namespace millrace {
namespace {

// The new number of every vertex: part after part, each in its old order. Empty if no number changes.
Array<VertexId> number_by_part(std::span<const PartId> part, std::uint32_t parts, std::vector<VertexId>& first_vertex,
                               Budget& budget) {
  first_vertex.assign(parts, 0);
  for (const PartId p : part)
    if (p + 1u < parts) ++first_vertex[p + 1];
  for (std::uint32_t p = 1; p < parts; ++p) first_vertex[p] += first_vertex[p - 1];
  if (std::is_sorted(part.begin(), part.end())) return {};
  Array<VertexId> rank(part.size(), budget, "vertex order");
  std::vector<VertexId> next = first_vertex;
  for (std::uint64_t v = 0; v < part.size(); ++v) rank[v] = next[part[v]]++;
  return rank;
}

}  // namespace

PartCosts count_costs(const Store& store, std::span<const PartId> part, std::uint32_t parts, Budget& budget) {
  std::atomic<std::uint64_t> cut = 0;
  std::uint64_t replicas = part.size();  // every vertex is in its own part
  Array<std::uint64_t> known(part.size(), budget, "where vertices are known");
  // 64 parts at a time, a bit for each.
  for (std::uint32_t first = 0; first < parts; first += 64) {
    std::fill(known.begin(), known.end(), 0);
    const auto tell = [&](VertexId v, PartId there) {
      if (there < first || there - first >= 64) return;
      const std::uint64_t bit = std::uint64_t{1} << (there - first);
      const std::atomic_ref word(known[v]);
      if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
    };
    for_each_page(store, "count", [&](auto&& edges) {
      std::uint64_t here = 0;
      edges([&](VertexId source, VertexId target) {
        const PartId a = part[source], b = part[target];
        if (a == b) return;
        ++here;
        tell(source, b);
        tell(target, a);
      });
      if (first == 0) cut += here;
    });
    for (const std::uint64_t word : known) replicas += static_cast<std::uint64_t>(std::popcount(word));
  }
  return {.cut_edges = store.manifest().directed ? cut.load() : 2 * cut, .replicas = replicas};
}

namespace {

// Counts the memory that a partition would need, by running its steps with the arrays in files. METIS allocates its own
// memory, so for it ranges are used instead.
BuildFacts count_memory(const Store& store, AssignOptions assign, BuildOptions build, const StoreWriter& writer,
                        Budget& budget) {
  const std::uint64_t n = store.num_vertices(), column = buffer_memory(4 * n);
  const bool metis = assign.method == PartMethod::metis;
  if (metis) assign.method = PartMethod::range;
  Budget aside(Budget::unlimited, "the disk", Keep::in_file);
  Array<PartId> part = assign_parts(store, assign, aside);
  const std::uint64_t parts = aside.used();
  const std::uint64_t assigning = metis ? parts + metis_memory(store.manifest()) : aside.peak();
  const std::uint64_t before = std::max({assigning, parts + buffer_memory(8 * n), column + store.name_memory()});
  build.parts.emplace();
  const Array<VertexId> rank = number_by_part(part, assign.parts, build.parts->first_vertex, aside);
  part = {};
  StoreSupply edges(store, rank, n, false, budget);
  edges.keep_ids();
  return count_build_memory(edges, build, writer, rank.empty() && !metis ? 0 : column, before);
}

// Assigns parts and builds the store.
void build_parts(const Store& store, const PartitionOptions& options, BuildOptions build, StoreWriter& writer,
                 Budget& budget, PartitionSummary& summary) {
  const Stopwatch watch;
  const std::uint32_t parts = options.assign.parts;
  Array<PartId> part = assign_parts(store, options.assign, budget);
  summary.assign_seconds = watch.seconds();
  const PartCosts costs = count_costs(store, part, parts, budget);
  build.parts = Parts{.method = part_method_name(options.assign.method),
                      .first_vertex = {},
                      .cut_edges = costs.cut_edges,
                      .replicas = costs.replicas};
  const Array<VertexId> rank = number_by_part(part, parts, build.parts->first_vertex, budget);
  part = {};
  build.order_name = rank.empty() ? store.manifest().order : "parts";

  writer.write_names(store.load_names(budget));
  StoreSupply edges(store, rank, store.num_vertices(), false, budget);
  edges.keep_ids();
  summary.build = build_from(edges, build, writer, budget);
}

}  // namespace

PartitionSummary partition_store(const Store& store, const std::filesystem::path& path,
                                 const PartitionOptions& options) {
  const Stopwatch watch;
  BuildOptions build = options_like(store.manifest());
  build.temporary = options.temporary;
  if (options.segments) build.segments = *options.segments;
  Budget budget(memory_for_buffers(options.memory, build.memory_option), option_for_buffers(build.memory_option));
  // The writer is made first, so that a path that cannot be written fails at once.
  StoreWriter writer(path, {.replace = options.replace, .stripes = options.stripes}, budget);
  PartitionSummary summary;
  try {
    build_parts(store, options, build, writer, budget, summary);
  } catch (const OverBudgetError& found) {
    const bool metis = options.assign.method == PartMethod::metis;
    refuse_build(
        found, budget, metis ? "partitioning by METIS" : "the partition",
        [&] { return count_memory(store, options.assign, build, writer, budget); },
        metis ? marked_text("choose another @method@, such as biased") : "");
  }
  summary.build.seconds = watch.seconds();
  return summary;
}

}  // namespace millrace
