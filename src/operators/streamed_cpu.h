// edge_map over pages that arrive while it runs, on the cpu: threads draw whole pages from a feed, in any order. Bound
// by the disk, or else by whatever bounds the operators on each page.
#pragma once

#include <deque>
#include <vector>

#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/push_cpu.h"
#include "millrace/stream/page_feed.h"

namespace millrace {

// Like pull(), over the pages of a segment that a feed brings, where the first page of the table has the number
// `first_page`. Rows that span
// large pages are combined in page order at the end, so that results are the same as with pages in memory.
template <EdgeProgram Program, class Active>
PassCounts pull_streamed(const PageTable& table, std::uint32_t segment, std::uint32_t first_page, PageFeed& feed,
                         const Program& program, const Active& active, std::uint64_t* next,
                         const std::uint32_t* out_degree, int threads) {
  using namespace pull_detail;
  SharedSum<PassCounts> total;
  std::vector<RowMessage<Program>> partial(has_large_pages(table) ? table.size() : 0);
  on_threads(threads_for(feed.num_pages(), 1, threads), [&](const ThreadOf& thread) {
    Puller<Program, Active> puller(program, active, next, out_degree);
    feed.for_each([&](const PageFeed::Page& fed) {
      const std::uint32_t p = fed.number - first_page;
      const bool large = table[p].kind == PageKind::large;
      const RowMessage<Program> rest = puller.run(PageView(fed.data), {p, 0, table[p].slices, large});
      if (large) partial[p] = rest;
    });
    if (!partial.empty()) {
      thread.meet();
      if (thread.index() == 0) deliver_large(table, segment, partial, puller);
    }
    total.add(puller.counts);
  });
  feed.finish();
  return total.value();
}

// The first half of a push, as send_dense(), over the pages of a feed: sends all messages, to every part of the
// targets.
template <EdgeProgram Program, class Active>
PassCounts send_streamed(PageFeed& feed, const Program& program, const Active& active,
                         const std::vector<PushScratch<Program>>& parts, int threads) {
  using namespace push_detail;
  SharedSum<PassCounts> total;
  on_threads(threads_for(feed.num_pages(), 1, threads), [&](const ThreadOf&) {
    std::deque<Sender<Program>> senders;
    for (const PushScratch<Program>& part : parts) senders.emplace_back(program, part);
    feed.for_each([&](const PageFeed::Page& fed) {
      const PageView page(fed.data);
      const std::uint32_t slices = page.header().slices;
      for (Sender<Program>& sender : senders)
        for (std::uint32_t s = 0; s < slices; ++s) {
          if (s + 2 < slices) prefetch_slice_start(page, s + 2);
          push_slice(page, s, active, sender);
        }
    });
    for (Sender<Program>& sender : senders) {
      sender.flush();
      total.add(sender.counts);
    }
  });
  feed.finish();
  return total.value();
}

// The pages that have a vertex for which asks(v) is true, in ascending order.
template <class Asks>
std::vector<std::uint32_t> pages_with(const PageTable& table, const Asks& asks, int threads) {
  std::vector<std::uint8_t> flags(table.size());
  constexpr std::uint64_t at_a_time = 16;
  for_drawn(table.size(), at_a_time, threads_for(table.size(), 4 * at_a_time, threads), [&](std::uint64_t p) {
    const std::uint64_t end = std::uint64_t{table[p].first_vertex} + table[p].vertex_count;
    for (std::uint64_t v = table[p].first_vertex; v < end && !flags[p]; ++v) flags[p] = asks(static_cast<VertexId>(v));
  });
  std::vector<std::uint32_t> pages;
  for (std::uint32_t p = 0; p < table.size(); ++p)
    if (flags[p]) pages.push_back(p);
  return pages;
}

}  // namespace millrace
