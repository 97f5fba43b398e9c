// For builds without CUDA; cuda_generate.cu has the functions for builds with it.
#include "millrace/build/cuda_generate.h"

#include "millrace/version.h"

#if !MILLRACE_WITH_CUDA

namespace millrace {

// No device exists, so none of these is ever called.
CudaDegrees count_degrees(CudaDevice&, const GeneratedEdges&, bool) { return {}; }
CudaOrder rank_by_degree(CudaDevice&, const CudaDegrees&) { return {}; }
CudaArray<std::uint32_t> renumber(CudaDevice&, const CudaArray<std::uint32_t>&, const CudaArray<VertexId>&) {
  return {};
}
std::vector<std::uint64_t> take_sample(CudaDevice&, const GeneratedEdges&, bool, std::span<const std::uint64_t>,
                                       const VertexId*) {
  return {};
}

}  // namespace millrace

#endif
