#include "millrace/engine/executor.h"

#include "millrace/engine/cpu_executor.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/version.h"

namespace millrace {

void Executor::go_along(Along along) {
  // Where rows serve both ways, they are the same edges. Pages asked for in one orientation alone keep its name.
  if (along == along_ || (graph_.undirected() && graph_.shares_pages())) return;
  along_ = along;
  turned();
}

void Executor::set_edge_share(double share) {
  edge_share_ = share;
  turned();
}

void Executor::count(Frontier& frontier, const PassCounts& counts) const {
  frontier.size_ = counts.joined;
  frontier.num_edges_ = counts.joined_edges;
}

Frontier Executor::copy_of(const Frontier& frontier) {
  Frontier made;
  if (frontier.form() == Frontier::Form::queue) {
    made = frontier_of(frontier.storage_->queue.begin(), frontier.size());
  } else {
    made = make_frontier(Frontier::Form::bitmap);
    device_.copy_on_device(made.storage_->bitmap.data(), frontier.storage_->bitmap.data(),
                           made.storage_->bitmap.bytes());
    made.size_ = frontier.size();
  }
  made.along_ = frontier.along_;
  made.num_edges_ = frontier.num_edges_;
  return made;
}

std::unique_ptr<Executor> make_executor(Device& device, const Graph& graph, VertexRange own, std::uint64_t chunk) {
#if MILLRACE_WITH_CUDA
  if (device.kind() == DeviceKind::cuda)
    return std::make_unique<CudaExecutor>(static_cast<CudaDevice&>(device), graph, own, chunk);
#endif
  return std::make_unique<CpuExecutor>(static_cast<CpuDevice&>(device), graph, own, chunk);
}

}  // namespace millrace
