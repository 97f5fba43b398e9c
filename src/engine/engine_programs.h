// What an engine does with programs: the templates of Engine. To be included where programs are given to an engine.
#pragma once

#include <optional>
#include <type_traits>

#include "millrace/core/error.h"
#include "millrace/engine/backend.h"

namespace millrace {

template <class Combine, class T, class By>
void Engine::agree(Attribute<T>& attribute, Combine) {
  with_backend([&](auto& backend) { backend.template agree<Combine, T, By>(attribute.copies()); });
}

template <EdgeProgram Program>
Frontier Engine::edge_map(const Frontier& frontier, const Program& program, Along along) {
  return run(frontier, program, along, false);
}

template <EdgeProgram Program>
Frontier Engine::edge_map_both_ways(const Frontier& frontier, const Program& program) {
  Frontier next = edge_map(frontier, program, Along::out);
  return undirected() ? next : unite(std::move(next), edge_map(frontier, program, Along::in));
}

template <EdgeProgram Program>
Traversal Engine::traverse(Frontier frontier, Program program, Along along, std::uint64_t most) {
  Traversal done;
  while (!frontier.empty() && done.supersteps < most) {
    const std::uint64_t supersteps = log_.supersteps, active = log_.active, going_on = log_.edges_going_on;
    done.edges += frontier.num_edges();
    frontier = run(frontier, program, along, true);
    done.supersteps += log_.supersteps - supersteps;
    done.active += log_.active - active;
    done.edges += log_.edges_going_on - going_on;  // pushed: all that left their frontier
    for (std::uint64_t i = supersteps; i < log_.supersteps; ++i) program.advance();
  }
  done.finished = frontier.empty();
  return done;
}

template <EdgeProgram Program>
Traversal Engine::traverse_both_ways(Frontier frontier, Program program, std::uint64_t most) {
  if (undirected()) return traverse(std::move(frontier), program, Along::out, most);
  Traversal done;
  for (; !frontier.empty() && done.supersteps < most; ++done.supersteps, program.advance()) {
    done.active += frontier.size();
    done.edges += frontier.num_edges();
    frontier = edge_map_both_ways(frontier, program);
  }
  done.finished = frontier.empty();
  return done;
}

template <class Program>
Frontier Engine::run(const Frontier& given, const Program& program, Along along, bool go_on) {
  throw_if_interrupted();
  if constexpr (takes_weights<Program>) graph_.require_weights(std::is_integral_v<typename Program::Weight>);
  // A copy shares the caller's memory; going on is for those that nobody else has.
  std::optional<Frontier> recounted;
  if (given.along_ != along && !graph_.undirected()) {
    recounted = given;
    recounted->count_along(along, given.form() == Frontier::Form::all ? num_edges() : count_edges(given, along));
  }
  const Frontier& frontier = recounted ? *recounted : given;
  return with_backend([&](auto& backend) -> Frontier {
    if constexpr (for_one_device<Program> && !std::is_same_v<std::decay_t<decltype(backend)>, OneDevice>)
      throw InternalError("this program was compiled for one device alone");
    else
      return backend.edge_map(frontier, program, along, go_on);
  });
}

template <class Predicate>
Frontier Engine::filter(const Predicate& predicate, Along along) {
  static_assert(!has_writable_view<Predicate>(), "a predicate that writes is for take()");
  return take(predicate, along);
}

template <class Predicate>
Frontier Engine::filter_in(const Frontier& frontier, const Predicate& predicate) {
  static_assert(!has_writable_view<Predicate>(), "a predicate that writes is for take_in()");
  return take_in(frontier, predicate);
}

template <class Predicate>
Frontier Engine::take(const Predicate& predicate, Along along) {
  return with_backend([&](auto& backend) { return backend.filter(predicate, along); });
}

template <class Predicate>
Frontier Engine::take_in(const Frontier& frontier, const Predicate& predicate) {
  if (frontier.form() == Frontier::Form::all) return take(predicate, frontier.along_);
  return with_backend([&](auto& backend) { return backend.filter_in(frontier, predicate, frontier.along_); });
}

template <class Body>
void Engine::vertex_map(const Body& body) {
  with_backend([&](auto& backend) { backend.vertex_map(body); });
}

template <class T, class Map, class CombineValues>
T Engine::reduce(T identity, const Map& map, const CombineValues& combine_values) {
  static_assert(!has_writable_view<Map>(), "a map that writes is for reduce_writing()");
  return reduce_writing(identity, map, combine_values);
}

template <class T, class Map, class CombineValues>
T Engine::reduce_writing(T identity, const Map& map, const CombineValues& combine_values) {
  static_assert(!std::is_same_v<T, bool>, "the parts of several devices lie side by side: take a number");
  return with_backend([&](auto& backend) { return backend.reduce(identity, map, combine_values); });
}

template <ListProgram Program>
ListPlan Engine::plan_lists(ListsOf of, const Program& program, std::uint64_t room_bytes) {
  ListPlan plan = with_executor(only_executor(), [&](auto& on) { return on.lists().plan(of, program, room_bytes); });
  only_executor().graph().take_times();  // planning is not part of a superstep
  return plan;
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
  const Lists<typename Program::Value> lists = with_executor(only_executor(), [&](auto& on) {
    return on.lists().gather(plan, range, program, room, all ? nullptr : on.bitmap_of(of), step);
  });
  if (!all) {  // of all ranges together
    step.active = range == 0 ? of.size() : 0;
    step.edges = 0;
    for (const ListSide& side : plan.sides)
      if (range == 0) step.edges += count_edges(of, side.in ? Along::in : Along::out);
  }
  step.end(watch.seconds(), only_executor().graph().take_times());
  log_.add(step);
  return lists;
}

template <ListProgram Program, class Visit>
void Engine::for_lists(ListsOf of, const Program& program, std::uint64_t room_bytes, const Visit& visit) {
  const ListPlan plan = plan_lists(of, program, room_bytes);
  ListRoom room = room_for_lists(plan.bytes());
  for (std::size_t range = 0; range < plan.ranges.size(); ++range) visit(gather_lists(plan, range, program, room));
}

}  // namespace millrace
