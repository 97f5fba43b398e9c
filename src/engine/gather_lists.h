// The engine's lists of rows. Included by engine.h.
#pragma once

#include "millrace/engine/engine.h"
#include "millrace/engine/on_gpu.h"

namespace millrace {

template <ListProgram Program>
ListPlan Engine::plan_lists(ListsOf of, const Program& program, std::uint64_t room_bytes) {
  require_one_device();
  if (cuda_) {
    MILLRACE_ON_GPU(return cuda_lists_->plan(of, program, room_bytes));
  }
  return CpuLists(cpu_->device(), graph_).plan(of, program, room_bytes);
}

template <ListProgram Program>
Lists<typename Program::Value> Engine::gather_lists(const ListPlan& plan, std::size_t range, const Program& program,
                                                    ListRoom& room) {
  return gather_lists(plan, range, program, room, all_vertices());
}

template <ListProgram Program>
Lists<typename Program::Value> Engine::gather_lists(const ListPlan& plan, std::size_t range, const Program& program,
                                                    ListRoom& room, const Frontier& of) {
  const Stopwatch watch;
  throw_if_interrupted();
  const bool all = of.form() == Frontier::Form::all;
  Superstep step{.direction = plan.sides[0].in ? Direction::pull : Direction::push,
                 .active = plan.ranges[range].last - plan.ranges[range].first};
  Lists<typename Program::Value> lists;
  if (cuda_) {
    MILLRACE_ON_GPU(lists =
                        cuda_lists_->gather(plan, range, program, room, all ? nullptr : cuda_->bitmap_of(of), step));
  } else {
    lists =
        CpuLists(cpu_->device(), graph_).gather(plan, range, program, room, all ? nullptr : cpu_->bitmap_of(of), step);
  }
  if (!all) {  // of all ranges together
    step.active = range == 0 ? of.size() : 0;
    step.edges = 0;
    for (const ListSide& side : plan.sides)
      if (range == 0) step.edges += count_edges(of, side.in ? Along::in : Along::out);
  }
  step.seconds = watch.seconds();
  supersteps_.push_back(step);
  note_progress();
  return lists;
}

template <ListProgram Program, class Visit>
void Engine::for_lists(ListsOf of, const Program& program, std::uint64_t room_bytes, const Visit& visit) {
  const ListPlan plan = plan_lists(of, program, room_bytes);
  ListRoom room = room_for_lists(plan.bytes());
  for (std::size_t range = 0; range < plan.ranges.size(); ++range) visit(gather_lists(plan, range, program, room));
}

}  // namespace millrace
