// An engine's backend for several devices that share the edges of a graph. Each memory has all attributes. Devices that
// compute in the same memory divide the vertices: each does the vertex work of its own. Of several memories, each does
// all vertex work: reading an attribute where it is takes less than bringing results from another memory would.
//
// A superstep: each device sends messages along its own edges, and keeps them, one for each target. Where there is one
// memory, the owner of a target combines what all devices keep for it, and absorbs that. Between memories the messages
// are exchanged first. A pull in one memory keeps none: a row is on one device, which absorbs what it gathers. Nor does
// a push in the memory of one GPU: there all send to one inbox.
#pragma once

#include <map>

#include "millrace/engine/copies.h"
#include "millrace/engine/device_part.h"
#include "millrace/engine/device_supersteps.h"
#include "millrace/engine/device_team.h"
#include "millrace/operators/fields.h"
#ifdef __CUDACC__
#include "millrace/engine/exchange_cuda.cuh"
#include "millrace/engine/push_together_cuda.cuh"
#endif
namespace millrace {

class SeveralDevices {
 public:
  SeveralDevices(const std::vector<DevicePart>& parts, RunLog& log);

  Executor& first() { return team_[0]; }
  std::uint64_t growths() const { return team_.growths(); }
  Copies allocate(std::uint64_t bytes, const std::string& what, Contents contents);
  void written();
  template <class Task>
  void each_copy(std::uint64_t work, const Task& task) {
    team_.each(work, [&](Executor& on, std::size_t i) {
      if (team_.leads(i)) task(on, i);
    });
    written();
  }
  template <class Task>
  Frontier each_frontier(std::uint64_t work, const Task& task) {
    return team_.each_frontier(work, task);
  }

  template <class Program>
  Frontier edge_map(const Frontier& frontier, const Program& program, Along along, bool go_on);
  template <class Predicate>
  Frontier filter(const Predicate& predicate, Along along);
  template <class Predicate>
  Frontier filter_in(const Frontier& frontier, const Predicate& predicate, Along along);
  template <class Body>
  void vertex_map(const Body& body);
  template <class T, class Map, class CombineValues>
  T reduce(T identity, const Map& map, const CombineValues& combine_values);
  // The copies of several memories become what Combine makes of their values.
  template <class Combine, class T, class By = CompiledBy>
  void agree(const Copies& copies);

 private:
  // How the messages of a superstep get from the devices that keep them to those that absorb them.
  struct Delivery {
    bool identity;   // vertices without a message are absorbed too, or added to: they have to hold the identity
    bool exchanged;  // the messages of all devices are combined and given to all of them; else whoever absorbs combines
    bool replaces;   // the next superstep of this kind needs no identity: it finds messages emptied, or overwrites them
  };

  std::uint64_t num_vertices() const { return team_[0].graph().num_vertices(); }
  bool one_memory() const { return num_memories_ == 1; }
  // Whether some devices compute in the same memory: what one writes, another reads.
  bool share_memory() const { return num_memories_ < team_.size(); }
  // A program, body or predicate for the i-th device: its views are of that device's attributes.
  template <class Program>
  Program copy_for(std::size_t i, Program program) const;
  void* copy_of(const void* of_first, std::size_t i) const;
  void note_copies(std::vector<void*> copies) { copies_[copies[0]] = std::move(copies); }
  // The first device of each memory has made a frontier: now the others have it too.
  void copy_to_others(std::vector<Frontier>& made);

  template <class Program>
  Frontier pull_rows(const Frontier& frontier, const Program& program, Along along);
#ifdef __CUDACC__
  template <class Program>
  Frontier push_to_one(const Frontier& frontier, const Program& program, Along along);
#endif
  void make_kept();
  template <class Program>
  Delivery plan_delivery(const Frontier& frontier, Direction direction, Along along) const;
  // Room for the messages of a program on each device, or for each the identity, where it has to be there.
  template <class Program>
  Replicas<Pending<Program>> prepare_messages(bool identity);
  template <class Program>
  Frontier absorb(const Program& program, const Replicas<Pending<Program>>& messages, bool exchanged, bool few,
                  Along along, std::vector<Frontier>& targets);
  template <class Combine, class Value, class By = CompiledBy>
  void exchange(const Replicas<Value>& replicas);

