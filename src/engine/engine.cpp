#include "millrace/engine/engine.h"

#include "millrace/core/error.h"

namespace millrace {

Engine::Engine(Device& device, const Graph& graph, Direction direction, Progress* progress)
    : graph_(graph), direction_(direction), progress_(progress) {
  if (auto* const cuda = dynamic_cast<CudaDevice*>(&device))
    cuda_ = std::make_unique<CudaExecutor>(*cuda, graph), cuda_lists_ = std::make_unique<CudaLists>(*cuda, graph);
  else
    cpu_ = std::make_unique<CpuExecutor>(dynamic_cast<CpuDevice&>(device), graph);
}

Frontier Engine::all_vertices() const {
  Frontier made;
  made.form_ = Frontier::Form::all;
  made.size_ = num_vertices();
  made.num_edges_ = num_edges();
  return made;
}

Frontier Engine::frontier(std::initializer_list<VertexId> vertices) {
  return cuda_ ? cuda_->frontier(vertices) : cpu_->frontier(vertices);
}

Direction Engine::decide(const Frontier& frontier) const {
  if (direction_ != Direction::automatic) return direction_;
  if (!graph_.has(Orientation::in)) return Direction::push;
  if (!graph_.has(Orientation::out)) return Direction::pull;
  if (frontier.form() == Frontier::Form::all) return Direction::pull;  // reads instead of atomics
  return Direction::automatic;
}

ListRoom Engine::room_for_lists(std::uint64_t bytes) {
  return cuda_ ? cuda_lists_->room(bytes) : CpuLists(cpu_->device(), graph_).room(bytes);
}

void Engine::throw_not_for_gpu() {
  throw DeviceError("this program was not compiled for GPUs: compile its file with nvcc, or run it with --device cpu");
}

}  // namespace millrace
