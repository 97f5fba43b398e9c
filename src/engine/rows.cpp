#include "millrace/engine/rows.h"

#include <algorithm>
#include <atomic>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/backend.h"
#include "millrace/engine/list_operators.h"

namespace millrace {

WholeRows::WholeRows(Engine& engine, ListsOf of, const ListTable& table, const void* program, Share share)
    : engine_(engine), table_(table) {
  Backend& backend = this->backend();
  const ResetOnFailure scratch(backend);
  const std::vector<DevicePart>& parts = engine.parts();
  const bool one = parts.size() == 1;
  std::uint64_t covered = one ? engine.num_vertices() : 0;
  for (const DevicePart& part : parts) covered += one ? 0 : part.rows.size();
  if (covered != engine.num_vertices())
    throw InternalError("the devices have no whole rows: say that the run needs lists (GraphNeeds)");
  for (std::size_t i = 0; i < parts.size(); ++i) programs_.push_back(backend.copy_for(i, program, table.type));
  plans_.resize(parts.size());
  backend.each_device(engine.num_edges(), [&](Executor& on, std::size_t i) {
    const std::uint64_t all = one ? on.graph().list_room() : parts[i].list_room;
    plans_[i] = on.operations(table_).plan(on, of, programs_[i].get(), one ? on.everyone() : parts[i].rows,
                                           std::min(all / share.of * share.parts, share.most));
    on.graph().take_times();  // planning is not part of a superstep
  });
}

Backend& WholeRows::backend() const { return *engine_.backend_; }

Progress* WholeRows::progress() const { return engine_.log_.progress; }

std::size_t WholeRows::rounds() const {
  std::size_t most = 0;
  for (const ListPlan& plan : plans_) most = std::max(most, plan.ranges.size());
  return most;
}

ListRange WholeRows::range(std::size_t device, std::size_t round) const {
  const std::vector<ListRange>& ranges = plans_[device].ranges;
  return round < ranges.size() ? ranges[round] : ListRange{};
}

bool WholeRows::meet(std::size_t round, std::size_t with, bool lower) const {
  if (!lower) return true;
  VertexId last = 0, first = no_vertex;
  for (std::size_t i = 0; i < devices(); ++i) {
    if (round < plans_[i].ranges.size()) last = std::max(last, range(i, round).last);
    if (with < plans_[i].ranges.size()) first = std::min(first, range(i, with).first);
  }
  return first < last;
}

WholeRows::Room WholeRows::room() {
  Room made(devices());
  backend().each_device(engine_.num_edges(),
                        [&](Executor& on, std::size_t i) { made[i] = on.list_operators().room(plans_[i].bytes()); });
  return made;
}

Lists<std::uint32_t> WholeRows::gather_on(Executor& on, std::size_t device, std::size_t round, ListRoom& room,
                                          const Frontier* of, Superstep& step) {
  Lists<std::uint32_t> lists;
  throw_if_interrupted();
  if (round < plans_[device].ranges.size())
    on.operations(table_).gather(on, plans_[device], round, programs_[device].get(), room,
                                 of ? &of->on(device) : nullptr, step, lists);
  return lists;
}

std::vector<Lists<std::uint32_t>> WholeRows::gather(std::size_t round, Room& room, const Frontier* of) {
  const Stopwatch watch;
  const ResetOnFailure scratch(backend());
  std::vector<Lists<std::uint32_t>> lists(devices());
  std::vector<Superstep> steps(devices());
  std::uint64_t active = 0;
  for (std::size_t i = 0; i < devices(); ++i) active += range(i, round).last - range(i, round).first;
  backend().each_device(engine_.num_edges(), [&](Executor& on, std::size_t i) {
    lists[i] = gather_on(on, i, round, room[i], of, steps[i]);
    steps[i].end(watch.seconds(), on.graph().take_times());
  });
  log(steps, of, active, watch.seconds(), 0);
  return lists;
}

void WholeRows::most_frequent(const Frontier& frontier, View<std::uint32_t> result, Room& room) {
  const Stopwatch watch;
  Backend& backend = this->backend();
  const ResetOnFailure scratch(backend);
  const Frontier* const of = frontier.form() == Frontier::Form::all ? nullptr : &frontier;
  std::vector<Superstep> steps(devices());
  backend.each_device(engine_.num_edges(), [&](Executor& on, std::size_t i) {
    const View<std::uint32_t> mine{static_cast<std::uint32_t*>(backend.copy_of(result.data, i))};
    for (std::size_t round = 0; round < plans_[i].ranges.size(); ++round)
      on.list_operators().most_frequent(gather_on(on, i, round, room[i], of, steps[i]), mine);
    steps[i].end(watch.seconds(), on.graph().take_times());
  });
  const Stopwatch exchange_watch;
  steps[0].exchanged_bytes = backend.share_rows(result.data, sizeof(std::uint32_t));
  log(steps, of, frontier.size(), watch.seconds(), exchange_watch.seconds());
}

void WholeRows::log(std::vector<Superstep>& steps, const Frontier* of, std::uint64_t active, double seconds,
                    double exchange) {
  Superstep step = steps[0];
  for (std::size_t i = 1; i < steps.size(); ++i) step += steps[i];
  step.direction = plans_[0].sides[0].in ? Direction::pull : Direction::push;
  step.active = active;
  if (of) {  // the pages have other rows too
    step.edges = 0;
    for (const ListSide& side : plans_[0].sides)
      step.edges += engine_.count_edges(*of, side.in ? Along::in : Along::out);
  }
  if (devices() > 1) step.end_together(seconds, exchange);
  engine_.log_.add(step);
}

NeighbourRows::NeighbourRows(WholeRows& rows, bool weighted, View<std::uint32_t> length)
    : rows_(rows), weighted_(weighted), length_(length), room_(rows.room()), lists_(rows.devices()) {}

WholeRows::Room NeighbourRows::scratch_for(WholeRows& rows) {
  WholeRows::Room made(rows.devices());
  rows.backend().each_device(rows.engine_.num_edges(), [&](Executor& on, std::size_t i) {
    made[i] = on.list_operators().room_to_unite(rows.plans_[i].bytes());
  });
  return made;
}

void NeighbourRows::load(std::size_t round, WholeRows::Room& scratch) {
  const std::vector<Lists<std::uint32_t>> gathered = rows_.gather(round, room_);
  Backend& backend = rows_.backend();
  const ResetOnFailure on_failure(backend);
  backend.each_device(rows_.engine_.num_edges(), [&](Executor& on, std::size_t i) {
    View<std::uint32_t> length;
    if (length_.data) {
      length.data = static_cast<std::uint32_t*>(backend.copy_of(length_.data, i));
      if (gathered[i].offset) on.list_operators().unite(rows_.plans_[i], gathered[i], weighted_, length, scratch[i]);
    }
    lists_[i] = {gathered[i], length.data};
  });
}

void NeighbourRows::add_degrees(View<std::uint32_t> degree) const {
  Backend& backend = rows_.backend();
  const ResetOnFailure on_failure(backend);
  backend.each_device(rows_.engine_.num_edges(), [&](Executor& on, std::size_t i) {
    if (lists_[i].lists.offset)
      on.list_operators().add_degrees(lists_[i], weighted_,
                                      {static_cast<std::uint32_t*>(backend.copy_of(degree.data, i))});
  });
}

std::uint64_t NeighbourRows::add_triangles(const NeighbourRows& with, const TriangleCounts& counts) const {
  throw_if_interrupted();
  Backend& backend = rows_.backend();
  const ResetOnFailure on_failure(backend);
  std::atomic<std::uint64_t> triangles = 0;
  backend.each_device(rows_.engine_.num_edges(), [&](Executor& on, std::size_t i) {
    const NeighbourLists& of = lists_[i];
    TriangleCounts here = counts;
    if (counts.by_vertex) here.by_vertex = static_cast<std::uint64_t*>(backend.copy_of(counts.by_vertex, i));
    for (const NeighbourLists& its : with.lists_) {
      if (!of.lists.offset || !its.lists.offset) continue;
      if (counts.ascending && its.lists.first >= of.lists.last) continue;  // nobody here lists one of these
      triangles += on.list_operators().add_triangles(of, its, here, rows_.progress());
    }
  });
  return triangles;
}

}  // namespace millrace
