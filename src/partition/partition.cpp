#include "millrace/partition/partition.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "millrace/core/stopwatch.h"
#include "millrace/ingest/store_builder.h"
#include "millrace/partition/store_edges.h"

namespace millrace {
namespace {

// The new number of every vertex: part after part, each in the order that was. Empty where all stay as they are.
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

// Whether edges in memory leave a build the room that it needs there: each is held once more, as an item for each row.
bool fits_in_memory(const StoreSupply& edges, bool undirected, const Budget& budget) {
  const std::uint64_t value = edges.weight_type() == WeightType::none ? 8 : 16;
  const std::uint64_t left = budget.limit() - budget.used();
  return edges.num_edges() <= left / 2 / (value * (undirected ? 3 : 2));
}

}  // namespace

PartCosts count_costs(const Store& store, std::span<const PartId> part, std::uint32_t parts, Budget& budget) {
  std::atomic<std::uint64_t> cut = 0;
  std::uint64_t replicas = part.size();  // a vertex is known in its own part
  Array<std::uint64_t> known(part.size(), budget, "where vertices are known");
  // 64 parts at a time, a bit each.
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

PartitionSummary partition_store(const Store& store, const std::filesystem::path& path,
                                 const PartitionOptions& options) {
  const Stopwatch watch;
  BuildOptions build = options_like(store.manifest());
  build.temporary = options.temporary;
  Budget budget(memory_for_buffers(options.memory, build.memory_option), build.memory_option);
  // A path that cannot be written should cost no waiting.
  StoreWriter writer(path, {.replace = options.replace, .stripes = options.stripes}, budget);

  const std::uint32_t parts = options.assign.parts;
  Array<PartId> part = assign_parts(store, options.assign, budget);
  PartitionSummary summary{.build = {}, .assign_seconds = watch.seconds()};
  const PartCosts costs = count_costs(store, part, parts, budget);
  build.parts = Parts{.method = part_method_name(options.assign.method),
                      .first_vertex = {},
                      .cut_edges = costs.cut_edges,
                      .replicas = costs.replicas};
  const Array<VertexId> rank = number_by_part(part, parts, build.parts->first_vertex, budget);
  part = {};
  build.order_name = rank.empty() ? store.manifest().order : "parts";

  writer.write_names(store.load_names(budget));
  StoreSupply edges(store, rank);
  if (fits_in_memory(edges, build.undirected, budget)) {
    ListSupply list(edges.collect(budget));
    summary.build = build_from(list, build, writer, budget);
  } else {
    summary.build = build_from(edges, build, writer, budget);
  }
  summary.build.seconds = watch.seconds();
  return summary;
}

}  // namespace millrace
