// edge_map by pushing, on the cpu: active sources send along their rows, messages are combined in the inbox by atomics,
// and when all are sent every target that got one absorbs it. Sparse: the rows of a queue, each decoded alone. Dense:
// all slices with an active lane. Bound by the random writes to the inbox and, when sparse, by the cache lines of lone
// rows.
#pragma once

#include <atomic>
#include <bit>
#include <mutex>
#include <vector>

#include "millrace/operators/bitmap.h"
#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/row_index.h"
#include "millrace/operators/vertex_queue.h"

namespace millrace {

// What a push needs beside the graph. Between passes the inbox is empty and no bit is set.
template <class Program>
struct PushScratch {
  Inbox<Program>* inbox;   // one value per target; null if the program receives at once
  std::uint64_t* touched;  // a bit per vertex
  VertexQueue* targets;    // room for all targets
  // The targets are `count` vertices from `first` on; messages to others are skipped.
  VertexId first = 0;
  std::uint32_t count;
  // Attributes are far: all messages go to the inbox, and wants() is called when a target absorbs, not before.
  bool far = false;
};

namespace push_detail {

// With fewer edges or targets, waking other threads costs more than they save.
inline constexpr std::uint64_t small_work = 2048;

// Combines a value into `place` and returns the previous value.
template <class Program>
Inbox<Program> combine_atomically(Inbox<Program>& place, Inbox<Program> more) {
  std::atomic_ref<Inbox<Program>> value(place);
  Inbox<Program> old = value.load(std::memory_order_relaxed);
  Inbox<Program> combined = combine<Program>(old, more);
  while (combined != old && !value.compare_exchange_weak(old, combined, std::memory_order_relaxed))
    combined = combine<Program>(old, more);
  return old;
}

// The outgoing messages of one thread. Atomics wait for each other, while plain reads and prefetches overlap; so
// messages are collected, the cache lines of their targets are prefetched, and a block at a time goes to the inbox.
template <class Program>
class Sender {
 public:
  Sender(const Program& program, const PushScratch<Program>& scratch)
      : program_(program), scratch_(scratch), targets_(*scratch.targets) {}

  PassCounts counts;

  // Sends along `count` edges of a row, to each target with the weight of the edge.
  void send(VertexId source, const VertexId* targets, const WeightOf<Program>* weights, std::uint32_t count,
            std::uint32_t stride = 1) {
    [[maybe_unused]] Pending<Program> message;
    if constexpr (!takes_weights<Program>) message = contribution(program_, source, no_vertex, {});
    if constexpr (requires { program_.read_at(source); })
      for (std::uint32_t i = 0; i < count; ++i)
        if (is_here(targets[std::size_t{i} * stride]))
          __builtin_prefetch(program_.read_at(targets[std::size_t{i} * stride]));
    for (std::uint32_t i = 0; i < count; ++i) {
      const VertexId target = targets[std::size_t{i} * stride];
      if (!is_here(target)) continue;
      ++counts.edges;
      if constexpr (takes_weights<Program>)
        message = contribution(program_, source, target, weights[std::size_t{i} * stride]);
      if (gathered_ == block) flush();
      outgoing_[gathered_] = {target, message};
      // Arithmetic on numbers instead of &&: no branch.
      const std::uint32_t wanted = scratch_.far || wants(program_, target);
      gathered_ += wanted & static_cast<std::uint32_t>(says_something<Program>(message));
      // With weights, most edges send nothing: the inbox is prefetched in flush().
      if constexpr (!takes_weights<Program> && !receives_at_once<Program>) __builtin_prefetch(place_of(target), 1);
    }
  }

  // Delivers the collected messages to the inbox; to be called once all are sent.
  void flush() {
    if constexpr (takes_weights<Program>)
      for (std::uint32_t i = 0; i < gathered_; ++i) __builtin_prefetch(place_of(outgoing_[i].target), 1);
    for (std::uint32_t i = 0; i < gathered_; ++i) {
      const auto [target, message] = outgoing_[i];
      if (scratch_.inbox ? is_first(target, message) : joins(target, message)) targets_.push(target);
    }
    gathered_ = 0;
  }

