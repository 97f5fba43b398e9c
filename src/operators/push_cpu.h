// edge_map by pushing, on the cpu: active sources send along their rows, messages are combined in the inbox by atomics,
// and when all are sent every target that got one absorbs it. Sparse: the rows of a queue, each decoded alone. Dense:
// all slices with an active lane. Bound by the random writes to the inbox and, when sparse, by the cache lines of lone
// rows.
#pragma once

#include <atomic>
#include <bit>
#include <mutex>
#include <vector>

#include "millrace/core/progress.h"
#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/row_index.h"
#include "millrace/operators/send_cpu.h"

namespace millrace {
namespace push_detail {

// Sends from all lanes of a slice whose vertex is active.
template <class Program, class Active>
void push_slice(const PageView& page, std::uint32_t s, const Active& active, Sender<Program>& sender) {
  const Decoder& decoder = chosen_decoder();
  Slice slice;
  pull_detail::Tile<Program> tile;
  open_slice(page, s, decoder, slice);
  sender.counts.bytes += opened_bytes(slice);
  const std::uint32_t* start = slice.walk.words;
  std::uint32_t sending = 0;
  for (std::uint32_t l = 0; l < lanes; ++l)
    sending |= std::uint32_t{slice.length[l] > 0 && active(slice.vertex[l])} << l;
  if (sending == 0) return;
  WeightWalk<WeightOf<Program>> weights(page, s);
  const std::uint32_t* first_weight = weights.words();
  for (std::uint32_t j = 0; j < slice.columns; j += tile_columns) {
    const std::uint32_t count = std::min(tile_columns, slice.columns - j);
    decoder.neighbours(slice.walk, count, tile.neighbour);
    weights.next(decoder, count, tile.weight);
    for (std::uint32_t rest = sending; rest != 0; rest &= rest - 1) {
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

// The targets among 64 vertices from `first` on, of which `count` are there: those with a message.
template <class Program>
std::uint64_t touched_among(const PushScratch<Program>& scratch, std::uint64_t first, std::uint64_t count) {
  std::uint64_t bits = 0;
  if constexpr (inbox_tells<Program>) {
    const Inbox<Program>* const pending = scratch.inbox + (first - scratch.first);
    for (std::uint64_t i = 0; i < count; ++i)
      bits |= std::uint64_t{pending[i] != Inbox<Program>{nothing_pending<Program>()}} << i;
  } else {
    std::swap(bits, scratch.touched[first / 64]);
  }
  return bits;
}

// When all messages are sent: targets absorb and empty the inbox. Those that received at once have joined before.
template <class Program>
PassCounts deliver_touched(Program program, const PushScratch<Program>& scratch, VertexQueue& next,
                           const std::uint32_t* out_degree, int threads) {
  SharedSum<PassCounts> total;
  const VertexQueue& targets = *scratch.targets;
  const std::uint64_t work = scratch.many ? scratch.count : targets.size();
  on_threads(threads_for(work, small_work, threads), [&](const ThreadOf& thread) {
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
    if (scratch.many) {
      // Ranges begin with a whole word; one that is empty may begin anywhere.
      const std::uint64_t last = std::uint64_t{scratch.first} + scratch.count;
      thread.for_share(
          scratch.first / 64, scratch.count == 0 ? scratch.first / 64 : (last + 63) / 64, [&](std::uint64_t word) {
            const std::uint64_t first = word * 64;
            for (std::uint64_t bits = touched_among(scratch, first, std::min<std::uint64_t>(64, last - first));
                 bits != 0; bits &= bits - 1)
              deliver_to(static_cast<VertexId>(first + static_cast<std::uint64_t>(std::countr_zero(bits))));
          });
    } else {
      thread.for_share(0, targets.size(), [&](std::uint64_t i) {
        // All set bits of the word belong to targets of this pass.
        if (scratch.inbox && !inbox_tells<Program>)
          std::atomic_ref(scratch.touched[targets[i] / 64]).store(0, std::memory_order_relaxed);
        deliver_to(targets[i]);
      });
    }
    total.add({.joined = joined, .joined_edges = joined_edges});
  });
  scratch.targets->clear();
  return total.value();
}

}  // namespace push_detail

// Sends from the vertices of a queue.
template <EdgeProgram Program>
PassCounts send_sparse(const PageSet& pages, const RowIndex& rows, const VertexQueue& frontier,
                       std::uint64_t frontier_edges, const Program& program, const PushScratch<Program>& scratch,
                       int threads) {
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
      throw_if_interrupted();
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
  return total.value();
}

// Sends from every active vertex, slice by slice.
template <EdgeProgram Program, class Active>
PassCounts send_dense(const PageSet& pages, const std::vector<WorkPiece>& work, const Program& program,
                      const Active& active, const PushScratch<Program>& scratch, int threads) {
  using namespace push_detail;
  SharedSum<PassCounts> total;
  Draw draw;
  on_threads(threads_for(work.size(), 1, threads), [&](const ThreadOf&) {
    Sender<Program> sender(program, scratch);
    draw.for_each(work.size(), [&](std::uint64_t i) {
      throw_if_interrupted();
      for (std::uint32_t s = work[i].first_slice; s < work[i].last_slice; ++s) {
        if (s + 2 < work[i].last_slice) prefetch_slice_start(pages.page(work[i].page), s + 2);
        push_slice(pages.page(work[i].page), s, active, sender);
      }
    });
    sender.flush();
    total.add(sender.counts);
  });
  return total.value();
}

}  // namespace millrace
