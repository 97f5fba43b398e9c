#include "millrace/engine/several_devices.h"

#include <algorithm>
#include <cstring>
#include <typeinfo>

#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/exchange.h"
#include "millrace/engine/push_together.h"
#include "millrace/version.h"

namespace millrace {
SeveralDevices::SeveralDevices(const std::vector<DevicePart>& parts, RunLog& log)
    : log_(log), team_(make_sharing_team(parts)) {
  for (std::size_t i = 0; i < parts.size(); ++i) num_memories_ += team_.leads(i);
  const auto has_rows = [](const DevicePart& part) { return part.rows.size() > 0; };
  rows_overlap_ = !parts[0].graph->undirected() && std::ranges::any_of(parts, has_rows);
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    std::vector<void*> copies;
    for (const DevicePart& part : parts) copies.push_back(const_cast<std::uint32_t*>(part.graph->degree(o).data));
    if (copies[0]) note_copies(std::move(copies));
  }
}

Copies SeveralDevices::allocate(std::uint64_t bytes, const std::string& what, Contents contents) {
  std::vector<std::shared_ptr<DeviceMemory>> made(team_.size());
  team_.each(bytes, [&](Executor& on, std::size_t i) {
    if (team_.leads(i)) made[i] = on.device().allocate_memory(bytes, what, contents, Where::near);
  });
  std::vector<void*> copies;
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = made[team_.leader(i)];
    copies.push_back(made[i]->data());
  }
  if (bytes > 0) note_copies(std::move(copies));
  written();
  return Copies(std::move(made));
}

void SeveralDevices::each_copy(std::uint64_t work, const std::function<void(Executor&, std::size_t)>& task) {
  team_.each(work, [&](Executor& on, std::size_t i) {
    if (team_.leads(i)) task(on, i);
  });
  written();
}

Frontier SeveralDevices::each_frontier(std::uint64_t work,
                                       const std::function<Frontier(Executor&, std::size_t)>& task) {
  return team_.each_frontier(work, task);
}

void SeveralDevices::written() {
  if (!share_memory()) return;
  for (std::size_t i = 0; i < team_.size(); ++i)
    if (team_.leads(i)) team_[i].device().synchronize();
}

void* SeveralDevices::copy_of(const void* of_first, std::size_t i) const {
  const auto found = copies_.find(of_first);
  if (found == copies_.end()) throw InternalError("a program looks at what is no attribute of its engine");
  return found->second[i];
}

ValueCopy SeveralDevices::copy_for(std::size_t i, const void* value, const ValueType& type) const {
  const Redirect to_mine = [this, i](const void* of_first) { return copy_of(of_first, i); };
  return ValueCopy(value, type, i > 0 ? &to_mine : nullptr);
}

void SeveralDevices::make_kept() {
  std::vector<DeviceArray<std::uint64_t>> made(team_.size());
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    made[i] = DeviceArray<std::uint64_t>(on.device(), num_vertices(), "messages to exchange", Contents::anything);
  });
  kept_ = std::move(made);
}

void SeveralDevices::copy_to_others(std::vector<Frontier>& made) {
  for (std::size_t i = 0; i < team_.size(); ++i) {
    if (team_.leads(i)) continue;
    team_[i].device().select();
    made[i] = team_[i].copy_of(made[team_.leader(i)]);
  }
}

Frontier SeveralDevices::filter(const BoundPredicate& predicate, Along along) {
  Frontier made = team_.each_frontier(num_vertices(), [&](Executor& on, std::size_t i) {
    on.go_along(along);
    return on.operations(*predicate.table).filter(on, copy_for(i, predicate.value, predicate.table->type).get());
  });
  if (share_memory()) team_.gather_bits(made);
  return made;
}

Frontier SeveralDevices::filter_in(const Frontier& frontier, const BoundPredicate& predicate) {
  std::vector<Frontier> made(team_.size());
  team_.each(frontier.size(), [&](Executor& on, std::size_t i) {
    on.go_along(frontier.along());
    if (team_.leads(i))
      made[i] = on.operations(*predicate.table)
                    .filter_in(on, frontier.on(i), copy_for(i, predicate.value, predicate.table->type).get());
  });
  copy_to_others(made);
  return Frontier::of_devices(std::move(made));
}

