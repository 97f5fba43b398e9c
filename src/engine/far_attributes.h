// An engine's backend where attributes are far: in host memory for GPUs, in a file for CPUs, one copy for all devices.
// Each device does the vertex work of its own vertices: it reaches their values where they are, one after the other, at
// the speed of the link or the disk. Messages cannot wait there: they come in random order. So they wait in the memory
// of the device that owns the target, for as many targets as there is room at a time (GStream):
//   A push takes a pass over the pages for every chunk of targets. Devices have chunks side by side in one pass, which
// gives each page to all of them (the scalability strategy of GTS).
//   A pull needs the messages of sources at hand too: for every chunk of targets it goes through chunks of sources. A
// page whose rows are in the one and whose neighbours are in the other is needed once, in a blocked store.
//
// A chunk is absorbed before messages are sent to the next one, so that a source may send a newer value to later
// targets: as it may in a pull, where rows are absorbed while others are still gathered.
#pragma once

#include "millrace/engine/copies.h"
#include "millrace/engine/device_part.h"
#include "millrace/engine/device_supersteps.h"
#include "millrace/engine/device_team.h"
#include "millrace/operators/chunk_pull.h"

namespace millrace {

class FarAttributes {
 public:
  // Throws UsageError where pulls are asked for and no sources were planned for.
  FarAttributes(const std::vector<DevicePart>& parts, RunLog& log);

