// Carries out supersteps on the cpu.
#pragma once

#include <bit>
#include <optional>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

#include "millrace/devices/cpu.h"
#include "millrace/engine/direction.h"
#include "millrace/engine/exchange.h"
#include "millrace/engine/frontier.h"
#include "millrace/engine/graph.h"
#include "millrace/engine/superstep.h"
#include "millrace/operators/program.h"
#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/pull_sparse_cpu.h"
#include "millrace/operators/push_cpu.h"
#include "millrace/operators/streamed_cpu.h"
#include "millrace/operators/vertex_map_cpu.h"

namespace millrace {

class CpuExecutor {
 public:
  // Where attributes are far, it sees to some vertices alone, of which `chunk` can have messages at a time.
  CpuExecutor(CpuDevice& device, const Graph& graph, VertexRange own, std::uint64_t chunk)
      : device_(device), graph_(graph), own_(own), chunk_(chunk) {}

  CpuDevice& device() { return device_; }
  // What vertices do by themselves is for these, from here on.
  void see_to(VertexRange own) { own_ = own; }
  // Supersteps go along these edges from here on.
  void go_along(Along along) { along_ = along; }
  // An empty frontier with memory for the form.
  Frontier make_frontier(Frontier::Form form);
  Frontier frontier(std::span<const VertexId> vertices);
  // A bit per vertex, also where it is a queue.
  const std::uint64_t* bitmap_of(const Frontier& frontier);
  // Edges that a push from the frontier would look at.
  std::uint64_t count_edges(const Frontier& frontier);

  template <class Program>
  Direction choose(const Frontier& frontier, const Program& program);
  // These add what moved to `step`.
  template <class Program>
  PassCounts pull_from(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);
  template <class Program>
  PassCounts push_from(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);

  // Where attributes are far: room for the messages of a chunk. Once they are there, the targets absorb them; those
  // that join are added to the bits of `next`.
  template <class Program>
  PushScratch<Program> open_chunk(VertexRange targets);
  template <class Program>
  PassCounts close_chunk(const Program& program, const PushScratch<Program>& scratch, Frontier& next);
  // Sends along the edges of the frontier on some pages to all these parts of the targets, by so many threads.
  template <class Program>
  PassCounts send_to_chunks(const Frontier& frontier, const Program& program, const std::vector<std::uint32_t>& needed,
                            const std::vector<PushScratch<Program>>& parts, int threads, Superstep& step);
  // The pages with active vertices.
  std::vector<std::uint32_t> push_pages(const Frontier& frontier) {
    return frontier.form() == Frontier::Form::all ? graph_.streamed()->all(graph_.set(pushed()))
                                                  : find_push_pages(frontier);
  }
  // The rows that a push sends along.
  Orientation pushed() const { return along_; }

  template <class Predicate>
  Frontier filter(const Predicate& predicate);
  // Of those whose bits are set.
  template <class Predicate>
  Frontier filter_bits(const std::uint64_t* among, const Predicate& predicate) {
    return filter([=](VertexId v) { return test_bit(among, v) && predicate(v); });
  }
  template <class Predicate>
  Frontier filter_in(const Frontier& frontier, const Predicate& predicate);
  // Lets the targets that devices have queued absorb what they have kept for them; those that join.
  template <class Program>
  Frontier absorb_queues(const AbsorbKept<Program>& absorb);
  // Shows a frontier to other devices: its bits, and its queue if it is one. The bits of a queue are taken back, with
  // what was kept for it, where that has to be emptied.
  template <class Value>
  void show(const Frontier& frontier, Replicas<Value>& replicas, std::size_t i);
  template <class Value>
  void forget(const Frontier& frontier, Value* kept, Value nothing);
  // All bits that were shown of queues, where the exchange has added others.
  void forget_bits() { std::fill(touched_.begin(), touched_.end(), 0); }
  // Adds the vertices of `more`, which are not in the frontier yet; where that is a queue, `more` is one too.
  void add_to(Frontier& frontier, const Frontier& more);
  // Writes the vertices of a frontier, and makes one of such.
  void copy_vertices(const Frontier& frontier, VertexId* to);
  Frontier frontier_of(const VertexId* vertices, std::uint64_t count);
  template <class Body>
  void vertex_map(Body body) {
    millrace::vertex_map(own_, body, device_.threads());
  }
  template <class T, class Map, class CombineValues>
  T reduce(T identity, Map map, CombineValues combine_values) {
    return millrace::reduce(own_, identity, map, combine_values, device_.threads());
  }

