#include "millrace/build/cuda_page_writer.h"

namespace millrace {

CudaPageWriter::CudaPageWriter(CudaDevice& device, const ItemRules& rules, const PageOptions& pages,
                               StoreWriter& writer, Progress& progress, Written& written)
    : device_(device),
      orientation_(rules.orientation),
      options_{.bits = rules, .pages = pages, .keep_self_loops = rules.keep_self_loops},
      writer_(writer),
      progress_(progress),
      written_(written) {
  device.select();
  others_ = CudaArray<std::uint32_t>(device, written.other_degrees.size(), "degrees");
  others_.zero();
}

std::vector<std::size_t> CudaPageWriter::cut(const PagePlan& plan, const HostNeeds& beside) {
  const std::uint64_t most = CudaPageBuilder::most_keys(device_, options_.pages, plan.largest_page(), beside);
  most_keys_ = std::min(most, plan.before.back());
  return plan.cut(most_keys_);
}

CudaPageBuilder& CudaPageWriter::batch() {
  return builder_ ? *builder_ : builder_.emplace(device_, options_, most_keys_);
}

void CudaPageWriter::write(std::span<const std::uint64_t> first_row) {
  const CudaBuildResult result = batch().encode(first_row, std::span<std::uint32_t>(written_.degrees), others_.data(),
                                                [&](std::vector<EncodedPage>&& encoded) {
                                                  for (EncodedPage& page : encoded) {
                                                    progress_.add(page.entry.edges);
                                                    writer_.append_page(orientation_, std::move(page));
                                                  }
                                                });
  written_.edges += result.edges;
  written_.self_loops += result.self_loops;
}

void CudaPageWriter::finish() { device_.copy_to_host(written_.other_degrees.data(), others_.data(), others_.bytes()); }

}  // namespace millrace