 private:
  static constexpr std::uint32_t block = 256;
  bool is_here(VertexId target) const { return target - scratch_.first < scratch_.count; }
  // Puts the message into the inbox; true if it is the first for its target.
  bool is_first(VertexId target, Pending<Program> message) const {
    const Inbox<Program> before = combine_atomically<Program>(*place_of(target), message);
    return inbox_tells<Program> ? before == nothing_pending<Program>() : claim_bit(scratch_.touched, target);
  }
  bool joins([[maybe_unused]] VertexId target, [[maybe_unused]] Pending<Program> message) const {
    if constexpr (receives_at_once<Program>) {
      if (!receive(program_, target, message)) return false;
      join(program_, target);
      return true;
    } else {
      return false;  // does not happen: such programs have an inbox
    }
  }
  Inbox<Program>* place_of(VertexId target) const { return scratch_.inbox + (target - scratch_.first); }
  struct Outgoing {
    VertexId target;
    Pending<Program> message;
  };
  const Program& program_;
  const PushScratch<Program>& scratch_;
  QueueWriter targets_;
  std::uint32_t gathered_ = 0;
  Outgoing outgoing_[block];
};

// Sends from all lanes of a slice whose vertex is active.
template <class Program, class Active>
void push_slice(const PageView& page, std::uint32_t s, const Active& active, Sender<Program>& sender) {
  const Decoder& decoder = chosen_decoder();
  Slice slice;
  pull_detail::Tile<Program> tile;
  open_slice(page, s, decoder, slice);
  sender.counts.bytes += opened_bytes(slice);
  const std::uint32_t* start = slice.walk.words;
  std::uint32_t speaking = 0;
  for (std::uint32_t l = 0; l < lanes; ++l)
    speaking |= std::uint32_t{slice.length[l] > 0 && active(slice.vertex[l])} << l;
  if (speaking == 0) return;
  WeightWalk<WeightOf<Program>> weights(page, s);
  const std::uint32_t* first_weight = weights.words();
  for (std::uint32_t j = 0; j < slice.columns; j += tile_columns) {
    const std::uint32_t count = std::min(tile_columns, slice.columns - j);
    decoder.neighbours(slice.walk, count, tile.neighbour);
    weights.next(decoder, count, tile.weight);
    for (std::uint32_t rest = speaking; rest != 0; rest &= rest - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (slice.length[l] <= j) continue;
      sender.send(slice.vertex[l], tile.neighbour + l, tile.weight + l, std::min(count, slice.length[l] - j), lanes);
    }
  }
  sender.counts.bytes += 4 * static_cast<std::uint64_t>(slice.walk.words - start);
  sender.counts.bytes += 4 * static_cast<std::uint64_t>(weights.words() - first_weight);
}

// The place of a row that is decoded alone. Such rows are scattered over the pages: they are located in blocks and
// their slices prefetched, so that the cache misses of several rows overlap.
struct RowPlace {
  VertexId source;
  std::uint32_t page_index;
  PageView page;
  std::uint32_t slice, lane;
};

struct HubSlice {
  std::uint32_t page, slice;
};

// Finds the rows of `count` sources in a segment and returns how many of them have one.
inline std::uint64_t locate(const PageSet& pages, const RowIndex& rows, std::uint32_t segment, const VertexId* sources,
                            std::uint64_t count, bool weights, RowPlace* places) {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t place = rows.place(sources[i], segment);
    if (place == RowIndex::no_row) continue;
    const std::uint32_t p = pages.table().find(sources[i], segment);
    const PageView page = pages.page(p);
    __builtin_prefetch(&page.slices()[place / lanes]);
    if (weights && page.has_weights()) __builtin_prefetch(page.weight_table() + place / lanes);
    places[found++] = {sources[i], p, page, place / lanes, place % lanes};
  }
  return found;
}

// One lane needs nearly every cache line of its slice.
inline void prefetch_words(const std::uint32_t* first, const std::uint32_t* end) {
  constexpr std::ptrdiff_t most_words = 1024;
  for (const std::uint32_t* last = first + std::min(end - first, most_words); first < last; first += 16)
    __builtin_prefetch(first);
}
inline void prefetch_slice(const RowPlace& row, bool weights) {
  const PageView& page = row.page;
  const bool last = row.slice + 1 == page.header().slices;
  prefetch_words(page.words() + page.slices()[row.slice].word,
                 page.words() + (last ? page.header().words : page.slices()[row.slice + 1].word));
  if (weights && page.has_weights())
    prefetch_words(page.weight_words(row.slice), last ? page.end_of_weights() : page.weight_words(row.slice + 1));
}

// Sends along one row, or adds the slices of a hub to `hubs` for later.
template <class Program>
void push_row(const PageTable& table, const RowPlace& row, Sender<Program>& sender, std::vector<HubSlice>& hubs) {
  const PageHeader& header = row.page.header();
  if (row.slice >= header.hub_slices) {
    VertexId neighbours[max_slice_columns];
    const std::uint32_t length = decode_lane(row.page, row.slice, row.lane, neighbours);
    WeightOf<Program> weights[max_slice_columns];
    WeightWalk<WeightOf<Program>>(row.page, row.slice).lane(row.lane, length, weights);
    sender.send(row.source, neighbours, weights, length);
    sender.counts.bytes += sizeof(SliceHeader) + length * 4;  // an estimate: some of the words of each column
    return;
  }
  if (header.kind == PageKind::small) {
    const auto slices = row.page.slices();
    const std::uint32_t slot = slices[row.slice].first_slot;
    for (std::uint32_t s = row.slice; s < header.hub_slices && slices[s].first_slot == slot; ++s)
      hubs.push_back({row.page_index, s});
  } else {
    std::uint32_t p = row.page_index;
    do
      for (std::uint32_t s = 0; s < table[p].slices; ++s) hubs.push_back({p, s});
    while (++p < table.size() && table.goes_on(p));
  }
}

// When all messages are sent: targets absorb and empty the inbox. Those that received at once have joined before.
template <class Program>
PassCounts deliver_touched(Program program, const PushScratch<Program>& scratch, VertexQueue& next,
                           const std::uint32_t* out_degree, int threads) {
  SharedSum<PassCounts> total;
  const VertexQueue& targets = *scratch.targets;
  // Of many targets some share a cache line: they are delivered in order of vertices.
  constexpr std::uint64_t line = 32;
  const bool in_order = scratch.inbox && targets.size() > scratch.count / line;
  on_threads(threads_for(targets.size(), small_work, threads), [&](const ThreadOf& thread) {
    QueueWriter writer(next);
    Program mine = program;
    std::uint64_t joined = 0, joined_edges = 0;
    const auto deliver_to = [&](VertexId target) {
      if (scratch.inbox) {
        const auto pending = static_cast<Pending<Program>>(
            std::exchange(scratch.inbox[target - scratch.first], Inbox<Program>{nothing_pending<Program>()}));
        if (scratch.far && !wants(mine, target)) return;
        if (!deliver(mine, target, pending)) return;
      }
      writer.push(target);
      ++joined;
      if (out_degree) joined_edges += out_degree[target];
    };
    const auto word_of = [&](std::uint64_t i) { return std::atomic_ref<std::uint64_t>(scratch.touched[i]); };
    if (in_order) {
      if (inbox_tells<Program>) {
        thread.for_share(0, targets.size(), [&](std::uint64_t i) { claim_bit(scratch.touched, targets[i]); });
        thread.meet();
      }
      const std::uint64_t last = std::uint64_t{scratch.first} + scratch.count;
      thread.for_share(scratch.first / 64, (last + 63) / 64, [&](std::uint64_t i) {
        std::uint64_t bits = word_of(i).load(std::memory_order_relaxed);
        if (bits == 0) return;
        for (; bits != 0; bits &= bits - 1)
          deliver_to(static_cast<VertexId>(i * 64 + static_cast<std::uint64_t>(std::countr_zero(bits))));
        word_of(i).store(0, std::memory_order_relaxed);
      });
    } else {
      thread.for_share(0, targets.size(), [&](std::uint64_t i) {
        // All set bits of the word belong to targets of this pass.
        if (scratch.inbox && !inbox_tells<Program>) word_of(targets[i] / 64).store(0, std::memory_order_relaxed);
        deliver_to(targets[i]);
      });
    }
    total.add({.joined = joined, .joined_edges = joined_edges});
  });
  scratch.targets->clear();
  return total.value();
}

}  // namespace push_detail