void SeveralDevices::vertex_map(const BoundBody& body) {
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    on.operations(*body.table).map(on, copy_for(i, body.value, body.table->type).get());
    if (share_memory()) on.device().synchronize();
  });
}

void SeveralDevices::reduce(const BoundReduction& reduction, void* result) {
  const std::size_t bytes = reduction.table->result_bytes;
  std::vector<std::uint64_t> results(team_.size() * ((bytes + 7) / 8));
  const auto of = [&](std::size_t i) { return results.data() + i * ((bytes + 7) / 8); };
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    const ValueCopy map = copy_for(i, reduction.value, reduction.table->type);
    BoundReduction mine = reduction;
    mine.value = map.get();
    on.operations(*reduction.table).reduce(on, mine, of(i));
  });
  for (std::size_t i = 1; i < team_.size(); ++i)  // of its memory, each has a part
    if (team_.leader(i) == 0) reduction.table->add(reduction.combine, of(0), of(i));
  std::memcpy(result, of(0), bytes);
}

// Each device sees to a slice of the vertices, for all.
template <class Table>
void SeveralDevices::exchange(const Messages& messages, const Table& table) {
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    on.operations(table).exchange(on, messages, slice_of(num_vertices(), i, team_.size()));
    on.device().synchronize();
  });
}

void SeveralDevices::agree(const Copies& copies, const AgreementTable& table) {
  if (one_memory()) return;
  Messages values;
  for (std::size_t i = 0; i < team_.size(); ++i) {
    team_[i].device().synchronize();
    if (team_.leads(i)) values.values[values.count++] = copies.on(i);
  }
  exchange(values, table);
}

SeveralDevices::Delivery SeveralDevices::plan_delivery(const ProgramFacts& facts, const Frontier& frontier,
                                                       Direction direction, Along along) const {
  // Messages that are added to one by one have to be emptied once they are read, and by one device alone.
  const bool emptied = facts.joins && facts.receives_at_once;
  // Two devices that look at each other's messages read as much as they would to exchange them.
  const bool exchanged = !one_memory() && (emptied || team_.size() > 2);
  // From all vertices by pulls, and to all, messages come to the same targets every time.
  const bool replaces = !facts.joins && !exchanged && !facts.wants && frontier.form() == Frontier::Form::all &&
                        direction == Direction::pull;
  // Pulled segment by segment, messages are added to what is kept.
  const bool adds = direction == Direction::pull && team_[0].graph().blocked();
  const bool stays =
      !adds && kept_program_ && *kept_program_ == *facts.type && (emptied || (replaces && kept_along_ == along));
  return {.identity = (!facts.joins || emptied || adds) && !stays,
          .exchanged = exchanged,
          // After an exchange, a device empties the messages of its own vertices only.
          .replaces = (emptied && !(exchanged && share_memory())) || (replaces && !adds)};
}

Messages SeveralDevices::prepare_messages(const ProgramFacts& facts, bool identity) {
  Messages messages{.count = static_cast<std::uint32_t>(team_.size())};
  if (kept_.empty()) make_kept();
  for (std::size_t i = 0; i < team_.size(); ++i) messages.values[i] = kept_[i].data();
  if (identity)
    team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
      on.device().fill(messages.values[i], &facts.nothing, facts.message_bytes, num_vertices());
    });
  return messages;
}

