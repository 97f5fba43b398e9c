#include "millrace/engine/far_attributes.h"

#include <algorithm>
#include <cstring>

#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/cpu_executor.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/version.h"

namespace millrace {
namespace {

// All have one copy of the attributes, and share the vertex work.
DeviceTeam make_team(const std::vector<DevicePart>& parts) {
  std::vector<std::unique_ptr<Executor>> executors;
  for (const DevicePart& part : parts)
    executors.push_back(make_executor(*part.device, *part.graph, part.own, part.chunk));
  return DeviceTeam(std::move(executors), std::vector<std::size_t>(parts.size(), 0));
}

}  // namespace

FarAttributes::FarAttributes(const std::vector<DevicePart>& parts, RunLog& log)
    : log_(log), team_(make_team(parts)), sources_(parts[0].sources) {
  if (log.direction == Direction::pull && parts[0].sources == 0)
    throw UsageError("attributes that are far are pushed to, chunk by chunk: leave the direction to auto");
  for (const DevicePart& part : parts) chunk_.push_back(part.chunk);
}

Copies FarAttributes::allocate(std::uint64_t bytes, const std::string& what, Contents contents) {
  first().device().select();
  const std::shared_ptr<DeviceMemory> one = first().device().allocate_memory(bytes, what, contents, Where::far);
  return Copies(std::vector(team_.size(), one));
}

void FarAttributes::each_copy(std::uint64_t, const std::function<void(Executor&, std::size_t)>& task) {
  first().device().select();
  task(first(), 0);
  first().device().synchronize();
}

Frontier FarAttributes::each_frontier(std::uint64_t work, const std::function<Frontier(Executor&, std::size_t)>& task) {
  return team_.each_frontier(work, task);
}

const PageTable& FarAttributes::table(std::size_t set) const {
  const Graph& graph = team_[0].graph();
  return on_gpus() ? graph.cuda_pages().table(set) : graph.streamed()->table(set);
}

std::uint64_t FarAttributes::num_chunks() const {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < team_.size(); ++i)
    most = std::max(most, (team_[i].own().size() + chunk_[i] - 1) / chunk_[i]);
  return most;
}

VertexRange FarAttributes::chunk(std::size_t device, std::uint64_t round) const {
  const VertexRange own = team_[device].own();
  const std::uint64_t first = std::min(own.last, own.first + round * chunk_[device]);
  return {first, std::min(own.last, first + chunk_[device])};
}

std::vector<VertexRange> FarAttributes::chunks(std::uint64_t round) const {
  std::vector<VertexRange> all;
  for (std::size_t i = 0; i < team_.size(); ++i) all.push_back(chunk(i, round));
  return all;
}

std::vector<std::uint32_t> FarAttributes::reaching(const std::vector<std::uint32_t>& pages, const PageTable& table,
                                                   std::uint64_t round) const {
  std::vector<std::uint32_t> some;
  for (const std::uint32_t page : pages) {
    bool reached = false;
    for (std::size_t i = 0; i < team_.size(); ++i) reached = reached || reaches(table[page], chunk(i, round));
    if (reached) some.push_back(page);
  }
  return some;
}

std::vector<std::uint32_t> FarAttributes::meeting(const PageTable& table, VertexRange sources,
                                                  const std::vector<VertexRange>& targets) const {
  std::vector<std::uint32_t> pages;
  for (std::uint32_t p = 0; p < table.size();) {
    // The large pages of a row go together: its last one delivers.
    std::uint32_t end = p + 1;
    while (end < table.size() && table.goes_on(end)) ++end;
    bool met = false;
    for (std::uint32_t q = p; q < end; ++q) {
      const bool rows = std::ranges::any_of(targets, [&](VertexRange some) { return has_rows_in(table[q], some); });
      met = met || (rows && reaches(table[q], sources));
    }
    for (; p < end; ++p)
      if (met) pages.push_back(p);
  }
  return pages;
}