  RunLog& log_;
  DeviceTeam team_;  // those that compute in the same memory share the vertex work
  std::size_t num_memories_ = 0;
  std::map<const void*, std::vector<void*>> copies_;  // where each device has what the first has there
  std::vector<DeviceArray<std::uint64_t>> kept_;      // messages, by device
  // The program, along these edges, whose messages need nothing done to them before its next superstep.
  const std::type_info* kept_program_ = nullptr;
  Along kept_along_ = Along::out;
};

template <class Program>
Program SeveralDevices::copy_for(std::size_t i, Program program) const {
  if (i > 0)
    visit_views(program, [&](auto& view) {
      if (view.data) view.data = static_cast<decltype(view.data)>(copy_of(view.data, i));
    });
  return program;
}

template <class Predicate>
Frontier SeveralDevices::filter(const Predicate& predicate, Along along) {
  Frontier made = team_.each_frontier(num_vertices(), [&](Executor& on, std::size_t i) {
    on.go_along(along);
    return filter_on(on, copy_for(i, predicate));
  });
  if (share_memory()) team_.gather_bits(made);
  return made;
}

template <class Predicate>
Frontier SeveralDevices::filter_in(const Frontier& frontier, const Predicate& predicate, Along along) {
  std::vector<Frontier> made(team_.size());
  team_.each(frontier.size(), [&](Executor& on, std::size_t i) {
    on.go_along(along);
    if (team_.leads(i)) made[i] = filter_in_on(on, frontier.on(i), copy_for(i, predicate));
  });
  copy_to_others(made);
  return Frontier::of_devices(std::move(made));
}

template <class Body>
void SeveralDevices::vertex_map(const Body& body) {
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    vertex_map_on(on, copy_for(i, body));
    if (share_memory()) on.device().synchronize();
  });
}

template <class T, class Map, class CombineValues>
T SeveralDevices::reduce(T identity, const Map& map, const CombineValues& combine_values) {
  std::vector<T> results(team_.size(), identity);
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    results[i] = reduce_on(on, identity, copy_for(i, map), combine_values);
  });
  for (std::size_t i = 1; i < results.size(); ++i)  // of its memory, each has a part
    if (team_.leader(i) == 0) results[0] = combine_values(results[0], results[i]);
  return results[0];
}

template <class Combine, class Value, class By>
void SeveralDevices::exchange(const Replicas<Value>& replicas) {
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    const VertexRange slice = slice_of(num_vertices(), i, team_.size());
    with_executor(on, [&](auto& here) { here.template exchange<Combine>(replicas, slice); });
    on.device().synchronize();
  });
}

template <class Combine, class T, class By>
void SeveralDevices::agree(const Copies& copies) {
  if (one_memory()) return;
  Replicas<T> replicas;
  for (std::size_t i = 0; i < team_.size(); ++i) {
    team_[i].device().synchronize();
    if (team_.leads(i)) replicas.values[replicas.count++] = reinterpret_cast<T*>(copies.on(i));
  }
  exchange<Combine, T, By>(replicas);
}

template <class Program>
SeveralDevices::Delivery SeveralDevices::plan_delivery(const Frontier& frontier, Direction direction,
                                                       Along along) const {
  constexpr bool joins = can_join<Program>;
  // Messages that are added to one by one have to be emptied once they are read, and by one device alone.
  constexpr bool emptied = joins && receives_at_once<Program>;
  // Two devices that look at each other's messages read as much as they would to exchange them.
  const bool exchanged = !one_memory() && (emptied || team_.size() > 2);
  // From all vertices by pulls, and to all, messages come to the same targets every time.
  const bool replaces = !joins && !exchanged && !wants_some<Program> && frontier.form() == Frontier::Form::all &&
                        direction == Direction::pull;
  // Pulled segment by segment, messages are added to what is kept.
  const bool adds = direction == Direction::pull && team_[0].graph().blocked();
  const bool stays = !adds && kept_program_ == &typeid(Program) && (emptied || (replaces && kept_along_ == along));
  return {.identity = (!joins || emptied || adds) && !stays,
          .exchanged = exchanged,
          // Of what was exchanged, each device empties its own vertices alone.
          .replaces = (emptied && !(exchanged && share_memory())) || (replaces && !adds)};
}