Frontier SeveralDevices::edge_map(const Frontier& frontier, const BoundProgram& program, Along along, bool) {
  program.require_several_devices();
  const ProgramFacts& facts = program.facts();
  if (rows_overlap_ && facts.adds)
    throw InternalError("a run that takes whole rows has pages on two devices: its programs cannot add messages up");
  const Stopwatch watch;
  first().device().select();
  first().go_along(along);
  const bool on_one_gpu = one_memory() && first().device().kind() == DeviceKind::cuda;
  // If the frontier has to tell the direction, the first device's plan tells it; others make theirs at the same time.
  // Rows that two devices have are pulled by both, and absorbed once if messages are kept; in one GPU all push instead.
  Direction direction =
      rows_overlap_ && on_one_gpu ? Direction::push : first().decide_direction(log_.direction, frontier);
  std::optional<SuperstepPlan> of_first;
  if (direction == Direction::automatic) {
    of_first = first().plan(frontier, program, direction, false);
    direction = of_first->direction;
  }
  if (one_memory() && direction == Direction::pull && !rows_overlap_)
    return pull_rows(of_first, frontier, program, along);
  if (on_one_gpu) return push_to_one(of_first, frontier, program, along);
  const Delivery delivery = plan_delivery(facts, frontier, direction, along);
  Messages messages = prepare_messages(facts, delivery.identity);
  kept_program_ = nullptr;  // a superstep that fails may leave messages there

  Superstep step{.direction = direction, .active = frontier.size()};
  std::vector<Frontier> targets(team_.size());
  std::vector<Superstep> parts(team_.size());
  team_.each(
      direction == Direction::pull ? first().graph().num_edges() : std::max(frontier.num_edges(), frontier.size()),
      [&](Executor& on, std::size_t i) {
        targets[i] = carry_out_on(i, direction, of_first, frontier, program, along, messages.values[i], parts[i]);
        if (facts.joins) on.show(targets[i], messages, i);
        on.device().synchronize();
      });
  const Stopwatch exchange_watch;  // until all have absorbed their messages
  std::uint64_t values = facts.joins ? 0 : num_vertices();
  step.method = parts[0].method;
  for (const Superstep& part : parts) step += part;
  for (const Frontier& some : targets) values += some.size();
  values = std::min(num_vertices(), values);
  const bool few = facts.joins && messages.few(num_vertices());
  if (delivery.exchanged && !few) exchange(messages, *program.table);
  Frontier next = absorb(program, messages, delivery.exchanged && !few, few, along, targets);
  if (delivery.replaces) kept_program_ = facts.type, kept_along_ = along;
  step.exchanged_bytes =
      exchanged_bytes(team_.size(), values, facts.message_bytes, facts.joins ? num_vertices() : 0, few);
  step.end_together(watch.seconds(), exchange_watch.seconds());
  log_.add(step);
  return next;
}

Frontier SeveralDevices::carry_out_on(std::size_t i, Direction direction, const std::optional<SuperstepPlan>& of_first,
                                      const Frontier& frontier, const BoundProgram& program, Along along, void* keep,
                                      Superstep& part) {
  Executor& on = team_[i];
  on.go_along(along);
  const ValueCopy copy = copy_for(i, program.value, program.table->type);
  const BoundProgram mine(program, copy.get(), keep);
  const SuperstepPlan plan = i == 0 && of_first ? *of_first : on.plan(frontier.on(i), mine, direction, false);
  return on.carry_out(plan, frontier.on(i), mine, [&](const Superstep& did, std::size_t) { part = did; });
}

Frontier SeveralDevices::pull_rows(const std::optional<SuperstepPlan>& of_first, const Frontier& frontier,
                                   const BoundProgram& program, Along along) {
  const bool joins = program.facts().joins;
  const Stopwatch watch;
  std::vector<Superstep> parts(team_.size());
  Frontier next = team_.each_frontier(first().graph().num_edges(), [&](Executor& on, std::size_t i) {
    Frontier made = carry_out_on(i, Direction::pull, of_first, frontier, program, along, nullptr, parts[i]);
    on.device().synchronize();
    return made;
  });
  const Stopwatch exchange_watch;
  Superstep step{.direction = Direction::pull, .method = parts[0].method, .active = frontier.size()};
  for (const Superstep& part : parts) step += part;
  if (joins) {
    team_.unite_bits(next);
    step.exchanged_bytes = (team_.size() - 1) * bitmap_words(num_vertices()) * 8;
  }
  step.end_together(watch.seconds(), joins ? exchange_watch.seconds() : 0);
  log_.add(step);
  return next;
}

