#include "millrace/engine/engine.h"

#include <cstring>

#include "millrace/core/error.h"
#include "millrace/operators/most_frequent.h"
#include "millrace/operators/triangles_cuda.h"

namespace millrace {

Engine::Engine(Device& device, const Graph& graph, Direction direction, Progress* progress)
    : Engine(DevicePart{&device, &graph}, direction, progress) {}

Engine::Engine(const DevicePart& part, Direction direction, Progress* progress)
    : graph_(*part.graph), part_(part), direction_(direction), progress_(progress) {
  open();
}

void Engine::open() {
  const VertexRange own = far() ? part_.own : VertexRange{0, num_vertices()};
  if (auto* const cuda = dynamic_cast<CudaDevice*>(part_.device)) {
    cuda_ = std::make_unique<CudaExecutor>(*cuda, graph_, own, part_.chunk);
    cuda_lists_ = std::make_unique<CudaLists>(*cuda, graph_);
  } else {
    cpu_ = std::make_unique<CpuExecutor>(dynamic_cast<CpuDevice&>(*part_.device), graph_, own, part_.chunk);
  }
}

Engine::Engine(const std::vector<DevicePart>& parts, Direction direction, Progress* progress)
    : graph_(*parts[0].graph), part_(parts[0]), direction_(direction), progress_(progress) {
  if (far() && direction == Direction::pull)
    throw UsageError("attributes that are far are pushed to, chunk by chunk: leave the direction to auto");
  if (parts.size() == 1) {
    open();
    return;
  }
  if (parts.size() > max_devices) throw InternalError("{} devices, of at most {}", parts.size(), max_devices);
  for (const DevicePart& part : parts)
    members_.push_back(std::unique_ptr<Engine>(new Engine(part, direction, nullptr)));
  team_ = std::make_unique<Team>(parts.size());
  if (far()) return;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    std::vector<void*> copies;
    for (const DevicePart& part : parts)
      copies.push_back(const_cast<std::uint32_t*>(part.graph->degree_on_device(o).data));
    if (copies[0]) note_copies(std::move(copies));
  }
}

std::vector<Engine*> Engine::workers() {
  if (!team_) return {this};
  std::vector<Engine*> all;
  for (const auto& member : members_) all.push_back(member.get());
  return all;
}

std::uint64_t Engine::num_chunks() {
  std::uint64_t most = 0;
  for (const Engine* on : workers())
    most = std::max(most, (on->part_.own.size() + on->part_.chunk - 1) / on->part_.chunk);
  return most;
}

VertexRange Engine::chunk(std::uint64_t round) const {
  const VertexRange own = part_.own;
  const std::uint64_t first = std::min(own.last, own.first + round * part_.chunk);
  return {first, std::min(own.last, first + part_.chunk)};
}

std::vector<std::uint32_t> Engine::reaching(const std::vector<std::uint32_t>& pages, const PageTable& table,
                                            std::uint64_t round) {
  std::vector<std::uint32_t> some;
  const std::vector<Engine*> all = workers();
  for (const std::uint32_t page : pages)
    if (std::any_of(all.begin(), all.end(), [&](Engine* on) { return reaches(table[page], on->chunk(round)); }))
      some.push_back(page);
  return some;
}

void Engine::gather_bits(Frontier& frontier) {
  if (!team_) return;
  std::uint64_t size = 0, edges = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    size += frontier.on(i).size_;
    edges += frontier.on(i).num_edges_;
  }
  std::vector<std::byte*> bits(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) bits[i] = members_[i]->bits_of(frontier.on(i));
  wait_for_all();
  each(num_vertices(), [&](Engine& on, std::size_t i) {
    for (std::size_t j = 0; j < members_.size(); ++j) {
      const VertexRange own = members_[j]->part_.own;
      const std::uint64_t first = own.first / 8, bytes = (own.last + 31) / 32 * 4 - first;
      if (j == i || own.size() == 0) continue;
      if (on.cuda_)
        on.cuda_->device().copy_on_device(bits[i] + first, bits[j] + first, bytes);
      else
        std::memcpy(bits[i] + first, bits[j] + first, bytes);
    }
    on.wait();
  });
  const auto count = [&](Frontier& one) { one.size_ = size, one.num_edges_ = edges; };
  count(frontier);
  for (Frontier& other : frontier.others_) count(other);
}

std::uint64_t Engine::growths() const {
  std::uint64_t all = cuda_ ? cuda_->growths() : 0;
  for (const auto& member : members_) all += member->growths();
  return all;
}

void Engine::see_to(VertexRange own) { cuda_ ? cuda_->see_to(own) : cpu_->see_to(own); }

void Engine::wait_for_all() {
  if (members_[0]->cuda_) each(num_vertices(), [](Engine& on, std::size_t) { on.wait(); });
}

void Engine::select_device() {
  if (cuda_) cuda_->device().select();
}

void Engine::wait() {
  if (cuda_) cuda_->device().synchronize();
}

void* Engine::copy_of(const void* of_first, std::size_t i) const {
  const auto found = copies_.find(of_first);
  if (found == copies_.end()) throw InternalError("a program looks at what is no attribute of its engine");
  return found->second[i];
}

void Engine::require_one_device() const {
  if (team_) throw InternalError("lists of rows are gathered on one device, and there are {}", team_->size());
}

std::byte* Engine::bits_of(const Frontier& frontier) {
  return cuda_ ? reinterpret_cast<std::byte*>(cuda_->bitmap_of(frontier))
               : reinterpret_cast<std::byte*>(const_cast<std::uint64_t*>(cpu_->bitmap_of(frontier)));
}

Frontier Engine::all_vertices() const {
  Frontier made;
  made.form_ = Frontier::Form::all;
  made.size_ = num_vertices();
  made.num_edges_ = num_edges();
  return made;
}

Frontier Engine::frontier(std::span<const VertexId> vertices) {
  if (team_) return each_frontier(vertices.size(), [&](Engine& on, std::size_t) { return on.frontier(vertices); });
  go_along(Along::out);
  return cuda_ ? cuda_->frontier(vertices) : cpu_->frontier(vertices);
}

Frontier Engine::unite(Frontier a, Frontier b) {
  if (team_)
    return each_frontier(a.size() + b.size(), [&](Engine& on, std::size_t i) { return on.unite(a.on(i), b.on(i)); });
  if (b.empty()) return a;
  if (b.along_ != a.along_ && !undirected()) {
    b.num_edges_ = count_edges(b, a.along_);
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

std::uint64_t Engine::count_edges(const Frontier& frontier, Along along) {
  if (team_) {
    members_[0]->select_device();
    return members_[0]->count_edges(frontier, along);
  }
  go_along(along);
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
  throw DeviceError("this program was not compiled for GPUs: compile its file with nvcc, or run it with @device@ cpu");
}

}  // namespace millrace