// Pushes from the vertices of a queue. Targets that join are appended to `next`.
template <EdgeProgram Program>
PassCounts push_sparse(const PageSet& pages, const RowIndex& rows, const VertexQueue& frontier,
                       std::uint64_t frontier_edges, const Program& program, const PushScratch<Program>& scratch,
                       VertexQueue& next, const std::uint32_t* out_degree, int threads) {
  using namespace push_detail;
  constexpr std::uint64_t block = 64;
  const std::uint64_t blocks = (frontier.size() + block - 1) / block;
  std::vector<HubSlice> hubs;  // spread over all threads once the short rows are sent
  std::mutex hubs_mutex;
  const bool weights = takes_weights<Program>;
  SharedSum<PassCounts> total;
  Draw draw, draw_hubs;
  on_threads(threads_for(frontier_edges, small_work, threads), [&](const ThreadOf& thread) {
    Sender<Program> sender(program, scratch);
    RowPlace places[block];
    std::vector<HubSlice> found_hubs;
    draw.for_each(blocks, [&](std::uint64_t b) {
      const std::uint64_t first = b * block, count = std::min(block, frontier.size() - first);
      for (std::uint32_t g = 0; g < rows.num_segments(); ++g) {
        const std::uint64_t found = locate(pages, rows, g, frontier.begin() + first, count, weights, places);
        for (std::uint64_t i = 0; i < found; ++i) {
          if (i + 2 < found) prefetch_slice(places[i + 2], weights);
          push_row(pages.table(), places[i], sender, found_hubs);
        }
      }
    });
    {
      const std::lock_guard lock(hubs_mutex);
      hubs.insert(hubs.end(), found_hubs.begin(), found_hubs.end());
    }
    thread.meet();
    draw_hubs.for_each(hubs.size(), [&](std::uint64_t i) {
      push_slice(pages.page(hubs[i].page), hubs[i].slice, AllActive{}, sender);
    });
    sender.flush();
    total.add(sender.counts);
  });
  return PassCounts(total.value()) += deliver_touched(program, scratch, next, out_degree, threads);
}

// Pushes from every active vertex, slice by slice.
template <EdgeProgram Program, class Active>
PassCounts push_dense(const PageSet& pages, const std::vector<WorkPiece>& work, const Program& program,
                      const Active& active, const PushScratch<Program>& scratch, VertexQueue& next,
                      const std::uint32_t* out_degree, int threads) {
  using namespace push_detail;
  SharedSum<PassCounts> total;
  Draw draw;
  on_threads(threads_for(work.size(), 1, threads), [&](const ThreadOf&) {
    Sender<Program> sender(program, scratch);
    draw.for_each(work.size(), [&](std::uint64_t i) {
      for (std::uint32_t s = work[i].first_slice; s < work[i].last_slice; ++s) {
        if (s + 2 < work[i].last_slice) prefetch_slice_start(pages.page(work[i].page), s + 2);
        push_slice(pages.page(work[i].page), s, active, sender);
      }
    });
    sender.flush();
    total.add(sender.counts);
  });
  return PassCounts(total.value()) += deliver_touched(program, scratch, next, out_degree, threads);
}

}  // namespace millrace
