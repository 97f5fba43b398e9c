// What the cpu does with programs: the templates of CpuExecutor.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "millrace/engine/cpu_executor_pull.h"
#include "millrace/operators/push_cpu.h"
#include "millrace/operators/vertex_map_cpu.h"

namespace millrace {

template <class Program>
Direction CpuExecutor::choose(const Frontier& frontier, const Program& program) {
  const Direction by_edges = choose_by_edges(frontier, takes_first<Program>, takes_weights<Program>);
  if (!graph_.streamed() || frontier.empty()) return by_edges;
  push_pages_ = find_push_pages(frontier);
  pull_pages_ = find_pull_pages(program);
  return choose_by_bytes(by_edges);
}

template <class Program>
void CpuExecutor::pull(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step,
                       std::vector<PassCounts>& counts) {
  counts.push_back(graph_.streamed() ? pull_from_disk(frontier, program, next, step)
                                     : pull_here(frontier, program, next));
  step.helped_bytes = std::exchange(helped_bytes_, 0);
}

template <class Program>
void CpuExecutor::push(const Frontier& frontier, const Program& program, bool, Frontier& next, Superstep& step,
                       std::vector<PassCounts>& counts) {
  counts.push_back(graph_.streamed() ? push_from_disk(frontier, program, next, step)
                                     : push_here(frontier, program, next));
  step.helped_bytes = std::exchange(helped_bytes_, 0);
}

template <class Program>
PassCounts CpuExecutor::push_here(const Frontier& frontier, const Program& program, Frontier& next) {
  // A lone row costs the lines of its whole slice: from about two active rows for each slice on, walking all of them in
  // order is cheaper. With weights, walking is dearer by more, and pays where many edges are active.
  constexpr std::uint64_t dense_share = lanes / 2, dense_edge_share = 32;
  const OrientedPages& out = graph_.pages(pushed());
  const PushScratch<Program> scratch = push_scratch<Program>(frontier);
  VertexQueue& joined = next.storage_->queue;
  if (help_.threads > 0)
    return frontier.form() == Frontier::Form::all
               ? push_with_help(out.pages, program, AllActive{}, scratch, joined)
               : push_with_help(out.pages, program, BitmapActive{bitmap_of(frontier)}, scratch, joined);
  if (frontier.form() == Frontier::Form::all)
    return push_dense(out.pages, out.work, program, AllActive{}, scratch, joined, degrees(), cpu_.threads());
  const bool by_edges = takes_weights<Program> && degrees();
  const bool dense = by_edges ? frontier.num_edges() > graph_.num_edges() / dense_edge_share
                              : frontier.size() > graph_.num_vertices() / dense_share;
  if (dense || !graph_.finds_rows())
    return push_dense(out.pages, out.work, program, BitmapActive{bitmap_of(frontier)}, scratch, joined, degrees(),
                      cpu_.threads());
  return push_sparse(out.pages, graph_.rows(pushed(), cpu_), queue_of(frontier),
                     std::max(frontier.num_edges(), frontier.size()), program, scratch, joined, degrees(),
                     cpu_.threads());
}

template <class Program>
std::vector<std::uint32_t> CpuExecutor::find_pull_pages(const Program& program) {
  const std::size_t set = graph_.set(pulled());
  const CpuPages& pages = *graph_.streamed();
  if constexpr (requires { program.wants(VertexId{}); }) {
    // A vertex without a row wants in vain. Degrees tell where rows go out.
    const std::uint32_t* const degree = graph_.shares_pages() ? degrees() : nullptr;
    const auto asks = [&](VertexId v) { return (!degree || degree[v] > 0) && program.wants(v); };
    return pages_with(pages.table(set), asks, cpu_.threads());
  } else {
    return pages.all(set);
  }
}

// Dense over the pages with active vertices: a page that has to be read is not worth looking single rows up in.
template <class Program>
PassCounts CpuExecutor::push_from_disk(const Frontier& frontier, const Program& program, Frontier& next,
                                       Superstep& step) {
  const std::size_t set = graph_.set(pushed());
  CpuPages& pages = *graph_.streamed();
  const bool all = frontier.form() == Frontier::Form::all;
  if (!push_pages_) push_pages_ = all ? pages.all(set) : find_push_pages(frontier);
  const std::vector<std::uint32_t> needed = *std::exchange(push_pages_, {});
  pull_pages_.reset();
  const PushScratch<Program> scratch = push_scratch<Program>(frontier);
  const auto run = [&](const auto& active) {
    PageTraffic traffic;
    PassCounts counts = pages.run(set, needed, {}, traffic, [&](PageFeed& feed) {
      return send_streamed<Program>(feed, program, active, {scratch}, cpu_.threads());
    });
    count(step, traffic);
    return counts += push_detail::deliver_touched(program, scratch, next.storage_->queue, degrees(), cpu_.threads());
  };
  return all ? run(AllActive{}) : run(BitmapActive{bitmap_of(frontier)});
}

template <class Program>
PushScratch<Program> CpuExecutor::open_chunk(VertexRange targets, Frontier&) {
  using Value = Inbox<Program>;
  if (inbox_.size() == 0) {
    make_touched();
    targets_ = new_queue(chunk_, "push targets");
    joined_ = new_queue(chunk_, "push targets");
    inbox_ = Buffer(chunk_ * sizeof(std::uint64_t), cpu_.memory(), "the push inbox");
  }
  static_assert(sizeof(Value) <= sizeof(std::uint64_t));
  auto* const inbox = reinterpret_cast<Value*>(inbox_.data());
  if (inbox_type_ != &typeid(Program)) {
    std::fill_n(inbox, chunk_, Value{nothing_pending<Program>()});
    inbox_type_ = &typeid(Program);
  }
  return {inbox,
          touched_.data(),
          &targets_,
          static_cast<VertexId>(targets.first),
          static_cast<std::uint32_t>(targets.size()),
          true,
          true};
}

template <class Program>
PassCounts CpuExecutor::send_to_chunks(const Frontier& frontier, const Program& program,
                                       const std::vector<std::uint32_t>& needed,
                                       const std::vector<PushScratch<Program>>& parts, int threads, Superstep& step) {
  const std::size_t set = graph_.set(pushed());
  CpuPages& pages = *graph_.streamed();
  const bool all = frontier.form() == Frontier::Form::all;
  const auto run = [&](const auto& active) {
    PageTraffic traffic;
    const PassCounts counts = pages.run(
        set, needed, {}, traffic, [&](PageFeed& feed) { return send_streamed(feed, program, active, parts, threads); });
    count(step, traffic);
    return counts;
  };
  return all ? run(AllActive{}) : run(BitmapActive{bitmap_of(frontier)});
}

template <class Program>
PassCounts CpuExecutor::close_chunk(const Program& program, const PushScratch<Program>& scratch, Frontier& next) {
  const PassCounts counts = push_detail::deliver_touched(program, scratch, joined_, degrees(), cpu_.threads());
  for (const VertexId v : joined_) next.storage_->bitmap.data()[v / 64] |= std::uint64_t{1} << (v % 64);
  joined_.clear();
  return counts;
}

template <class Body>
void CpuExecutor::map_range(VertexRange range, const Body& body) {
  millrace::vertex_map(range, body, cpu_.threads());
}

template <class Body>
void CpuExecutor::vertex_map(Body body) {
  map_range(own_, body);
}

template <class T, class Map, class CombineValues>
T CpuExecutor::reduce(T identity, Map map, CombineValues combine_values) {
  return millrace::reduce(own_, identity, map, combine_values, cpu_.threads());
}

template <class Predicate>
Frontier CpuExecutor::filter(const Predicate& predicate) {
  Frontier made = make_frontier(Frontier::Form::bitmap);
  std::uint64_t* const bitmap = made.storage_->bitmap.data();
  const std::uint32_t* const degree = degrees();
  SharedSum<PassCounts> kept;
  on_threads(threads_for(own_.size(), least_vertices, cpu_.threads()), [&](const ThreadOf& thread) {
    std::uint64_t size = 0, edges = 0;
    thread.for_share(own_.first / 64, (own_.last + 63) / 64, [&](std::uint64_t word) {
      std::uint64_t bits = 0;
      const std::uint64_t first = word * 64, last = std::min(own_.last, first + 64);
      for (std::uint64_t v = first; v < last; ++v)
        if (predicate(static_cast<VertexId>(v))) {
          bits |= std::uint64_t{1} << (v - first);
          if (degree) edges += degree[v];
        }
      bitmap[word] = bits;
      size += static_cast<std::uint64_t>(std::popcount(bits));
    });
    kept.add({.joined = size, .joined_edges = edges});
  });
  made.size_ = kept.value().joined;
  made.num_edges_ = kept.value().joined_edges;
  return made;
}

template <class Predicate>
Frontier CpuExecutor::filter_in(const Frontier& frontier, const Predicate& predicate) {
  if (far()) {
    const std::uint64_t* const among = bitmap_of(frontier);
    return filter([=](VertexId v) { return test_bit(among, v) && predicate(v); });
  }
  const VertexQueue& queue = queue_of(frontier);
  Frontier made = make_frontier(Frontier::Form::queue);
  const std::uint32_t* const degree = degrees();
  SharedSum<std::uint64_t> total_edges;
  on_threads(threads_for(queue.size(), push_detail::small_work, cpu_.threads()), [&](const ThreadOf& thread) {
    QueueWriter writer(made.storage_->queue);
    std::uint64_t edges = 0;
    thread.for_share(0, queue.size(), [&](std::uint64_t i) {
      if (!predicate(queue[i])) return;
      writer.push(queue[i]);
      if (degree) edges += degree[queue[i]];
    });
    total_edges.add(edges);
  });
  made.size_ = made.storage_->queue.size();
  made.num_edges_ = total_edges.value();
  return made;
}

template <class Program>
Frontier CpuExecutor::absorb_queues(const AbsorbKept<Program>& absorb) {
  Frontier made = make_frontier(Frontier::Form::queue);
  const std::uint32_t* const degree = degrees();
  SharedSum<std::uint64_t> total_edges;
  std::uint64_t most = 0;
  for (std::uint32_t device = 0; device < absorb.from.count; ++device) most = std::max(most, absorb.from.size[device]);
  on_threads(threads_for(most, push_detail::small_work, cpu_.threads()), [&](const ThreadOf& thread) {
    QueueWriter writer(made.storage_->queue);
    std::uint64_t edges = 0;
    for (std::uint32_t device = 0; device < absorb.from.count; ++device) {
      thread.for_share(0, absorb.from.size[device], [&](std::uint64_t i) {
        const VertexId target = absorb.from.queue[device][i];
        if (!absorb.is_first(device, target) || !absorb(target)) return;
        writer.push(target);
        if (degree) edges += degree[target];
      });
      thread.meet();
    }
    total_edges.add(edges);
  });
  made.size_ = made.storage_->queue.size();
  made.num_edges_ = total_edges.value();
  return made;
}

template <class Value>
void CpuExecutor::show(const Frontier& frontier, Replicas<Value>& replicas, std::size_t i) {
  const auto bytes_of = [](DeviceArray<std::uint64_t>& bits) { return reinterpret_cast<std::byte*>(bits.data()); };
  replicas.queue[i] = nullptr;
  replicas.bits[i] = bytes_of(frontier.storage_->bitmap);
  if (frontier.form() != Frontier::Form::queue) return;
  make_touched();
  replicas.queue[i] = frontier.storage_->queue.begin();
  replicas.size[i] = frontier.size();
  replicas.bits[i] = bytes_of(touched_);
  for (const VertexId v : frontier.storage_->queue) touched_.data()[v / 64] |= std::uint64_t{1} << (v % 64);
}

template <class Value>
void CpuExecutor::clear_shown(const Frontier& frontier, Value* kept, Value nothing) {
  if (frontier.form() != Frontier::Form::queue) return;
  if (!kept && frontier.size() > touched_.size()) return clear_shown_bits();
  for (const VertexId v : frontier.storage_->queue) {
    touched_.data()[v / 64] = 0;  // all of its vertices are in the queue
    if (kept) kept[v] = nothing;
  }
}

template <class Program>
PushScratch<Program> CpuExecutor::push_scratch(const Frontier& frontier) {
  // From so many edges for each vertex on, to look at every vertex is cheaper than a list of targets.
  constexpr std::uint64_t many = 32;
  using Value = Inbox<Program>;
  const std::uint64_t num_vertices = graph_.num_vertices();
  const auto all = static_cast<std::uint32_t>(num_vertices);
  make_touched();
  if (!targets_.allocated()) targets_ = new_queue(num_vertices, "push targets");
  if constexpr (receives_at_once<Program>) return {nullptr, nullptr, &targets_, 0, all};
  const bool every = frontier.form() == Frontier::Form::all;
  const bool is_many = every || frontier.num_edges() > num_vertices / many;
  if (inbox_.size() < num_vertices * sizeof(Value)) {
    inbox_ = Buffer();
    inbox_ = Buffer(num_vertices * sizeof(Value), cpu_.memory(), "the push inbox");
    inbox_type_ = nullptr;
  }
  Value* const inbox = reinterpret_cast<Value*>(inbox_.data());
  if (inbox_type_ != &typeid(Program)) {
    millrace::vertex_map(
        everyone(), [inbox](VertexId v) { inbox[v] = nothing_pending<Program>(); }, cpu_.threads());
    inbox_type_ = &typeid(Program);
  }
  return {inbox, touched_.data(), &targets_, 0, all, false, is_many};
}

}  // namespace millrace
