#include "millrace/ingest/build.h"

#include <optional>

#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/ingest/edge_spool.h"
#include "millrace/ingest/store_builder.h"
#include "millrace/pages/encode.h"

namespace millrace {
namespace {

// The edges of a spool in memory, numbered; it is emptied on the way.
EdgeList number_spooled(std::vector<EdgeBatch> batches, IdIndex* known, WeightType weight_type, Budget& budget) {
  EdgeList list;
  std::vector<Array<OriginalId>> endpoints;
  std::uint64_t num_weights = 0;
  for (EdgeBatch& batch : batches) {
    endpoints.push_back(std::move(batch.endpoints));
    num_weights += batch.weights.size();
  }
  std::optional<IdIndex> found;
  if (!known) known = &found.emplace(endpoints, budget);
  list.num_vertices = known->size();
  list.edges = number_edges(std::move(endpoints), *known, budget);
  list.ids = known->take_ids();
  list.weight_type = weight_type;
  list.weights = Array<std::uint64_t>(num_weights, budget, "the weights");
  std::uint64_t first = 0;
  for (EdgeBatch& batch : batches) {
#pragma omp parallel for schedule(static)
    for (std::uint64_t i = 0; i < batch.weights.size(); ++i)
      list.weights[first + i] = weight_bits(weight_type, batch.weights[i]);
    first += batch.weights.size();
    batch.weights = {};
  }
  return list;
}

// What is left of the memory for large buffers.
std::uint64_t for_buffers(std::uint64_t memory) {
  if (memory == Budget::unlimited) return memory;
  if (memory < 2 * process_overhead)
    throw DoesNotFitError("--memory {} is too little to build a store; allow at least {}", format_size(memory),
                          format_size(2 * process_overhead));
  return memory - process_overhead;
}

// The most bytes of edges as read for which building in memory will fit too: then each edge is held once more, as an
// item for each row that it is in. Half is left to vertices.
std::uint64_t most_in_memory(std::uint64_t budget, bool weighted, bool undirected) {
  if (budget == Budget::unlimited) return budget;
  const std::uint64_t read = weighted ? 24 : 16, item = weighted ? 16 : 8, listed = weighted ? 16 : 8;
  const std::uint64_t needed = std::max(read, listed + item * (undirected ? 2 : 1));
  return budget / 2 / needed * read;
}

// A build with its writer and its budget. The writer comes first: a path that cannot be written should cost no waiting.
struct Build {
  Build(const std::filesystem::path& path, const BuildOptions& given)
      : options(given),
        budget(for_buffers(given.memory), "--memory"),
        writer((PageEncoder({.page_bytes = given.page_bytes}), path),  // refuses a bad page size before anything else
               {.replace = given.replace, .stripes = given.stripes}, budget) {}

  BuildSummary run(EdgeSupply& edges) {
    BuildSummary summary = build_from(edges, options, writer, budget);
    summary.seconds = watch.seconds();
    return summary;
  }

  Stopwatch watch;
  BuildOptions options;
  Budget budget;
  StoreWriter writer;
};

}  // namespace

BuildSummary build_store(EdgeList list, const std::filesystem::path& path, const BuildOptions& options) {
  Build build(path, options);
  ListSupply edges(std::move(list));
  return build.run(edges);
}

BuildSummary build_store(EdgeReader& reader, const std::filesystem::path& path, const BuildOptions& options) {
  Build build(path, options);
  const GraphShape shape = reader.shape();
  build.options.undirected |= shape.undirected;
  EdgeSpool spool(
      most_in_memory(build.budget.limit(), shape.weighted, build.options.undirected),
      [&] { return build.writer.make_scratch(options.temporary); }, build.budget);
  while (auto batch = reader.next()) spool.add(std::move(*batch));
  spool.finish();

  const WeightType weight_type = shape.weighted ? spool.weight_choice().type() : WeightType::none;
  if (!spool.on_disk()) {
    ListSupply edges(number_spooled(spool.take(), shape.vertices.get(), weight_type, build.budget));
    return build.run(edges);
  }
  std::optional<IdIndex> found;
  if (!shape.vertices)
    found.emplace([&](const auto& piece) { spool.replay([&](const EdgeBatch& batch) { piece(batch.endpoints); }); },
                  2 * spool.num_edges(), spool.largest_id(), build.budget);
  SpoolSupply edges(spool, shape.vertices ? *shape.vertices : *found, weight_type);
  BuildSummary summary = build.run(edges);
  summary.temporary_bytes += spool.disk_bytes();
  return summary;
}

}  // namespace millrace
