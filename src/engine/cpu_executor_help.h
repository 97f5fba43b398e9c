// A cpu that another one helps, as the cpu helps a GPU: by one pool of pages, on copies of what messages are made from,
// with the same way back. Where there is no GPU, tests have such a pair in its place; a pause for each page makes the
// first one slower.
#pragma once

#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <thread>

#include "millrace/engine/cpu_executor.h"
#include "millrace/operators/fields.h"
#include "millrace/operators/help_cpu.h"

namespace millrace {

// What the helper works with.
template <class Program>
class HelpCopies {
 public:
  using Helper = HelperOf<Program>;
  using Value = Inbox<Helper>;

  template <class Active>
  HelpCopies(const Program& program, std::uint64_t num_vertices, const Active& active, Direction direction)
      : inbox(new Value[num_vertices]),
        found(bitmap_words(num_vertices)),
        gathered_(new Pending<Program>[num_vertices]) {
    std::fill_n(inbox.get(), num_vertices, Value{nothing_pending<Helper>()});
    helper.got = gathered_.get();
    if constexpr (takes_weights<Program>) {
      static_cast<BareOf<Program>&>(helper) = program;
      visit_views(static_cast<BareOf<Program>&>(helper), [&](auto& view) {
        if (!view.data) return;
        using T = std::remove_reference_t<decltype(*view.data)>;
        views_.emplace_back(num_vertices * sizeof(T));
        std::memcpy(views_.back().data(), view.data, views_.back().size());
        view.data = reinterpret_cast<T*>(views_.back().data());
      });
    } else {
      if constexpr (!takes_first<Program>) {
        sent_.reset(new Pending<Program>[num_vertices]);
        for (VertexId v = 0; v < num_vertices; ++v)
          if (active(v)) sent_[v] = program.message(v);
        helper.sent_by = sent_.get();
      }
      if (direction == Direction::pull) {
        wanted_.resize(found.size());
        for (VertexId v = 0; v < num_vertices; ++v) wanted_[v / 64] |= std::uint64_t{wants(program, v)} << (v % 64);
        helper.wanted = wanted_.data();
      }
    }
  }

  // Calls take(v) for the vertices that something was gathered for, or sent to.
  template <class Take>
  void for_each_found(const Take& take) const {
    for (std::uint64_t word = 0; word < found.size(); ++word)
      for (std::uint64_t bits = found[word]; bits != 0; bits &= bits - 1)
        take(static_cast<VertexId>(word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits))));
  }
  Pending<Program> gathered(VertexId v) const { return gathered_[v]; }

  Helper helper;
  std::unique_ptr<Value[]> inbox;
  std::vector<std::uint64_t> found;

 private:
  std::unique_ptr<Pending<Program>[]> sent_, gathered_;
  std::vector<std::uint64_t> wanted_;
  std::vector<std::vector<std::byte>> views_;
};

// The device takes pages from the front of the pool, the helper from its end; returns what the helper counted.
template <class Own, class Help>
PassCounts share_pool(PagePool& pool, double pause, const Own& own, const Help& help) {
  PassCounts counts;
  std::exception_ptr error;
  std::thread helper([&, request = StopRequest::current()] {
    const StopRequest::InForce stoppable(request);
    try {
      counts = help();
    } catch (...) {
      error = std::current_exception();
      pool.close();
    }
  });
  try {
    for (auto taken = pool.take_front(1); !taken.empty(); taken = pool.take_front(1)) {
      own(taken[0]);
      if (pause > 0) std::this_thread::sleep_for(std::chrono::duration<double>(pause));
    }
  } catch (...) {
    pool.close();
    helper.join();
    throw;
  }
  helper.join();
  if (error) std::rethrow_exception(error);
  return counts;
}