Frontier FarAttributes::edge_map(const Frontier& frontier, const BoundProgram& program, Along along, bool) {
  program.require_several_devices();
  const ProgramFacts& facts = program.facts();
  const Stopwatch watch;
  Superstep step{.direction = sources_ > 0 ? Direction::pull : Direction::push,
                 .method = Method::chunks,
                 .active = frontier.size(),
                 .threads = threads()};
  Frontier next = each_frontier(num_vertices(), [&](Executor& on, std::size_t) {
    on.go_along(along);
    return on.make_frontier(Frontier::Form::bitmap);
  });
  PassCounts counts;
  if (sources_ > 0) {
    if (!facts.pulls_chunks) throw InternalError("this program cannot pull chunks");
    if (frontier.form() != Frontier::Form::all) throw InternalError("chunks are pulled if all vertices are active");
    pull(program, step);
    counts.edges = first().graph().num_edges();
    counts.bytes = step.loaded_bytes + step.cached_bytes;
  } else if (!frontier.empty()) {
    counts = push(frontier, program, next, step);
  }
  if (facts.joins && several()) {
    const Stopwatch exchange;
    team_.gather_bits(next);
    step.exchanged_bytes = (team_.size() - 1) * ((num_vertices() + 7) / 8);
    step.phases.exchange = exchange.seconds();
  }
  next.count(counts.joined, counts.joined_edges);
  step.edges = counts.edges;
  step.bytes = counts.bytes;
  step.end(watch.seconds(), first().graph().take_times());
  log_.add(step);
  return next;
}

int FarAttributes::threads() {
  int threads = 0;
  for (std::size_t i = 0; i < team_.size() && !on_gpus(); ++i) threads += static_cast<CpuExecutor&>(team_[i]).threads();
  return threads;
}

PassCounts FarAttributes::push(const Frontier& frontier, const BoundProgram& program, Frontier& next, Superstep& step) {
  std::vector<Executor*> all;
  for (std::size_t i = 0; i < team_.size(); ++i) all.push_back(&team_[i]);
  const PageTable& pages = table(first().graph().set(first().pushed()));
  first().device().select();
  const std::vector<std::uint32_t> active = first().push_pages(frontier);
  PassCounts counts;
  for (std::uint64_t round = 0; round < num_chunks(); ++round)
    counts += first().operations(program).push_chunks(all, program, frontier, chunks(round),
                                                      reaching(active, pages, round), next, step);
  for (Executor* const on : all) {
    on->device().select();
    counts += on->await_counts();
    on->device().synchronize();
  }
  first().device().select();
  return counts;
}

void FarAttributes::pull(const BoundProgram& program, Superstep& step) {
  const PageTable& pages_of_set = table(first().graph().set(first().pulled()));
  const EdgeOperations& how = first().operations(program);
  std::uint64_t made = no_vertex;  // the first source whose message was made
  for (std::uint64_t round = 0; round < num_chunks(); ++round) {
    const std::vector<VertexRange> targets = chunks(round);
    const std::vector<std::uint32_t> soon = meeting(pages_of_set, {0, num_vertices()}, targets);
    if (soon.empty()) continue;
    std::vector<ChunkRoom> rooms(team_.size());
    team_.each(num_vertices(),
               [&](Executor& on, std::size_t i) { rooms[i] = how.open_pull(on, targets[i], sources_); });
    for (std::uint64_t source = 0; source < num_vertices(); source += sources_) {
      const VertexRange sources{source, std::min(num_vertices(), source + sources_)};
      const std::vector<std::uint32_t> pages = meeting(pages_of_set, sources, targets);
      if (pages.empty()) continue;
      for (ChunkRoom& room : rooms) {
        room.first_source = static_cast<VertexId>(sources.first);
        room.num_sources = static_cast<std::uint32_t>(sources.size());
      }
      if (made != sources.first)
        team_.each(sources.size(),
                   [&](Executor& on, std::size_t i) { how.make_messages(on, program, rooms[i], sources); });
      made = sources.first;
      // One segment after another: each adds to what the rows got of those before.
      for (std::uint32_t g = 0; g < pages_of_set.num_segments(); ++g) {
        const auto first_page = std::ranges::lower_bound(pages, pages_of_set.first_page(g));
        const auto last_page = std::ranges::lower_bound(first_page, pages.end(), pages_of_set.first_page(g + 1));
        if (first_page != last_page) gather(program, rooms, g, {first_page, last_page}, soon, step);
      }
    }
    team_.each(num_vertices(), [&](Executor& on, std::size_t i) { how.absorb_got(on, program, rooms[i], targets[i]); });
  }
  team_.in_turn([](Executor& on, std::size_t) { on.device().synchronize(); });
  first().device().select();
}

