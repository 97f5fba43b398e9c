#include "millrace/engine/engine.h"

#include "millrace/core/error.h"
#include "millrace/operators/most_frequent.h"
#include "millrace/operators/triangles_cuda.h"

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

Frontier Engine::frontier(std::span<const VertexId> vertices) {
  go_along(Along::out);
  return cuda_ ? cuda_->frontier(vertices) : cpu_->frontier(vertices);
}

Frontier Engine::unite(Frontier a, Frontier b) {
  if (b.empty()) return a;
  if (b.along_ != a.along_ && !undirected()) {
    go_along(a.along_);
    b.num_edges_ = count_edges(b);
    b.along_ = a.along_;
  }
  if (a.empty()) return b;
  // Bits and a queue: the queue goes to the bits.
  if (a.form() == Frontier::Form::queue && b.form() == Frontier::Form::bitmap) std::swap(a, b);
  cuda_ ? cuda_->add_to(a, b) : cpu_->add_to(a, b);
  a.size_ += b.size_;
  a.num_edges_ += b.num_edges_;
  return a;
}

void Engine::go_along(Along along) {
  // Where rows serve both ways, they are the same edges. Pages asked for in one orientation alone keep its name.
  if (graph_.undirected() && graph_.shares_pages()) return;
  if (cuda_)
    cuda_->go_along(along);
  else
    cpu_->go_along(along);
}

std::uint64_t Engine::count_edges(const Frontier& frontier) {
  return cuda_ ? cuda_->count_edges(frontier) : cpu_->count_edges(frontier);
}

Direction Engine::decide(const Frontier& frontier, Along along) const {
  if (direction_ != Direction::automatic) return direction_;
  if (!graph_.has(opposite(along))) return Direction::push;
  if (!graph_.has(along)) return Direction::pull;
  if (frontier.form() == Frontier::Form::all) return Direction::pull;  // reads instead of atomics
  return Direction::automatic;
}

ListRoom Engine::room_for_lists(std::uint64_t bytes) {
  return cuda_ ? cuda_lists_->room(bytes) : CpuLists(cpu_->device(), graph_).room(bytes);
}

void Engine::most_frequent(const Lists<std::uint32_t>& lists, View<std::uint32_t> result) {
  if (cuda_)
    cuda_->most_frequent(lists, result);
  else
    millrace::most_frequent(lists.offset, lists.last - lists.first, lists.values, result.data + lists.first,
                            cpu_->device().threads());
}

ListRoom Engine::room_to_unite(std::uint64_t bytes) { return cuda_ ? cuda_lists_->room(bytes) : ListRoom{}; }

void Engine::unite_lists([[maybe_unused]] const ListPlan& plan, const Lists<std::uint32_t>& lists, bool weighted,
                         View<std::uint32_t> length, [[maybe_unused]] ListRoom& scratch) {
  const std::uint32_t* const first_length = plan.sides[0].lengths;
  if (!cuda_) {
    millrace::unite_lists(lists, first_length, weighted, length.data, cpu_->device().threads());
    return;
  }
#if MILLRACE_WITH_CUDA
  cuda::unite_lists(lists, first_length, weighted, reinterpret_cast<std::uint32_t*>(scratch.cuda.data()), length.data,
                    cuda_->device());
#endif
}

void Engine::note_progress() {
  if (!progress_) return;
  progress_->at_superstep(supersteps_.size(), supersteps_.back().active);
  progress_->advance(supersteps_.back().edges);
}

std::uint64_t Engine::add_triangles(const NeighbourLists& of, const NeighbourLists& with,
                                    const TriangleCounts& counts) {
  throw_if_interrupted();
#if MILLRACE_WITH_CUDA
  if (cuda_) {
    if (triangle_progress_.empty())
      triangle_progress_ = CudaArray<std::uint64_t>(cuda_->device(), cuda::triangle_progress, "triangles");
    return cuda::add_triangles(of, with, counts, triangle_progress_.data(), cuda_->device());
  }
#endif
  if (!marks_) marks_ = std::make_unique<TriangleMarks>(cpu_->device(), num_vertices());
  return millrace::add_triangles(of, with, counts, *marks_, cpu_->device().threads(), progress_);
}

void Engine::add_degrees(const NeighbourLists& of, bool weighted, View<std::uint32_t> degree) {
#if MILLRACE_WITH_CUDA
  if (cuda_) return cuda::add_degrees(of, weighted, degree.data, cuda_->device());
#endif
  millrace::add_degrees(of, weighted, degree.data, cpu_->device().threads());
}

void Engine::throw_not_for_gpu() {
  throw DeviceError("this program was not compiled for GPUs: compile its file with nvcc, or run it with --device cpu");
}

}  // namespace millrace