 private:
  // Of term(i) for each i below `count`.
  template <class Term>
  std::uint64_t sum_of(std::uint64_t count, const Term& term) const;
  template <class Program>
  PushScratch<Program> push_scratch();
  void make_touched() {
    if (touched_.empty())
      touched_ = device_.allocate<std::uint64_t>(bitmap_words(graph_.num_vertices()), "push targets");
  }
  template <class Program>
  PassCounts pull_from_disk(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);
  template <class Program>
  PassCounts push_from_disk(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);
  Direction choose_by_edges(const Frontier& frontier, bool stops_early, bool along_edges) const;
  Direction choose_by_bytes(Direction by_edges) const;
  // What a streamed superstep would need: pages with active vertices, pages with vertices that want a message.
  std::vector<std::uint32_t> find_push_pages(const Frontier& frontier);
  template <class Program>
  std::vector<std::uint32_t> find_pull_pages(const Program& program);
  static void count(Superstep& step, const PageTraffic& traffic) {
    step.disk_bytes = traffic.load_bytes;
    step.cached_bytes = traffic.hit_bytes;
  }
  const VertexQueue& queue_of(const Frontier& frontier);
  // A queue takes as much as an attribute: where these are far, frontiers are bits.
  bool far() const { return chunk_ > 0; }
  const std::uint32_t* degrees_if_needed() const;
  // The rows that a pull gathers.
  Orientation pulled() const { return opposite(along_); }