void FarAttributes::gather(const BoundProgram& program, const std::vector<ChunkRoom>& rooms, std::uint32_t segment,
                           const std::vector<std::uint32_t>& pages, const std::vector<std::uint32_t>& soon,
                           Superstep& step) {
  const std::size_t set = first().graph().set(first().pulled());
#if MILLRACE_WITH_CUDA
  if (on_gpus()) {
    const auto launch = [&](std::size_t i, const PageSpan& span, CUstream_st* stream) {
      program.table->cuda->pull_chunk(team_[i], rooms[i], span, stream);
    };
    CudaPages::Traffic traffic;
    try {
      traffic = first().graph().cuda_pages().for_some_on_all(set, pages, soon, launch);
    } catch (...) {
      team_.wait_after_error();
      throw;
    }
    step.loaded_bytes += traffic.loaded_bytes;
    step.cached_bytes += traffic.cached_bytes;
    step.disk_bytes += traffic.disk_bytes;
    return;
  }
#endif
  for (const ChunkRoom& room : rooms) {
    const VertexRange targets{room.first_target, std::uint64_t{room.first_target} + room.num_targets};
    std::vector<std::uint32_t> some;
    for (const std::uint32_t page : pages)
      if (has_rows_in(table(set)[page], targets)) some.push_back(page);
    if (!some.empty()) program.table->cpu->pull_chunk(first(), room, segment, some, soon, step.threads, step);
  }
}

Frontier FarAttributes::filter(const BoundPredicate& predicate, Along along) {
  Frontier made = team_.each_frontier(num_vertices(), [&](Executor& on, std::size_t) {
    on.go_along(along);
    return on.operations(*predicate.table).filter(on, predicate.value);
  });
  if (several()) team_.gather_bits(made);
  return made;
}

Frontier FarAttributes::filter_in(const Frontier& frontier, const BoundPredicate& predicate) {
  Frontier made = team_.each_frontier(frontier.size(), [&](Executor& on, std::size_t i) {
    on.go_along(frontier.along());
    return on.operations(*predicate.table).filter_in(on, frontier.on(i), predicate.value);
  });
  if (several()) team_.gather_bits(made);
  return made;
}

void FarAttributes::vertex_map(const BoundBody& body) {
  if (several() && body.table->type.writes_to_others && on_gpus()) {
    // Atomics of one GPU are none for another: one device does it all.
    struct AllVertices {
      explicit AllVertices(Executor& one) : on(one), own(one.own()) { on.set_own({0, on.graph().num_vertices()}); }
      ~AllVertices() { on.set_own(own); }
      Executor& on;
      VertexRange own;
    };
    first().device().select();
    const AllVertices all(first());
    first().operations(*body.table).map(first(), body.value);
    first().device().synchronize();
    return;
  }
  team_.each(num_vertices(), [&](Executor& on, std::size_t) {
    on.operations(*body.table).map(on, body.value);
    if (several()) on.device().synchronize();
  });
}

void FarAttributes::reduce(const BoundReduction& reduction, void* result) {
  const std::size_t words = (reduction.table->result_bytes + 7) / 8;
  std::vector<std::uint64_t> results(team_.size() * words);
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    on.operations(*reduction.table).reduce(on, reduction, results.data() + i * words);
    if (several()) on.device().synchronize();
  });
  for (std::size_t i = 1; i < team_.size(); ++i)
    reduction.table->add(reduction.combine, results.data(), results.data() + i * words);
  std::memcpy(result, results.data(), reduction.table->result_bytes);
}

void FarAttributes::each_device(std::uint64_t, const std::function<void(Executor&, std::size_t)>& task) {
  // CPUs have one buffer of pages between them.
  team_.in_turn([&](Executor& on, std::size_t i) {
    task(on, i);
    on.device().synchronize();
  });
}

ValueCopy FarAttributes::copy_for(std::size_t, const void* value, const ValueType& type) const {
  return ValueCopy(value, type, nullptr);
}

}  // namespace millrace
