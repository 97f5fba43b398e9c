// Builds a store of the same graph in which every part is a range of vertices and of pages.
#pragma once

#include "millrace/build/build.h"
#include "millrace/partition/assign.h"

namespace millrace {

struct PartitionOptions {
  AssignOptions assign;
  bool replace = false;
  std::vector<std::filesystem::path> stripes = {};
  std::optional<SegmentOptions> segments = std::nullopt;  // none: as the store has them
  std::filesystem::path temporary = {};
  std::uint64_t memory = Budget::unlimited;  // host memory for the whole process; --memory raises it
};

struct PartitionSummary {
  BuildSummary build;
  double assign_seconds = 0;  // time until every vertex had a part
};

// What the parts of a graph cost.
struct PartCosts {
  std::uint64_t cut_edges = 0;  // edges between parts, as in Parts
  std::uint64_t replicas = 0;
};
PartCosts count_costs(const Store& store, std::span<const PartId> part, std::uint32_t parts, Budget& budget);

// Original ids, names, weights and layout stay the same. Inside a part, vertices keep their order in `store`. `path`
// may be the store itself, which is then replaced.
PartitionSummary partition_store(const Store& store, const std::filesystem::path& path,
                                 const PartitionOptions& options);

}  // namespace millrace