  CpuDevice& device_;
  const Graph& graph_;
  VertexRange own_;
  std::uint64_t chunk_;
  Along along_ = Along::out;
  std::vector<Frontier::Lease> pool_;
  // Push scratch, made at the first push. The inbox is refilled when a program with another message type comes.
  Buffer inbox_;
  const std::type_info* inbox_type_ = nullptr;
  Array<std::uint64_t> touched_;
  VertexQueue targets_, joined_;
  // Where streamed: found for the choice of direction, used by the superstep that follows.
  std::optional<std::vector<std::uint32_t>> push_pages_, pull_pages_;
};

template <class Program>
Direction CpuExecutor::choose(const Frontier& frontier, const Program& program) {
  const Direction by_edges = choose_by_edges(frontier, takes_first<Program>, takes_weights<Program>);
  if (!graph_.streamed() || frontier.empty()) return by_edges;
  push_pages_ = find_push_pages(frontier);
  pull_pages_ = find_pull_pages(program);
  return choose_by_bytes(by_edges);
}

template <class Program>
PassCounts CpuExecutor::pull_from(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step) {
  if (graph_.streamed()) return pull_from_disk(frontier, program, next, step);
  const OrientedPages& in = graph_.pages(pulled());
  std::uint64_t* const joined = next.storage_->bitmap.data();
  const auto run = [&](const auto& active) {
    // The row index and the queue serve pushes; a graph whose pages serve both orientations has them for pulls as well.
    if constexpr (requires { program.wants(VertexId{}); })
      if (graph_.shares_pages() && targets_.allocated())
        if (const auto counts = pull_sparse(in.pages, graph_.rows(pushed(), device_), graph_.num_vertices(), program,
                                            active, targets_, joined, degrees_if_needed(), device_.threads()))
          return *counts;
    return pull(in.pages, in.work, program, active, joined, degrees_if_needed(), device_.threads());
  };
  return frontier.form() == Frontier::Form::all ? run(AllActive{}) : run(BitmapActive{bitmap_of(frontier)});
}

template <class Program>
PassCounts CpuExecutor::push_from(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step) {
  if (graph_.streamed()) return push_from_disk(frontier, program, next, step);
  // A lone row costs the lines of its whole slice: once there is about one active row to every two slices, walking all
  // of them in order is cheaper. With weights, walking is dearer by more, and pays where many edges are active.
  constexpr std::uint64_t dense_share = 2 * lanes, dense_edge_share = 32;
  const OrientedPages& out = graph_.pages(pushed());
  const PushScratch<Program> scratch = push_scratch<Program>();
  VertexQueue& joined = next.storage_->queue;
  if (frontier.form() == Frontier::Form::all)
    return push_dense(out.pages, out.work, program, AllActive{}, scratch, joined, degrees_if_needed(),
                      device_.threads());
  const bool by_edges = takes_weights<Program> && degrees_if_needed();
  if (by_edges ? frontier.num_edges() > graph_.num_edges() / dense_edge_share
               : frontier.size() > graph_.num_vertices() / dense_share)
    return push_dense(out.pages, out.work, program, BitmapActive{bitmap_of(frontier)}, scratch, joined,
                      degrees_if_needed(), device_.threads());
  return push_sparse(out.pages, graph_.rows(pushed(), device_), queue_of(frontier),
                     std::max(frontier.num_edges(), frontier.size()), program, scratch, joined, degrees_if_needed(),
                     device_.threads());
}

template <class Program>
std::vector<std::uint32_t> CpuExecutor::find_pull_pages(const Program& program) {
  const std::size_t set = graph_.set(pulled());
  const CpuPages& pages = *graph_.streamed();
  if constexpr (requires { program.wants(VertexId{}); }) {
    // A vertex without a row wants in vain. Degrees tell where rows go out.
    const std::uint32_t* const degree = graph_.shares_pages() ? degrees_if_needed() : nullptr;
    const auto asks = [&](VertexId v) { return (!degree || degree[v] > 0) && program.wants(v); };
    return pages_with(pages.table(set), asks, device_.threads());
  } else {
    return pages.all(set);
  }
}

template <class Program>
PassCounts CpuExecutor::pull_from_disk(const Frontier& frontier, const Program& program, Frontier& next,
                                       Superstep& step) {
  const std::size_t set = graph_.set(pulled());
  CpuPages& pages = *graph_.streamed();
  if (!pull_pages_) pull_pages_ = find_pull_pages(program);
  const std::vector<std::uint32_t> needed = *std::exchange(pull_pages_, {});
  push_pages_.reset();
  const auto run = [&](const auto& active) {
    PageTraffic traffic;
    const PassCounts counts = pages.run(set, needed, traffic, [&](PageFeed& feed) {
      return pull_streamed(pages.table(set), pages.first_page(set), feed, program, active, next.storage_->bitmap.data(),
                           degrees_if_needed(), device_.threads());
    });
    count(step, traffic);
    return counts;
  };
  return frontier.form() == Frontier::Form::all ? run(AllActive{}) : run(BitmapActive{bitmap_of(frontier)});
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
  const PushScratch<Program> scratch = push_scratch<Program>();
  const auto run = [&](const auto& active) {
    PageTraffic traffic;
    PassCounts counts = pages.run(set, needed, traffic, [&](PageFeed& feed) {
      return send_streamed<Program>(feed, program, active, {scratch}, device_.threads());
    });
    count(step, traffic);
    return counts +=
           push_detail::deliver_touched(program, scratch, next.storage_->queue, degrees_if_needed(), device_.threads());
  };
  return all ? run(AllActive{}) : run(BitmapActive{bitmap_of(frontier)});
}

template <class Program>
PushScratch<Program> CpuExecutor::open_chunk(VertexRange targets) {
  using Value = Inbox<Program>;
  if (inbox_.size() == 0) {
    make_touched();
    targets_ = VertexQueue(device_.allocate<VertexId>(chunk_, "push targets"));
    joined_ = VertexQueue(device_.allocate<VertexId>(chunk_, "push targets"));
    inbox_ = Buffer(chunk_ * sizeof(std::uint64_t), device_.memory(), "the push inbox");
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
        set, needed, traffic, [&](PageFeed& feed) { return send_streamed(feed, program, active, parts, threads); });
    step.disk_bytes += traffic.load_bytes;
    step.cached_bytes += traffic.hit_bytes;
    return counts;
  };
  return all ? run(AllActive{}) : run(BitmapActive{bitmap_of(frontier)});
}