// Some pages of a table, ordered as for a GPU.
inline PagePool pool_of(const PageTable& table, std::uint32_t first, std::uint32_t last, const HelpOptions& options) {
  std::vector<std::uint32_t> pages;
  std::size_t large = 0;
  for (std::uint32_t p = first; p < last; ++p) {
    pages.push_back(p);
    large += table[p].kind == PageKind::large;
  }
  std::ranges::stable_sort(pages, {}, [&](std::uint32_t p) { return help_rank(table, p, options.order); });
  return PagePool(std::move(pages), large);
}

template <class Program, class Active>
PassCounts CpuExecutor::pull_with_help(const PageSet& pages, std::uint32_t segment, const Program& program,
                                       const Active& active, std::uint64_t* next) {
  using namespace pull_detail;
  const PageTable& table = pages.table();
  HelpCopies<Program> copies(program, graph_.num_vertices(), active, Direction::pull);
  PagePool pool = pool_of(table, table.first_page(segment), table.first_page(segment + 1), help_);
  if (help_.share) pool.fix_share(*help_.share);
  Crew crew(help_.threads);
  std::vector<RowMessage<Program>> partial(table.size());
  Puller<Program, Active> puller(program, active, next, degrees());
  const PassCounts helped = share_pool(
      pool, help_.pause,
      [&](std::uint32_t p) {
        const bool large = table[p].kind == PageKind::large;
        const RowMessage<Program> rest = puller.run(pages.page(p), {p, 0, table[p].slices, large});
        if (large) partial[p] = rest;
      },
      [&] { return help_pull(pages, pool, copies.helper, active, copies.found.data(), crew); });
  deliver_large(table, segment, partial, puller);
  copies.for_each_found([&](VertexId v) { puller.deliver_to(v, copies.gathered(v)); });
  puller.counts.edges += helped.edges;
  puller.counts.bytes += helped.bytes;
  for (const std::uint32_t page : pool.taken_back()) helped_bytes_ += bytes_with(With::topology, table[page]);
  return puller.counts;
}

template <class Program, class Active>
PassCounts CpuExecutor::push_with_help(const PageSet& pages, const Program& program, const Active& active,
                                       const PushScratch<Program>& scratch, VertexQueue& next) {
  using namespace push_detail;
  HelpCopies<Program> copies(program, graph_.num_vertices(), active, Direction::push);
  PagePool pool = pool_of(pages.table(), 0, pages.table().size(), help_);
  if (help_.share) pool.fix_share(*help_.share);
  Crew crew(help_.threads);
  PassCounts counts;
  {
    Sender<Program> sender(program, scratch);
    counts += share_pool(
        pool, help_.pause,
        [&](std::uint32_t p) {
          for (std::uint32_t s = 0; s < pages.table()[p].slices; ++s) push_slice(pages.page(p), s, active, sender);
        },
        [&] {
          return help_push(pages, pool, copies.helper, active, copies.inbox.get(), copies.found.data(),
                           graph_.num_vertices(), crew);
        });
    sender.flush();
    counts += sender.counts;
  }
  take_sent(program, scratch, copies);
  for (const std::uint32_t page : pool.taken_back()) helped_bytes_ += bytes_with(With::topology, pages.table()[page]);
  return counts += deliver_touched(program, scratch, next, degrees(), cpu_.threads());
}

// What the helper has sent goes where the device's own messages have gone.
template <class Program>
void CpuExecutor::take_sent(const Program& program, const PushScratch<Program>& scratch,
                            const HelpCopies<Program>& copies) const {
  QueueWriter targets(*scratch.targets);
  Program mine = program;
  copies.for_each_found([&](VertexId v) {
    if (!wants(mine, v)) return;
    const auto value = copies.inbox[v];
    bool first = false;
    if constexpr (receives_at_once<Program>)
      first = keeps_messages(mine) ? receive(mine, v, value) : deliver(mine, v, value);
    else
      first = push_detail::put_in_inbox(scratch, v, value);
    if (first && !scratch.many) targets.push(v);
  });
}

}  // namespace millrace
