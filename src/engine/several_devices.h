// The engine where several devices have parts of the graph: each attribute is on all of them, each program is copied
// for all of them, and what vertices do by themselves all do alike. Included by engine.h.
#pragma once

#include <iterator>

#include "millrace/engine/engine.h"
#include "millrace/engine/on_gpu.h"

namespace millrace {

template <class T, class Make>
Attribute<T> Engine::each_attribute(const Make& make) {
  if (far()) {
    members_[0]->select_device();
    Attribute<T> shared = make(*members_[0]);
    members_[0]->wait();
    return shared;
  }
  std::vector<Attribute<T>> made(team_->size());
  each(num_vertices(), [&](Engine& on, std::size_t i) { made[i] = make(on); });
  std::vector<void*> copies;
  for (const Attribute<T>& one : made) copies.push_back(one.data_);
  note_copies(std::move(copies));
  Attribute<T> first = std::move(made[0]);
  first.others_.assign(std::make_move_iterator(made.begin() + 1), std::make_move_iterator(made.end()));
  return first;
}

template <class Task>
Frontier Engine::each_frontier(std::uint64_t work, const Task& task) {
  std::vector<Frontier> made(team_ ? team_->size() : 1);
  each(work, [&](Engine& on, std::size_t i) { made[i] = task(on, i); });
  Frontier first = std::move(made[0]);
  first.others_.assign(std::make_move_iterator(made.begin() + 1), std::make_move_iterator(made.end()));
  return first;
}

template <class Program>
Program Engine::copy_for(std::size_t i, Program program) const {
  if (i > 0 && !far())
    visit_views(program, [&](auto& view) {
      if (view.data) view.data = static_cast<decltype(view.data)>(copy_of(view.data, i));
    });
  return program;
}

template <class Program>
void Engine::prepare_kept(bool identity) {
  using Value = Pending<Program>;
  static_assert(sizeof(Value) <= sizeof(std::uint64_t));
  if (!kept_.data_) kept_ = attribute<std::uint64_t>("messages to exchange");
  if (!identity) return;
  const Value nothing = nothing_pending<Program>();
  each(num_vertices(), [&](Engine& on, std::size_t i) {
    auto* const kept = reinterpret_cast<Value*>(kept_.on(i).data_);
    if (on.cuda_)
      on.cuda_->device().fill(kept, &nothing, sizeof nothing, num_vertices());
    else
      std::fill_n(kept, num_vertices(), nothing);
  });
}

template <class Combine, class Value, class By>
void Engine::exchange(const Replicas<Value>& replicas, std::size_t i) {
  const VertexRange slice = slice_of(num_vertices(), i, replicas.count);
  if (cuda_) {
    MILLRACE_ON_GPU(cuda::combine_replicas<Combine>(replicas, slice, cuda_->device().info().multiprocessors,
                                                    cuda_->device().main_stream()));
    wait();
  } else {
    combine_replicas<Combine>(replicas, slice, cpu_->device().threads());
  }
}

template <class Program>
Frontier Engine::absorb(const AbsorbKept<Program>& absorb, bool queues, Along along) {
  go_along(along);
  Frontier made;
  if (cuda_) {
    MILLRACE_ON_GPU(made = queues ? cuda_->absorb_queues(absorb) : cuda_->absorb(absorb));
  } else {
    made = queues ? cpu_->absorb_queues(absorb) : cpu_->filter(absorb);
  }
  made.along_ = along;
  return made;
}

template <class Value, class By>
void Engine::show(const Frontier& frontier, Replicas<Value>& replicas, std::size_t i) {
  if (cuda_) {
    MILLRACE_ON_GPU(cuda_->show(frontier, replicas, i));
  } else {
    cpu_->show(frontier, replicas, i);
  }
}

template <class Value, class By>
void Engine::forget(const Frontier& frontier, Value* kept, Value nothing) {
  if (cuda_) {
    MILLRACE_ON_GPU(cuda_->forget(frontier, kept, nothing));
  } else {
    cpu_->forget(frontier, kept, nothing);
  }
}

// Who has a message is known where targets join: by bits, or while they are few one by one, and then everyone goes over
// the targets of all, without an exchange before. Others may absorb the identity, and it has to be there where a device
// has no message. From all vertices by pulls, and to all, messages come to the same targets every time: those of one
// superstep replace those of the last, and where nothing was exchanged the identity stays where it is.
template <class Program>
Frontier Engine::run_on_team(const Frontier& frontier, const Program& program, Along along) {
  using Value = Pending<Program>;
  constexpr bool joins = can_join<Program>;
  const Stopwatch watch;
  members_[0]->select_device();
  const Direction direction = members_[0]->choose(frontier, Carried<Program>{program, nullptr}, along);
  // Two that look at each other's messages read as much as they would to exchange them. What receives one by one has to
  // be emptied once it is read, and by one alone.
  constexpr bool emptied = joins && receives_at_once<Program>;
  const bool at_once = !emptied && members_.size() == 2;
  const bool replaces = !joins && at_once && !wants_some<Program> && frontier.form() == Frontier::Form::all &&
                        direction == Direction::pull;
  const bool stays =
      kept_program_ == &typeid(Program) && (receives_at_once<Program> || (replaces && kept_along_ == along));
  prepare_kept<Program>((!joins || receives_at_once<Program>)&&!stays);
  kept_program_ = nullptr;  // whoever fails may leave messages there

  Replicas<Value> replicas{.count = static_cast<std::uint32_t>(members_.size())};
  for (std::size_t i = 0; i < members_.size(); ++i) replicas.values[i] = reinterpret_cast<Value*>(kept_.on(i).data_);
  std::vector<Frontier> targets(members_.size());
  each(direction == Direction::pull ? num_edges() : frontier.num_edges(), [&](Engine& on, std::size_t i) {
    const Carried<Program> carried{copy_for(i, program), replicas.values[i]};
    targets[i] = on.run_here(frontier.on(i), carried, along, false, direction);
    if constexpr (joins) on.show(targets[i], replicas, i);
    on.wait();
  });
  const bool few = joins && replicas.few(num_vertices());
  const bool exchanges = !at_once && !few;
  if (exchanges)
    each(num_vertices(), [&](Engine& on, std::size_t i) { on.exchange<CombinePending<Program>>(replicas, i); });
  std::uint64_t touched = 0, touched_edges = 0, values = joins ? 0 : num_vertices();
  for (const Frontier& some : targets) {
    touched += some.size();
    touched_edges += some.num_edges();
  }
  values = std::min(num_vertices(), values + touched);
  Frontier next = each_frontier(few ? touched : num_vertices(), [&](Engine& on, std::size_t i) {
    Replicas<Value> from = replicas;
    if (exchanges) from.count = 1, from.values[0] = replicas.values[i], from.bits[0] = replicas.bits[i];
    const AbsorbKept<Program> absorb{copy_for(i, program), from};
    if constexpr (joins) {
      return on.absorb(absorb, few, along);
    } else {
      on.vertex_map(absorb);
      if (at_once) on.wait();
      return std::move(targets[i]);  // none
    }
  });
  if constexpr (joins)
    if (replicas.some_queued())  // everyone has looked: what was shown is taken back
      each(few ? touched : num_vertices(), [&](Engine& on, std::size_t i) {
        const bool emptied_here = receives_at_once<Program> && few;
        on.forget(targets[i], emptied_here ? replicas.values[i] : nullptr, nothing_pending<Program>());
        if (exchanges) on.cuda_ ? on.cuda_->forget_bits() : on.cpu_->forget_bits();
      });
  if (joins && !few && members_[0]->cuda_ && graph_.degree_on_device(along).data) {
    // Where nobody was touched twice, and all joined, the edges of those touched are theirs.
    next.count_along(along, next.size() == touched ? touched_edges : count_edges(next, along));
  }
  if (receives_at_once<Program> || replaces) kept_program_ = &typeid(Program), kept_along_ = along;
  Superstep step{.direction = direction, .active = frontier.size()};
  for (const auto& member : members_) step += member->supersteps_.back();
  // Of each value, whoever sees to it reads all others and writes them; of few, everyone reads those of the others.
  if (few)
    step.exchanged_bytes = (members_.size() - 1) * values * (sizeof(VertexId) + sizeof(Value));
  else
    step.exchanged_bytes = 2 * (members_.size() - 1) *
                           (values * sizeof(Value) + (can_join<Program> ? bitmap_words(num_vertices()) * 8 : 0));
  step.seconds = watch.seconds();
  supersteps_.push_back(step);
  note_progress();
  return next;
}

template <class Combine, class T, class By>
void Engine::agree(Attribute<T>& attribute, Combine) {
  if (!team_ || far()) return;
  Replicas<T> replicas{.count = static_cast<std::uint32_t>(members_.size())};
  for (std::size_t i = 0; i < members_.size(); ++i) replicas.values[i] = attribute.on(i).data_;
  wait_for_all();
  each(num_vertices(), [&](Engine& on, std::size_t i) { on.exchange<Combine, T, By>(replicas, i); });
}

}  // namespace millrace