template <class Program>
Replicas<Pending<Program>> SeveralDevices::prepare_messages(bool identity) {
  using Value = Pending<Program>;
  static_assert(sizeof(Value) <= sizeof(std::uint64_t));
  const Value nothing = nothing_pending<Program>();
  Replicas<Value> messages{.count = static_cast<std::uint32_t>(team_.size())};
  if (kept_.empty()) make_kept();
  for (std::size_t i = 0; i < team_.size(); ++i) messages.values[i] = reinterpret_cast<Value*>(kept_[i].data());
  if (identity)
    team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
      on.device().fill(messages.values[i], &nothing, sizeof nothing, num_vertices());
    });
  return messages;
}

template <class Program>
Frontier SeveralDevices::edge_map(const Frontier& frontier, const Program& program, Along along, bool) {
  using Value = Pending<Program>;
  constexpr bool joins = can_join<Program>;
  const Stopwatch watch;
  first().device().select();
  const Direction direction =
      choose_direction_on(first(), log_.direction, frontier, Carried<Program>{program, nullptr}, along);
  if (one_memory() && direction == Direction::pull) return pull_rows(frontier, program, along);
#ifdef __CUDACC__
  if (one_memory() && first().device().kind() == DeviceKind::cuda) return push_to_one(frontier, program, along);
#endif
  const Delivery delivery = plan_delivery<Program>(frontier, direction, along);
  Replicas<Value> messages = prepare_messages<Program>(delivery.identity);
  kept_program_ = nullptr;  // a superstep that fails may leave messages there

  Superstep step{.direction = direction, .active = frontier.size()};
  std::vector<Frontier> targets(team_.size());
  std::vector<Superstep> parts(team_.size());
  team_.each(
      direction == Direction::pull ? first().graph().num_edges() : std::max(frontier.num_edges(), frontier.size()),
      [&](Executor& on, std::size_t i) {
        on.go_along(along);
        const Carried<Program> carried{copy_for(i, program), messages.values[i]};
        targets[i] = edge_map_on(on, frontier.on(i), carried, direction, false,
                                 [&](const Superstep& part, std::size_t) { parts[i] = part; });
        if constexpr (joins) with_executor(on, [&](auto& here) { here.show(targets[i], messages, i); });
        on.device().synchronize();
      });
  const Stopwatch exchange_watch;  // until all have absorbed their messages
  std::uint64_t values = joins ? 0 : num_vertices();
  for (const Superstep& part : parts) step += part;
  for (const Frontier& some : targets) values += some.size();
  values = std::min(num_vertices(), values);
  const bool few = joins && messages.few(num_vertices());
  if (delivery.exchanged && !few) exchange<CombinePending<Program>>(messages);
  Frontier next = absorb(program, messages, delivery.exchanged && !few, few, along, targets);
  if (delivery.replaces) kept_program_ = &typeid(Program), kept_along_ = along;
  step.exchanged_bytes = exchanged_bytes(team_.size(), values, sizeof(Value), joins ? num_vertices() : 0, few);
  step.end_together(watch.seconds(), exchange_watch.seconds());
  log_.add(step);
  return next;
}

