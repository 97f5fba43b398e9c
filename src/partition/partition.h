// A store of the same graph in which every part is a range of vertices and of pages.
#pragma once

#include "millrace/ingest/build.h"
#include "millrace/partition/assign.h"

namespace millrace {

struct PartitionOptions {
  AssignOptions assign;
  bool replace = false;
  std::vector<std::filesystem::path> stripes = {};
  std::filesystem::path temporary = {};
  std::uint64_t memory = Budget::unlimited;  // of the host, for everything; --memory raises it
};

struct PartitionSummary {
  BuildSummary build;
  double assign_seconds = 0;  // until every vertex had a part
};

// What parts cost beside their pages.
struct PartCosts {
  std::uint64_t cut_edges = 0;  // as in Parts
  std::uint64_t replicas = 0;
};
PartCosts count_costs(const Store& store, std::span<const PartId> part, std::uint32_t parts, Budget& budget);

// Original ids, names, weights and layout stay. Inside a part, vertices keep the order that they have in `store`. The
// store may be replaced by its own partition.
PartitionSummary partition_store(const Store& store, const std::filesystem::path& path,
                                 const PartitionOptions& options);

}  // namespace millrace
