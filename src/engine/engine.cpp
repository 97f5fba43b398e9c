#include "millrace/engine/engine.h"

#include <optional>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/backend.h"
#include "millrace/engine/far_attributes.h"
#include "millrace/engine/one_device.h"
#include "millrace/engine/several_devices.h"

namespace millrace {
Engine::Engine(Device& device, const Graph& graph, Direction direction, Progress* progress)
    : Engine(std::vector{DevicePart{&device, &graph}}, direction, progress) {}

Engine::Engine(const std::vector<DevicePart>& parts, Direction direction, Progress* progress)
    : graph_(*parts[0].graph),
      log_{.direction = direction, .progress = progress, .parts = parts},
      backend_(make_backend(parts, log_)) {}

Engine::~Engine() = default;

std::unique_ptr<Backend> make_backend(const std::vector<DevicePart>& parts, RunLog& log) {
  if (parts[0].chunk > 0) return std::make_unique<FarAttributes>(parts, log);
  if (parts.size() > 1) return std::make_unique<SeveralDevices>(parts, log);
  return std::make_unique<OneDevice>(parts[0], log);
}

std::uint64_t Engine::growths() const { return backend_->growths(); }

Frontier Engine::edge_map(const Frontier& frontier, const BoundProgram& program, Along along) {
  return run(frontier, program, along, false);
}

Frontier Engine::edge_map_both_ways(const Frontier& frontier, const BoundProgram& program) {
  Frontier next = edge_map(frontier, program, Along::out);
  return undirected() ? next : unite(std::move(next), edge_map(frontier, program, Along::in));
}

namespace {

void require_advance(const BoundProgram& program) {
  if (!program.table->advance)
    throw InternalError("a program that is to traverse has advance(), which is called after each superstep");
}

}  // namespace

Traversal Engine::traverse(Frontier frontier, const BoundProgram& given, Along along, std::uint64_t most) {
  require_advance(given);
  ValueCopy value(given.value, given.table->type, nullptr);
  const BoundProgram program(given, value.get());
  Traversal done;
  while (!frontier.empty() && done.supersteps < most) {
    const std::uint64_t supersteps = log_.supersteps, active = log_.active, going_on = log_.edges_going_on;
    done.edges += frontier.num_edges();
    frontier = run(frontier, program, along, true);
    done.supersteps += log_.supersteps - supersteps;
    done.active += log_.active - active;
    done.edges += log_.edges_going_on - going_on;  // pushed: all that left their frontier
    for (std::uint64_t i = supersteps; i < log_.supersteps; ++i) given.table->advance(value.get());
  }
  done.finished = frontier.empty();
  return done;
}

Traversal Engine::traverse_both_ways(Frontier frontier, const BoundProgram& given, std::uint64_t most) {
  if (undirected()) return traverse(std::move(frontier), given, Along::out, most);
  require_advance(given);
  ValueCopy value(given.value, given.table->type, nullptr);
  const BoundProgram program(given, value.get());
  Traversal done;
  for (; !frontier.empty() && done.supersteps < most; ++done.supersteps, given.table->advance(value.get())) {
    done.active += frontier.size();
    done.edges += frontier.num_edges();
    frontier = edge_map_both_ways(frontier, program);
  }
  done.finished = frontier.empty();
  return done;
}

Frontier Engine::run(const Frontier& given, const BoundProgram& program, Along along, bool go_on) {
  throw_if_interrupted();
  const ResetOnFailure scratch(*backend_);
  if (program.facts().takes_weights) graph_.require_weights(program.facts().whole_weights);
  // The copy shares the caller's memory, so the backend does one superstep; several would overwrite the frontier.
  std::optional<Frontier> recounted;
  if (given.along() != along && !graph_.undirected()) {
    recounted = given;
    recounted->count_along(along, given.form() == Frontier::Form::all ? num_edges() : count_edges(given, along));
  }
  return backend_->edge_map(recounted ? *recounted : given, program, along, go_on);
}

Frontier Engine::take(const BoundPredicate& predicate, Along along) {
  const ResetOnFailure scratch(*backend_);
  return backend_->filter(predicate, along);
}

Frontier Engine::take_in(const Frontier& frontier, const BoundPredicate& predicate) {
  if (frontier.form() == Frontier::Form::all) return take(predicate, frontier.along());
  const ResetOnFailure scratch(*backend_);
  return backend_->filter_in(frontier, predicate);
}

void Engine::vertex_map(const BoundBody& body) {
  const ResetOnFailure scratch(*backend_);
  backend_->vertex_map(body);
}

void Engine::reduce_to(void* result, const BoundReduction& reduction) {
  const ResetOnFailure scratch(*backend_);
  backend_->reduce(reduction, result);
}

void Engine::agree_on(const Copies& copies, const AgreementTable& table) {
  const ResetOnFailure scratch(*backend_);
  backend_->agree(copies, table);
}

Copies Engine::make(const AttributeInfo& info, const void* value) {
  const auto found = registered_.find(info.name);
  if (found != registered_.end() && !found->second.memory.expired())
    throw InternalError("there is an attribute '{}' already", info.name);
  Copies made =
      backend_->allocate(num_vertices() * info.value_bytes, info.name, value ? Contents::anything : Contents::zeros);
  if (value)
    backend_->each_copy(num_vertices(), [&](Executor& on, std::size_t i) {
      on.device().fill(made.on(i), value, info.value_bytes, num_vertices());
    });
  registered_[info.name] = {info, made.memory()};
  return made;
}

Copies Engine::make_from(const AttributeInfo& info, const void* values, std::uint64_t count) {
  if (count != num_vertices())
    throw InternalError("attribute '{}' has {} values for {} vertices", info.name, count, num_vertices());
  Copies made = make(info, nullptr);
  const std::uint64_t bytes = count * info.value_bytes;
  backend_->each_copy(bytes,
                      [&](Executor& on, std::size_t i) { on.device().copy_to_device(made.on(i), values, bytes); });
  return made;
}

std::vector<AttributeInfo> Engine::registered() const {
  std::vector<AttributeInfo> all;
  for (const auto& [name, one] : registered_)
    if (!one.memory.expired()) all.push_back(one.info);
  return all;
}

void Engine::write_one(const Copies& copies, VertexId v, const void* value, std::uint64_t bytes) {
  backend_->each_copy(
      1, [&](Executor& on, std::size_t i) { on.device().fill(copies.on(i) + v * bytes, value, bytes, 1); });
}

Frontier Engine::all_vertices() const {
  Frontier made(Frontier::Form::all, Along::out, nullptr);
  made.count(num_vertices(), num_edges());
  return made;
}

Frontier Engine::frontier(std::span<const VertexId> vertices) {
  for (const VertexId v : vertices)
    if (v >= num_vertices())
      throw UsageError("vertex {} cannot be in a frontier: the graph has {} vertices", v, num_vertices());
  return backend_->each_frontier(vertices.size(), [&](Executor& on, std::size_t) {
    on.go_along(Along::out);
    return on.frontier(vertices);
  });
}

Frontier Engine::unite(Frontier a, Frontier b) {
  if (b.empty()) return a;
  const ResetOnFailure scratch(*backend_);
  if (b.along() != a.along() && !undirected()) b.count_along(a.along(), count_edges(b, a.along()));
  if (a.empty()) return b;
  // Bits and a queue: the queue goes to the bits.
  if (a.form() == Frontier::Form::queue && b.form() == Frontier::Form::bitmap) std::swap(a, b);
  Frontier united = backend_->each_frontier(a.size() + b.size(), [&](Executor& on, std::size_t i) {
    Frontier made = a.on(i);
    on.add_to(made, b.on(i));
    return made;
  });
  united.count(a.size() + b.size(), a.num_edges() + b.num_edges());
  return united;
}

std::uint64_t Engine::count_edges(const Frontier& frontier, Along along) {
  Executor& first = backend_->first();
  first.device().select();
  first.go_along(along);
  return first.count_edges(frontier);
}

}  // namespace millrace