template <class Program>
Frontier SeveralDevices::pull_rows(const Frontier& frontier, const Program& program, Along along) {
  const Stopwatch watch;
  std::vector<Superstep> parts(team_.size());
  Frontier next = team_.each_frontier(first().graph().num_edges(), [&](Executor& on, std::size_t i) {
    on.go_along(along);
    const Carried<Program> absorbed{copy_for(i, program), nullptr};
    Frontier made = edge_map_on(on, frontier.on(i), absorbed, Direction::pull, false,
                                [&](const Superstep& part, std::size_t) { parts[i] = part; });
    on.device().synchronize();
    return made;
  });
  const Stopwatch exchange_watch;
  Superstep step{.direction = Direction::pull, .active = frontier.size()};
  for (const Superstep& part : parts) step += part;
  if (can_join<Program>) {
    team_.unite_bits(next);
    step.exchanged_bytes = (team_.size() - 1) * bitmap_words(num_vertices()) * 8;
  }
  step.end_together(watch.seconds(), can_join<Program> ? exchange_watch.seconds() : 0);
  log_.add(step);
  return next;
}

#ifdef __CUDACC__
template <class Program>
Frontier SeveralDevices::push_to_one(const Frontier& frontier, const Program& program, Along along) {
  const Stopwatch watch;
  Superstep step{.direction = Direction::push, .active = frontier.size()};
  team_.in_turn([&](Executor& on, std::size_t) { on.go_along(along); });
  std::vector<Carried<Program>> programs;
  for (std::size_t i = 0; i < team_.size(); ++i) programs.push_back({copy_for(i, program), nullptr});
  std::vector<Frontier> made(team_.size());
  made[0] = PushTogether(team_, programs).run(frontier, step);
  copy_to_others(made);
  step.end_together(watch.seconds(), 0);
  log_.add(step);
  return Frontier::of_devices(std::move(made));
}
#endif

template <class Program>
Frontier SeveralDevices::absorb(const Program& program, const Replicas<Pending<Program>>& messages, bool exchanged,
                                bool few, Along along, std::vector<Frontier>& targets) {
  using Value = Pending<Program>;
  std::uint64_t touched = 0, touched_edges = 0;
  for (const Frontier& some : targets) {
    touched += some.size();
    touched_edges += some.num_edges();
  }
  const std::uint64_t work = few ? touched : num_vertices();
  std::vector<Frontier> made(team_.size());
  const auto absorb_on = [&](Executor& on, std::size_t i) {
    if (few && !team_.leads(i)) return;
    Replicas<Value> from = messages;
    if (exchanged) from.count = 1, from.values[0] = messages.values[i], from.bits[0] = messages.bits[i];
    const AbsorbKept<Program> body{copy_for(i, program), from, exchanged || (one_memory() && !few)};
    if constexpr (can_join<Program>) {
      made[i] = with_executor(on, [&](auto& here) { return few ? here.absorb_queues(body) : here.absorb(body); });
    } else {
      vertex_map_on(on, body);
      if (!exchanged || share_memory()) on.device().synchronize();
      made[i] = std::move(targets[i]);  // none
    }
  };
  if (few && one_memory())
    team_.in_turn(absorb_on);  // one does it all
  else
    team_.each(work, absorb_on);
  if constexpr (!can_join<Program>) {
    return Frontier::of_devices(std::move(made));
  } else {
    if (few) copy_to_others(made);
    Frontier next = Frontier::of_devices(std::move(made));
    if (!few && share_memory()) team_.gather_bits(next);
    const bool on_gpus = first().device().kind() == DeviceKind::cuda;
    const auto clear_on = [&](Executor& on, std::size_t i) {
      Value* const emptied = receives_at_once<Program> && few ? messages.values[i] : nullptr;
      with_executor(on, [&](auto& here) { here.clear_shown(targets[i], emptied, nothing_pending<Program>()); });
      if (exchanged) on.clear_shown_bits();
    };
    // All have looked: what was shown is taken back.
    if (messages.some_queued() && on_gpus)
      team_.in_turn(clear_on);
    else if (messages.some_queued())
      team_.each(work, clear_on);
    if (!few && on_gpus && first().graph().degree(along).data) {
      // Where nobody was touched twice, and all joined, the edges of those touched are theirs.
      first().device().select();
      next.count_along(along, next.size() == touched ? touched_edges : first().count_edges(next));
    }
    return next;
  }
}

}  // namespace millrace