  Executor& first() { return team_[0]; }
  std::uint64_t growths() const { return team_.growths(); }
  Copies allocate(std::uint64_t bytes, const std::string& what, Contents contents);
  void written() { first().device().synchronize(); }
  template <class Task>
  void each_copy(std::uint64_t, const Task& task) {
    first().device().select();
    task(first(), 0);
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
  template <class Combine, class T, class By = CompiledBy>
  void agree(const Copies&) {}

 private:
  std::uint64_t num_vertices() const { return team_[0].graph().num_vertices(); }
  bool on_gpus() const { return team_[0].device().kind() == DeviceKind::cuda; }
  // How often each device has to begin a chunk for all to be through, and which vertices a device then has.
  std::uint64_t num_chunks() const;
  VertexRange chunk(std::size_t device, std::uint64_t round) const;
  // Those of the pages with neighbours in what any device has in this round.
  std::vector<std::uint32_t> reaching(const std::vector<std::uint32_t>& pages, const PageTable& table,
                                      std::uint64_t round) const;
  // Those with rows of some of these targets and neighbours among the sources.
  std::vector<std::uint32_t> meeting(const PageTable& table, VertexRange sources,
                                     const std::vector<VertexRange>& targets) const;
  bool several() const { return team_.size() > 1; }
  template <class Program>
  PassCounts push_on_cpus(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);
  template <class Program>
  PassCounts push_on_gpus(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);

  template <class Program>
  void pull(const Program& program, Superstep& step);
  // Lets rows on pages of a segment gather: one chunk of targets on each device.
  template <class Program>
  void gather_on_cpus(const std::vector<ChunkPull<Program>>& chunks, const PageTable& table, std::uint32_t segment,
                      const std::vector<std::uint32_t>& pages, const std::vector<std::uint32_t>& soon, Superstep& step);
  template <class Program>
  void gather_on_gpus(const std::vector<ChunkPull<Program>>& chunks, const std::vector<std::uint32_t>& pages,
                      const std::vector<std::uint32_t>& soon, Superstep& step);

  RunLog& log_;
  DeviceTeam team_;
  std::vector<std::uint64_t> chunk_;  // by device: vertices that can have messages at a time
  std::uint64_t sources_;             // whose messages are there at a time, where they are pulled; else 0
};

template <class Program>
Frontier FarAttributes::edge_map(const Frontier& frontier, const Program& program, Along along, bool) {
  const Stopwatch watch;
  const Carried<Program> carried{program, nullptr};
  Superstep step{.direction = sources_ > 0 ? Direction::pull : Direction::push, .active = frontier.size()};
  Frontier next = each_frontier(num_vertices(), [&](Executor& on, std::size_t) {
    on.go_along(along);
    return on.make_frontier(Frontier::Form::bitmap);
  });
  PassCounts counts;
  if (sources_ > 0) {
    if constexpr (pulls_chunks<Program>) {
      if (frontier.form() != Frontier::Form::all) throw InternalError("chunks are pulled if all vertices are active");
      pull(program, step);
      counts.edges = first().graph().num_edges();
      counts.bytes = step.loaded_bytes + step.cached_bytes;
    } else {
      throw InternalError("this program cannot pull chunks");
    }
  } else if (!frontier.empty()) {
    if (!on_gpus()) {
      counts = push_on_cpus(frontier, carried, next, step);
    } else {
#ifdef __CUDACC__
      counts = push_on_gpus(frontier, carried, next, step);
#else
      throw_not_for_gpu();
#endif
    }
  }
  if (can_join<Program> && several()) {
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

template <class Program>
void FarAttributes::pull(const Program& program, Superstep& step) {
  const Graph& graph = first().graph();
  const std::size_t set = graph.set(first().pulled());
  const PageTable& table = on_gpus() ? graph.cuda_pages().table(set) : graph.streamed()->table(set);
  const auto each = [&](std::uint64_t work, const auto& task) {
    team_.each(work, [&](Executor& one, std::size_t i) { with_executor(one, [&](auto& on) { task(on, i); }); });
  };
  std::uint64_t made = no_vertex;  // the first source whose message was made
  for (std::uint64_t round = 0; round < num_chunks(); ++round) {
    std::vector<VertexRange> targets;
    for (std::size_t i = 0; i < team_.size(); ++i) targets.push_back(chunk(i, round));
    const std::vector<std::uint32_t> soon = meeting(table, {0, num_vertices()}, targets);
    if (soon.empty()) continue;
    std::vector<ChunkPull<Program>> chunks(team_.size());
    each(num_vertices(),
         [&](auto& on, std::size_t i) { chunks[i] = on.template open_pull<Program>(targets[i], sources_); });
    for (std::uint64_t source = 0; source < num_vertices(); source += sources_) {
      const VertexRange sources{source, std::min(num_vertices(), source + sources_)};
      const std::vector<std::uint32_t> pages = meeting(table, sources, targets);
      if (pages.empty()) continue;
      for (ChunkPull<Program>& chunk : chunks) {
        chunk.first_source = static_cast<VertexId>(sources.first);
        chunk.num_sources = static_cast<std::uint32_t>(sources.size());
      }
      if (made != sources.first)
        each(sources.size(), [&](auto& on, std::size_t i) {
          on.map_range(sources, MakeMessage<Program>{program, chunks[i]});
        });
      made = sources.first;
      // One segment after another: each adds to what the rows got of those before.
      for (std::uint32_t g = 0; g < table.num_segments(); ++g) {
        const auto first_page = std::ranges::lower_bound(pages, table.first_page(g));
        const auto last_page = std::ranges::lower_bound(first_page, pages.end(), table.first_page(g + 1));
        if (first_page == last_page) continue;
        if (on_gpus())
          gather_on_gpus(chunks, {first_page, last_page}, soon, step);
        else
          gather_on_cpus(chunks, table, g, {first_page, last_page}, soon, step);
      }
    }
    each(num_vertices(), [&](auto& on, std::size_t i) {
      on.map_range(targets[i], AbsorbGot<Program>{program, chunks[i]});
    });
  }
  team_.in_turn([](Executor& on, std::size_t) { on.device().synchronize(); });
  first().device().select();
}

template <class Program>
void FarAttributes::gather_on_cpus(const std::vector<ChunkPull<Program>>& chunks, const PageTable& table,
                                   std::uint32_t segment, const std::vector<std::uint32_t>& pages,
                                   const std::vector<std::uint32_t>& soon, Superstep& step) {
  int threads = 0;
  for (std::size_t i = 0; i < team_.size(); ++i) threads += static_cast<CpuExecutor&>(team_[i]).threads();
  for (const ChunkPull<Program>& chunk : chunks) {
    const VertexRange targets{chunk.first_target, std::uint64_t{chunk.first_target} + chunk.num_targets};
    std::vector<std::uint32_t> some;
    for (const std::uint32_t page : pages)
      if (has_rows_in(table[page], targets)) some.push_back(page);
    static_cast<CpuExecutor&>(first()).pull_pages(chunk, segment, some, soon, threads, step);
  }
}

template <class Program>
void FarAttributes::gather_on_gpus([[maybe_unused]] const std::vector<ChunkPull<Program>>& chunks,
                                   [[maybe_unused]] const std::vector<std::uint32_t>& pages,
                                   [[maybe_unused]] const std::vector<std::uint32_t>& soon,
                                   [[maybe_unused]] Superstep& step) {
#ifdef __CUDACC__
  const Graph& graph = first().graph();
  CudaPages::Traffic traffic;
  try {
    traffic = graph.cuda_pages().for_some_on_all(
        graph.set(first().pulled()), pages, soon, [&](std::size_t i, const PageSpan& span, CUstream_st* stream) {
          static_cast<CudaExecutor&>(team_[i]).pull_pages(chunks[i], span, stream);
        });
  } catch (...) {
    team_.wait_after_error();
    throw;
  }
  step.loaded_bytes += traffic.loaded_bytes;
  step.cached_bytes += traffic.cached_bytes;
  step.disk_bytes += traffic.disk_bytes;
#else
  throw_not_for_gpu();
#endif
}

template <class Program>
PassCounts FarAttributes::push_on_cpus(const Frontier& frontier, const Program& program, Frontier& next,
                                       Superstep& step) {
  std::vector<CpuExecutor*> all;
  int threads = 0;
  for (std::size_t i = 0; i < team_.size(); ++i) {
    all.push_back(static_cast<CpuExecutor*>(&team_[i]));
    threads += all.back()->threads();
  }
  const Graph& graph = first().graph();
  const PageTable& table = graph.streamed()->table(graph.set(first().pushed()));
  PassCounts counts;
  const std::vector<std::uint32_t> active = first().push_pages(frontier);
  for (std::uint64_t round = 0; round < num_chunks(); ++round) {
    std::vector<PushScratch<Program>> parts;
    for (std::size_t i = 0; i < all.size(); ++i)
      parts.push_back(all[i]->template open_chunk<Program>(chunk(i, round), next.on(i)));
    counts += all[0]->send_to_chunks(frontier, program, reaching(active, table, round), parts, threads, step);
    for (std::size_t i = 0; i < all.size(); ++i) counts += all[i]->close_chunk(program, parts[i], next.on(i));
  }
  return counts;
}

#ifdef __CUDACC__
template <class Program>
PassCounts FarAttributes::push_on_gpus(const Frontier& frontier, const Program& program, Frontier& next,
                                       Superstep& step) {
  std::vector<CudaExecutor*> all;
  for (std::size_t i = 0; i < team_.size(); ++i) all.push_back(static_cast<CudaExecutor*>(&team_[i]));
  CudaPages& pages = first().graph().cuda_pages();
  const std::size_t set = first().graph().set(first().pushed());
  first().device().select();
  std::vector<std::uint32_t> active(pages.num_pages(set));
  for (std::uint32_t p = 0; p < active.size(); ++p) active[p] = p;
  std::vector<const std::uint32_t*> bits(all.size(), nullptr);  // the active vertices; null: all are
  if (frontier.form() != Frontier::Form::all) {
    active = first().push_pages(frontier);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->device().select();
      bits[i] = all[i]->bitmap_of(frontier.on(i));
    }
  }
  for (std::uint64_t round = 0; round < num_chunks(); ++round) {
    std::vector<cuda::PushBuffers<Program>> buffers;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->device().select();
      buffers.push_back(all[i]->template open_chunk<Program>(chunk(i, round), next.on(i)));
    }
    CudaPages::Traffic traffic;
    try {
      traffic = pages.for_some_on_all(set, reaching(active, pages.table(set), round), {},
                                      [&](std::size_t i, const PageSpan& span, CUstream_st* stream) {
                                        all[i]->send(span, stream, program, bits[i], buffers[i]);
                                      });
    } catch (...) {
      team_.wait_after_error();
      throw;
    }
    step.loaded_bytes += traffic.loaded_bytes;
    step.cached_bytes += traffic.cached_bytes;
    step.disk_bytes += traffic.disk_bytes;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->device().select();
      all[i]->close_chunk(program, buffers[i]);
      if (writes_to_others<Program>) all[i]->device().synchronize();
    }
  }
  PassCounts counts;
  for (CudaExecutor* on : all) {
    on->device().select();
    counts += on->await_counts();
    on->device().synchronize();
  }
  first().device().select();
  return counts;
}
#endif

template <class Predicate>
Frontier FarAttributes::filter(const Predicate& predicate, Along along) {
  Frontier made = each_frontier(num_vertices(), [&](Executor& on, std::size_t) {
    on.go_along(along);
    return filter_on(on, predicate);
  });
  if (several()) team_.gather_bits(made);
  return made;
}

template <class Predicate>
Frontier FarAttributes::filter_in(const Frontier& frontier, const Predicate& predicate, Along along) {
  Frontier made = each_frontier(frontier.size(), [&](Executor& on, std::size_t i) {
    on.go_along(along);
    return filter_in_on(on, frontier.on(i), predicate);
  });
  if (several()) team_.gather_bits(made);
  return made;
}

template <class Body>
void FarAttributes::vertex_map(const Body& body) {
  if (several() && writes_to_others<Body> && on_gpus()) {
    // Atomics of one GPU are none for another: one device does it all.
    const VertexRange own = first().own();
    first().device().select();
    first().set_own({0, num_vertices()});
    vertex_map_on(first(), body);
    first().set_own(own);
    first().device().synchronize();
    return;
  }
  team_.each(num_vertices(), [&](Executor& on, std::size_t) {
    vertex_map_on(on, body);
    if (several()) on.device().synchronize();
  });
}

template <class T, class Map, class CombineValues>
T FarAttributes::reduce(T identity, const Map& map, const CombineValues& combine_values) {
  std::vector<T> results(team_.size(), identity);
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    results[i] = reduce_on(on, identity, map, combine_values);
    if (several()) on.device().synchronize();
  });
  for (std::size_t i = 1; i < results.size(); ++i) results[0] = combine_values(results[0], results[i]);
  return results[0];
}

}  // namespace millrace
