// A store and its partition, and a plain count of the cut edges and replicas.
#pragma once

#include <memory>
#include <tuple>
#include <vector>

#include "millrace/partition/partition.h"
#include "support/graphs.h"

namespace millrace::test {

inline constexpr PartMethod all_methods[] = {PartMethod::range, PartMethod::random, PartMethod::modulo,
                                             PartMethod::biased, PartMethod::metis};

// The methods of this build.
inline std::vector<PartMethod> methods() {
  std::vector<PartMethod> methods(std::begin(all_methods), std::end(all_methods));
  if (!MILLRACE_WITH_METIS) methods.pop_back();
  return methods;
}

class Partitioned {
 public:
  Partitioned(const Store& store, const PartitionOptions& options) {
    summary_ = partition_store(store, path(), options);
    store_ = std::make_unique<Store>(Store::open(path()));
  }
  Partitioned(const Store& store, const AssignOptions& assign) : Partitioned(store, PartitionOptions{assign}) {}

  std::filesystem::path path() const { return directory_ / "parts.store"; }
  const Store& store() const { return *store_; }
  const Parts& parts() const { return *store_->manifest().parts; }
  const PartitionSummary& summary() const { return summary_; }

 private:
  TempDir directory_;
  PartitionSummary summary_;
  std::unique_ptr<Store> store_;
};

// Edges of the pages of a store in ascending order, by original ids, with the bits of weights.

// The part of a vertex, by comparing with all of them.
inline std::size_t part_by_search(const Parts& parts, VertexId v) {
  std::size_t found = 0;
  for (std::size_t p = 0; p < parts.first_vertex.size(); ++p)
    if (parts.first_vertex[p] <= v) found = p;
  return found;
}

}  // namespace millrace::test
