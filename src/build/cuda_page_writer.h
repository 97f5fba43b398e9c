// Writes one orientation of a store whose pages a GPU makes: bucket after bucket of whole planned pages is sorted and
// encoded there and appended to the store. The caller supplies the keys.
#pragma once

#include <optional>

#include "millrace/build/cuda_page_builder.h"
#include "millrace/build/items.h"
#include "millrace/build/page_plan.h"
#include "millrace/build/written.h"
#include "millrace/core/progress.h"

namespace millrace {

class CudaPageWriter {
 public:
  // Adds its counts and degrees to `written`.
  CudaPageWriter(CudaDevice& device, const ItemRules& rules, const PageOptions& pages, StoreWriter& writer,
                 Progress& progress, Written& written);

  // Cuts buckets as large as the memory of GPU and host allows: the first page of each, and one past the last.
  std::vector<std::size_t> cut(const PagePlan& plan, const HostNeeds& beside);
  // The builder to which the keys of the next bucket are added. Made at the first call, after cut().
  CudaPageBuilder& batch();
  // Writes the pages of a bucket whose keys have been added.
  void write(std::span<const std::uint64_t> first_row);
  // To be called once all buckets are written.
  void finish();

 private:
  CudaDevice& device_;
  Orientation orientation_;
  CudaBuildOptions options_;
  StoreWriter& writer_;
  Progress& progress_;
  Written& written_;
  CudaArray<std::uint32_t> others_;  // degrees of neighbours; empty if not counted
  std::uint64_t most_keys_ = 0;
  std::optional<CudaPageBuilder> builder_;
};

}  // namespace millrace