template <class Program>
PassCounts CpuExecutor::close_chunk(const Program& program, const PushScratch<Program>& scratch, Frontier& next) {
  const PassCounts counts =
      push_detail::deliver_touched(program, scratch, joined_, degrees_if_needed(), device_.threads());
  for (const VertexId v : joined_) next.storage_->bitmap[v / 64] |= std::uint64_t{1} << (v % 64);
  joined_.clear();
  return counts;
}

template <class Predicate>
Frontier CpuExecutor::filter(const Predicate& predicate) {
  Frontier made = make_frontier(Frontier::Form::bitmap);
  Array<std::uint64_t>& bitmap = made.storage_->bitmap;
  const std::uint32_t* const degree = degrees_if_needed();
  SharedSum<PassCounts> kept;
  on_threads(threads_for(own_.size(), least_vertices, device_.threads()), [&](const ThreadOf& thread) {
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
  if (far()) return filter_bits(bitmap_of(frontier), predicate);
  const VertexQueue& queue = queue_of(frontier);
  Frontier made = make_frontier(Frontier::Form::queue);
  const std::uint32_t* const degree = degrees_if_needed();
  SharedSum<std::uint64_t> total_edges;
  on_threads(threads_for(queue.size(), push_detail::small_work, device_.threads()), [&](const ThreadOf& thread) {
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
  const std::uint32_t* const degree = degrees_if_needed();
  SharedSum<std::uint64_t> total_edges;
  std::uint64_t most = 0;
  for (std::uint32_t device = 0; device < absorb.from.count; ++device) most = std::max(most, absorb.from.size[device]);
  on_threads(threads_for(most, push_detail::small_work, device_.threads()), [&](const ThreadOf& thread) {
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
  const auto bytes_of = [](Array<std::uint64_t>& bits) { return reinterpret_cast<std::byte*>(bits.data()); };
  replicas.queue[i] = nullptr;
  replicas.bits[i] = bytes_of(frontier.storage_->bitmap);
  if (frontier.form() != Frontier::Form::queue) return;
  make_touched();
  replicas.queue[i] = frontier.storage_->queue.begin();
  replicas.size[i] = frontier.size();
  replicas.bits[i] = bytes_of(touched_);
  for (const VertexId v : frontier.storage_->queue) touched_[v / 64] |= std::uint64_t{1} << (v % 64);
}

template <class Value>
void CpuExecutor::forget(const Frontier& frontier, Value* kept, Value nothing) {
  if (frontier.form() != Frontier::Form::queue) return;
  if (!kept && frontier.size() > touched_.size()) return forget_bits();
  for (const VertexId v : frontier.storage_->queue) {
    touched_[v / 64] = 0;  // all of its vertices are in the queue
    if (kept) kept[v] = nothing;
  }
}

template <class Program>
PushScratch<Program> CpuExecutor::push_scratch() {
  using Value = Inbox<Program>;
  const std::uint64_t num_vertices = graph_.num_vertices();
  make_touched();
  if (!targets_.allocated()) targets_ = VertexQueue(device_.allocate<VertexId>(num_vertices, "push targets"));
  if constexpr (receives_at_once<Program>) return {nullptr, nullptr, &targets_};
  if (inbox_.size() < num_vertices * sizeof(Value)) {
    inbox_ = Buffer();
    inbox_ = Buffer(num_vertices * sizeof(Value), device_.memory(), "the push inbox");
    inbox_type_ = nullptr;
  }
  Value* const inbox = reinterpret_cast<Value*>(inbox_.data());
  if (inbox_type_ != &typeid(Program)) {
    vertex_map([inbox](VertexId v) { inbox[v] = nothing_pending<Program>(); });
    inbox_type_ = &typeid(Program);
  }
  return {inbox, touched_.data(), &targets_};
}

}  // namespace millrace
