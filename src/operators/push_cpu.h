// edge_map by pushing, on the cpu: active sources send along their rows, targets combine in an inbox by atomics, and
// every target that got something absorbs it once all is sent. Sparse: rows of a queue, decoded alone. Dense: all
// slices with an active lane. Bound by the random writes to the inbox and, when sparse, by the lines a lone row
// touches.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "millrace/operators/bitmap.h"
#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/row_index.h"
#include "millrace/operators/vertex_queue.h"

namespace millrace {

// What a push needs beside the graph. Between passes the inbox holds nothing and no bit is set.
template <class Program>
struct PushScratch {
  Pending<Program>* inbox;  // one per vertex
  std::uint64_t* touched;   // a bit per vertex
  VertexQueue& targets;     // room for all vertices
};

namespace push_detail {

template <class Program>
void combine_atomically(Pending<Program>& place, Pending<Program> more) {
  std::atomic_ref<Pending<Program>> value(place);
  Pending<Program> old = value.load(std::memory_order_relaxed);
  Pending<Program> combined = combine<Program>(old, more);
  while (combined != old && !value.compare_exchange_weak(old, combined, std::memory_order_relaxed))
    combined = combine<Program>(old, more);
}

// One thread's outgoing messages.
template <class Program>
class Sender {
 public:
  Sender(const Program& program, const PushScratch<Program>& scratch)
      : program_(program), inbox_(scratch.inbox), touched_(scratch.touched), targets_(scratch.targets) {}

  PassCounts counts;

  void send(Pending<Program> message, const VertexId* targets, std::uint32_t count, std::uint32_t stride = 1) {
    counts.edges += count;
    for (std::uint32_t i = 0; i < count; ++i) {
      const VertexId target = targets[std::size_t{i} * stride];
      if (!wants(program_, target)) continue;
      combine_atomically<Program>(inbox_[target], message);
      if (claim_bit(touched_, target)) targets_.push(target);
    }
  }
  Pending<Program> from(VertexId source) const { return contribution(program_, source); }

 private:
  const Program& program_;
  Pending<Program>* inbox_;
  std::uint64_t* touched_;
  QueueWriter targets_;
};

// Sends from all lanes of a slice whose vertex is active.
template <class Program, class Active>
void push_slice(const PageView& page, std::uint32_t s, const Active& active, Sender<Program>& sender) {
  const Decoder& decoder = best_decoder();
  Slice slice;
  alignas(64) std::uint32_t tile[pull_detail::tile_columns * lanes];
  open_slice(page, s, decoder, slice);
  const std::uint32_t* start = slice.walk.words;
  std::uint32_t speaking = 0;
  for (std::uint32_t l = 0; l < lanes; ++l)
    speaking |= std::uint32_t{slice.length[l] > 0 && active(slice.vertex[l])} << l;
  if (speaking == 0) return;
  for (std::uint32_t j = 0; j < slice.columns; j += pull_detail::tile_columns) {
    const std::uint32_t count = std::min(pull_detail::tile_columns, slice.columns - j);
    decoder.neighbours(slice.walk, count, tile);
    for (std::uint32_t rest = speaking; rest != 0; rest &= rest - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (slice.length[l] <= j) continue;
      sender.send(sender.from(slice.vertex[l]), tile + l, std::min(count, slice.length[l] - j), lanes);
    }
  }
  sender.counts.bytes += sizeof(SliceHeader) + 4 * static_cast<std::uint64_t>(slice.walk.words - start);
}

// Everything is sent: the targets absorb, and the inbox is left empty.
template <class Program>
PassCounts deliver_touched(Program program, const PushScratch<Program>& scratch, VertexQueue& next,
                           const std::uint32_t* out_degree, int threads) {
  std::uint64_t joined = 0, joined_edges = 0;
#pragma omp parallel num_threads(threads) reduction(+ : joined, joined_edges)
  {
    QueueWriter writer(next);
    Program mine = program;
#pragma omp for schedule(static)
    for (std::uint64_t i = 0; i < scratch.targets.size(); ++i) {
      const VertexId target = scratch.targets[i];
      const Pending<Program> pending = std::exchange(scratch.inbox[target], nothing_pending<Program>());
      // All bits of the word belong to targets of this pass.
      std::atomic_ref<std::uint64_t>(scratch.touched[target / 64]).store(0, std::memory_order_relaxed);
      if (!deliver(mine, target, pending)) continue;
      writer.push(target);
      ++joined;
      if (out_degree) joined_edges += out_degree[target];
    }
  }
  scratch.targets.clear();
  return {.joined = joined, .joined_edges = joined_edges};
}

}  // namespace push_detail

// Pushes from the vertices of a queue. `next` receives those that join.
template <EdgeProgram Program>
PassCounts push_sparse(const PageSet& pages, const RowIndex& rows, const VertexQueue& frontier, const Program& program,
                       const PushScratch<Program>& scratch, VertexQueue& next, const std::uint32_t* out_degree,
                       int threads) {
  using namespace push_detail;
  struct HubSlice {
    std::uint32_t page, slice;
  };
  std::vector<HubSlice> hubs;  // spread over all threads once the short rows are sent
  PassCounts total;
  const PageTable& table = pages.table();
#pragma omp parallel num_threads(threads)
  {
    Sender<Program> sender(program, scratch);
    VertexId neighbours[hub_row_length];
#pragma omp for schedule(dynamic, 64)
    for (std::uint64_t i = 0; i < frontier.size(); ++i) {
      const VertexId source = frontier[i];
      const std::uint32_t place = rows.place(source);
      if (place == RowIndex::no_row) continue;
      std::uint32_t p = table.find(source);
      const PageView page = pages.page(p);
      std::uint32_t s = place / lanes;
      if (s >= page.header().hub_slices) {
        const std::uint32_t length = decode_lane(page, s, place % lanes, neighbours);
        sender.send(sender.from(source), neighbours, length);
        continue;
      }
#pragma omp critical(millrace_push_hubs)
      if (page.header().kind == PageKind::small) {
        const std::uint32_t slot = page.slices()[s].first_slot;
        for (; s < page.header().hub_slices && page.slices()[s].first_slot == slot; ++s) hubs.push_back({p, s});
      } else {
        for (; p < table.size() && table[p].first_vertex == source; ++p)
          for (s = 0; s < table[p].slices; ++s) hubs.push_back({p, s});
      }
    }
#pragma omp for schedule(dynamic, 1)
    for (std::size_t i = 0; i < hubs.size(); ++i)
      push_slice(pages.page(hubs[i].page), hubs[i].slice, AllActive{}, sender);
#pragma omp critical(millrace_pass_counts)
    total += sender.counts;
  }
  return total += deliver_touched(program, scratch, next, out_degree, threads);
}

// Pushes from every active vertex, slice by slice.
template <EdgeProgram Program, class Active>
PassCounts push_dense(const PageSet& pages, const std::vector<WorkPiece>& work, const Program& program,
                      const Active& active, const PushScratch<Program>& scratch, VertexQueue& next,
                      const std::uint32_t* out_degree, int threads) {
  using namespace push_detail;
  PassCounts total;
#pragma omp parallel num_threads(threads)
  {
    Sender<Program> sender(program, scratch);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t i = 0; i < work.size(); ++i)
      for (std::uint32_t s = work[i].first_slice; s < work[i].last_slice; ++s)
        push_slice(pages.page(work[i].page), s, active, sender);
#pragma omp critical(millrace_pass_counts)
    total += sender.counts;
  }
  return total += deliver_touched(program, scratch, next, out_degree, threads);
}

}  // namespace millrace
