// One orientation of a store whose pages a GPU makes: bucket after bucket of whole planned pages is sorted and encoded
// there and appended to the store. Where the keys come from is the caller's affair.
#pragma once

#include <optional>

#include "millrace/core/progress.h"
#include "millrace/ingest/cuda_page_builder.h"
#include "millrace/ingest/items.h"
#include "millrace/ingest/page_plan.h"
#include "millrace/ingest/written.h"

namespace millrace {

class CudaPageWriter {
 public:
  // Adds to `written`.
  CudaPageWriter(CudaDevice& device, const ItemRules& rules, const PageOptions& pages, StoreWriter& writer,
                 Progress& progress, Written& written);

  // Buckets as large as the memory of the GPU and of the host allow: the first page of each, and one past the last.
  std::vector<std::size_t> cut(const PagePlan& plan, const HostNeeds& beside);
  // What the keys of the next bucket are added to. Made at the first call, after cut().
  CudaPageBuilder& batch();
  // Writes the pages of a bucket, whose keys have been added.
  void write(std::span<const VertexId> first_vertex);
  // All buckets are written.
  void finish();

 private:
  CudaDevice& device_;
  Orientation orientation_;
  CudaBuildOptions options_;
  StoreWriter& writer_;
  Progress& progress_;
  Written& written_;
  CudaArray<std::uint32_t> others_;  // degrees of neighbours; empty where they are not counted
  std::uint64_t most_keys_ = 0;
  std::optional<CudaPageBuilder> builder_;
};

}  // namespace millrace