Frontier SeveralDevices::push_to_one([[maybe_unused]] const std::optional<SuperstepPlan>& of_first,
                                     [[maybe_unused]] const Frontier& frontier,
                                     [[maybe_unused]] const BoundProgram& program, [[maybe_unused]] Along along) {
#if MILLRACE_WITH_CUDA
  const Stopwatch watch;
  Superstep step{.direction = Direction::push, .active = frontier.size()};
  std::vector<ValueCopy> copies;
  std::vector<BoundProgram> programs;
  for (std::size_t i = 0; i < team_.size(); ++i) copies.push_back(copy_for(i, program.value, program.table->type));
  for (const ValueCopy& copy : copies) programs.emplace_back(program, copy.get());
  team_.in_turn([&](Executor& on, std::size_t) { on.go_along(along); });
  std::vector<Frontier> made(team_.size());
  made[0] = PushTogether(team_, programs).run(of_first, frontier, step);
  copy_to_others(made);
  step.end_together(watch.seconds(), 0);
  log_.add(step);
  return Frontier::of_devices(std::move(made));
#else
  throw InternalError("a GPU in a build without CUDA");
#endif
}

Frontier SeveralDevices::absorb(const BoundProgram& program, const Messages& messages, bool exchanged, bool few,
                                Along along, std::vector<Frontier>& targets) {
  const ProgramFacts& facts = program.facts();
  std::uint64_t touched = 0, touched_edges = 0;
  for (const Frontier& some : targets) {
    touched += some.size();
    touched_edges += some.num_edges();
  }
  const std::uint64_t work = few ? touched : num_vertices();
  std::vector<Frontier> made(team_.size());
  const auto absorb_on = [&](Executor& on, std::size_t i) {
    if (few && !team_.leads(i)) return;
    Messages from = messages;
    if (exchanged) from.count = 1, from.values[0] = messages.values[i], from.bits[0] = messages.bits[i];
    const ValueCopy copy = copy_for(i, program.value, program.table->type);
    const BoundProgram mine(program, copy.get());
    const bool empties = exchanged || (one_memory() && !few);
    const EdgeOperations& how = on.operations(program);
    made[i] = few ? how.absorb_queues(on, mine, from, empties) : how.absorb(on, mine, from, empties);
    if (facts.joins) return;
    if (!exchanged || share_memory()) on.device().synchronize();
    made[i] = std::move(targets[i]);  // none
  };
  if (few && one_memory())
    team_.in_turn(absorb_on);  // one does it all
  else
    team_.each(work, absorb_on);
  if (!facts.joins) return Frontier::of_devices(std::move(made));
  if (few) copy_to_others(made);
  Frontier next = Frontier::of_devices(std::move(made));
  if (!few && share_memory()) team_.gather_bits(next);
  const bool on_gpus = first().device().kind() == DeviceKind::cuda;
  const auto clear_on = [&](Executor& on, std::size_t i) {
    void* const emptied = facts.receives_at_once && few ? messages.values[i] : nullptr;
    on.operations(program).clear_shown(on, targets[i], emptied);
    if (exchanged) on.clear_shown_bits();
  };
  // All devices have read the bits that were shown, so these are cleared.
  if (messages.some_queued() && on_gpus)
    team_.in_turn(clear_on);
  else if (messages.some_queued())
    team_.each(work, clear_on);
  if (!few && on_gpus && first().graph().degree(along).data) {
    // If no target was touched by two devices, and all of them joined, the sum of the edges of the touched ones is
    // right. Otherwise the edges are counted.
    first().device().select();
    next.count_along(along, next.size() == touched ? touched_edges : first().count_edges(next));
  }
  return next;
}

void SeveralDevices::reset() noexcept {
  kept_program_ = nullptr;
  team_.reset();
}

}  // namespace millrace
