#include "millrace/engine/one_device.h"

#include "millrace/core/error.h"

namespace millrace {

OneDevice::OneDevice(const DevicePart& part, RunLog& log)
    : executor_(make_executor(*part.device, *part.graph, {0, part.graph->num_vertices()}, 0)), log_(log) {
  if (part.help.threads > 0) executor_->be_helped(part.help);
}

Frontier OneDevice::edge_map(const Frontier& frontier, const BoundProgram& program, Along along, bool go_on) {
  executor_->go_along(along);
  const SuperstepPlan plan = executor_->plan(frontier, program, log_.direction, go_on);
  return executor_->carry_out(plan, frontier, program,
                              [&](const Superstep& step, std::size_t later) { log_.add(step, later); });
}

Copies OneDevice::allocate(std::uint64_t bytes, const std::string& what, Contents contents) {
  return Copies({executor_->device().allocate_memory(bytes, what, contents, Where::near)});
}

void OneDevice::each_copy(std::uint64_t, const std::function<void(Executor&, std::size_t)>& task) {
  task(*executor_, 0);
}

Frontier OneDevice::each_frontier(std::uint64_t, const std::function<Frontier(Executor&, std::size_t)>& task) {
  return task(*executor_, 0);
}

Frontier OneDevice::filter(const BoundPredicate& predicate, Along along) {
  executor_->go_along(along);
  return executor_->operations(*predicate.table).filter(*executor_, predicate.value);
}

Frontier OneDevice::filter_in(const Frontier& frontier, const BoundPredicate& predicate) {
  executor_->go_along(frontier.along());
  return executor_->operations(*predicate.table).filter_in(*executor_, frontier, predicate.value);
}

void OneDevice::vertex_map(const BoundBody& body) { executor_->operations(*body.table).map(*executor_, body.value); }

void OneDevice::reduce(const BoundReduction& reduction, void* result) {
  executor_->operations(*reduction.table).reduce(*executor_, reduction, result);
}

void OneDevice::each_device(std::uint64_t, const std::function<void(Executor&, std::size_t)>& task) {
  task(*executor_, 0);
}

ValueCopy OneDevice::copy_for(std::size_t, const void* value, const ValueType& type) const {
  return ValueCopy(value, type, nullptr);
}

void OneDevice::reset() noexcept {
  try {
    executor_->device().select();
    executor_->reset();
  } catch (const std::exception&) {  // the device is lost; whoever uses it next is told so
  }
}

}  // namespace millrace
