#include "millrace/engine/engine.h"

#include "millrace/core/error.h"
#include "millrace/engine/backend.h"

namespace millrace {

Engine::Engine(Device& device, const Graph& graph, Direction direction, Progress* progress)
    : Engine(std::vector{DevicePart{&device, &graph}}, direction, progress) {}

Engine::Engine(const std::vector<DevicePart>& parts, Direction direction, Progress* progress)
    : graph_(*parts[0].graph),
      log_{.direction = direction, .progress = progress, .parts = parts},
      backend_(std::make_unique<Backend>()) {
  if (parts[0].chunk > 0)
    backend_->is.emplace<FarAttributes>(parts, log_);
  else if (parts.size() > 1)
    backend_->is.emplace<SeveralDevices>(parts, log_);
  else
    backend_->is.emplace<OneDevice>(parts[0], log_);
}

Engine::~Engine() = default;

OneDevice::OneDevice(const DevicePart& part, RunLog& log)
    : executor_(make_executor(*part.device, *part.graph, {0, part.graph->num_vertices()}, 0)), log_(log) {
  if (part.help.threads > 0) executor_->be_helped(part.help);
}

Copies OneDevice::allocate(std::uint64_t bytes, const std::string& what, Contents contents) {
  return Copies({executor_->device().allocate_memory(bytes, what, contents, Where::near)});
}

std::uint64_t Engine::growths() const {
  return with_backend([](auto& backend) { return backend.growths(); });
}

Copies Engine::make_copies(std::uint64_t value_bytes, const std::string& name, const void* value) {
  return with_backend([&](auto& backend) {
    Copies made = backend.allocate(num_vertices() * value_bytes, name, value ? Contents::anything : Contents::zeros);
    if (value)
      backend.each_copy(num_vertices(), [&](Executor& on, std::size_t i) {
        on.device().fill(made.on(i), value, value_bytes, num_vertices());
      });
    return made;
  });
}

void Engine::write_all(const Copies& copies, const void* from, std::uint64_t bytes) {
  with_backend([&](auto& backend) {
    backend.each_copy(bytes,
                      [&](Executor& on, std::size_t i) { on.device().copy_to_device(copies.on(i), from, bytes); });
  });
}

void Engine::write_one(const Copies& copies, VertexId v, const void* value, std::uint64_t bytes) {
  with_backend([&](auto& backend) {
    backend.each_copy(
        1, [&](Executor& on, std::size_t i) { on.device().fill(copies.on(i) + v * bytes, value, bytes, 1); });
  });
}

Frontier Engine::all_vertices() const {
  Frontier made;
  made.form_ = Frontier::Form::all;
  made.size_ = num_vertices();
  made.num_edges_ = num_edges();
  return made;
}

Frontier Engine::frontier(std::span<const VertexId> vertices) {
  return with_backend([&](auto& backend) {
    return backend.each_frontier(vertices.size(), [&](Executor& on, std::size_t) {
      on.go_along(Along::out);
      return on.frontier(vertices);
    });
  });
}

Frontier Engine::unite(Frontier a, Frontier b) {
  if (b.empty()) return a;
  if (b.along_ != a.along_ && !undirected()) b.count_along(a.along_, count_edges(b, a.along_));
  if (a.empty()) return b;
  // Bits and a queue: the queue goes to the bits.
  if (a.form() == Frontier::Form::queue && b.form() == Frontier::Form::bitmap) std::swap(a, b);
  Frontier united = with_backend([&](auto& backend) {
    return backend.each_frontier(a.size() + b.size(), [&](Executor& on, std::size_t i) {
      Frontier made = a.on(i);
      on.add_to(made, b.on(i));
      return made;
    });
  });
  united.count(a.size_ + b.size_, a.num_edges_ + b.num_edges_);
  return united;
}

std::uint64_t Engine::count_edges(const Frontier& frontier, Along along) {
  return with_backend([&](auto& backend) {
    Executor& first = backend.first();
    first.device().select();
    first.go_along(along);
    return first.count_edges(frontier);
  });
}

Executor& Engine::only_executor() {
  auto* const one = std::get_if<OneDevice>(&backend_->is);
  if (!one) throw InternalError("lists of rows are gathered on one device that has the attributes");
  return one->first();
}

ListRoom Engine::room_for_lists(std::uint64_t bytes) { return only_executor().list_operators().room(bytes); }

ListRoom Engine::room_to_unite(std::uint64_t bytes) { return only_executor().list_operators().room_to_unite(bytes); }

void Engine::most_frequent(const Lists<std::uint32_t>& lists, View<std::uint32_t> result) {
  only_executor().list_operators().most_frequent(lists, result);
}

void Engine::unite_lists(const ListPlan& plan, const Lists<std::uint32_t>& lists, bool weighted,
                         View<std::uint32_t> length, ListRoom& scratch) {
  only_executor().list_operators().unite(plan, lists, weighted, length, scratch);
}

std::uint64_t Engine::add_triangles(const NeighbourLists& of, const NeighbourLists& with,
                                    const TriangleCounts& counts) {
  throw_if_interrupted();
  return only_executor().list_operators().add_triangles(of, with, counts, log_.progress);
}

void Engine::add_degrees(const NeighbourLists& of, bool weighted, View<std::uint32_t> degree) {
  only_executor().list_operators().add_degrees(of, weighted, degree);
}

void throw_not_for_gpu() {
  throw DeviceError("this program was not compiled for GPUs: compile its file with nvcc, or run it with @device@ cpu");
}

}  // namespace millrace
