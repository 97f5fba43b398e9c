// The pages of one orientation after another, from edges that can be replayed: sorted in memory where they fit, else
// bucket by bucket through a temporary file, by threads or by a GPU.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "millrace/build/build.h"
#include "millrace/build/build_memory.h"
#include "millrace/build/edge_supply.h"
#include "millrace/build/items.h"
#include "millrace/build/page_plan.h"
#include "millrace/build/written.h"

namespace millrace {

class Progress;
template <class Item>
class Spill;

class OrientationWriter {
 public:
  // `rank`: what vertices are renumbered to (empty: they are not); a list in memory has its new numbers already. `gpu`:
  // null where threads sort and encode. All of these must outlive this.
  OrientationWriter(EdgeSupply& edges, const BuildOptions& options, std::span<const VertexId> rank, StoreWriter& writer,
                    CudaDevice* gpu, Budget& budget)
      : edges_(edges), options_(options), rank_(rank), writer_(writer), gpu_(gpu), budget_(budget) {}

  // Writes the planned pages, with weights of this type, and degrees. Throws SumNeedsF64 where the type is too narrow.
  Written write(const ItemRules& rules, const PagePlan& plan, WeightType weight_type, bool count_others);

  std::uint64_t temporary_bytes() const { return temporary_bytes_; }  // that went through files so far

 private:
  template <class Item>
  void write_pages(const ItemRules& rules, const PagePlan& plan, const PageOptions& pages, Progress& progress,
                   Written& written);
  // The same on a GPU. Edges in memory are gone through for each bucket, so nothing of them goes to disk.
  void write_pages_on_gpu(const ItemRules& rules, const PagePlan& plan, const PageOptions& pages, Progress& progress,
                          Written& written);
  // What planning the sort has to know.
  BuildFacts facts(std::uint64_t item_bytes) const;
  // All edges by bucket, partitioned `most` at a time.
  template <class Item>
  std::unique_ptr<Spill<Item>> make_spill(const ItemRules& rules, std::span<const std::uint64_t> first_row,
                                          std::span<const std::size_t> cuts, std::uint64_t most);
  const std::filesystem::path& scratch();

  EdgeSupply& edges_;
  const BuildOptions& options_;
  std::span<const VertexId> rank_;
  StoreWriter& writer_;
  CudaDevice* gpu_;
  Budget& budget_;
  std::optional<std::filesystem::path> scratch_;
  std::uint64_t temporary_bytes_ = 0;
};

}  // namespace millrace
