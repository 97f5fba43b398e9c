// What the cpu does beside a GPU: it sends along the rows of some pages, or gathers for them, where they lie in host
// memory. The GPU owns all vertices. It brings to host memory what messages are made from, and its vertices absorb what
// comes back. Bound by random reads of messages, and in a push by atomics on the inbox.
#pragma once

#include <algorithm>
#include <mutex>

#include "millrace/core/crew.h"
#include "millrace/core/hash.h"
#include "millrace/core/stopwatch.h"
#include "millrace/operators/fields.h"
#include "millrace/operators/help_room.h"
#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/push_cpu.h"
#include "millrace/stream/page_help.h"

namespace millrace {

// A program without what it is carried with.
namespace help_detail {
template <class Program>
struct Bare {
  using Type = Program;
};
template <class Program>
struct Bare<Carried<Program>> {
  using Type = Program;
};
}  // namespace help_detail
template <class Program>
using BareOf = typename help_detail::Bare<Program>::Type;

// Programs that the cpu can run for a GPU: with weights, those whose views are known.
inline constexpr std::uint64_t most_helped_views = 8;
template <class Program>
inline constexpr bool may_be_helped = sizeof(Pending<Program>) <= sizeof(std::uint64_t) &&
                                      (!takes_weights<Program> ||
                                       (views_of_type<BareOf<Program>>().known &&
                                        views_of_type<BareOf<Program>>().count <= most_helped_views));

// What the cpu runs for all programs whose messages do not depend on the edge: these were made before. All arrays are
// in host memory.
template <class MessageOf, class CombineBy>
struct HelpToAll {
  using Message = MessageOf;
  using Combine = CombineBy;
  const Message* sent_by = nullptr;       // by source; First needs none
  const std::uint64_t* wanted = nullptr;  // bits of targets; null: all
  Message* got = nullptr;                 // by target, of a pull

  MILLRACE_HD bool wants(VertexId target) const { return !wanted || ((wanted[target / 64] >> (target % 64)) & 1) != 0; }
  MILLRACE_HD Message message(VertexId source) const {
    if constexpr (std::is_same_v<Combine, First>)
      return source;
    else
      return sent_by[source];
  }
  MILLRACE_HD View<const float> sent() const requires std::is_same_v<Message, float> {
    View<const float> all;
    all.data = sent_by;
    return all;
  }
  MILLRACE_HD bool absorb(VertexId target, Message message) const {
    got[target] = message;
    return true;
  }
};

// What it runs for a program that takes weights: the program itself, whose views are copies in host memory.
template <class Program>
struct HelpAlongEdges : Program {
  Pending<Program>* got = nullptr;  // by target, of a pull
  MILLRACE_HD bool absorb(VertexId target, Pending<Program> message) const {
    got[target] = message;
    return true;
  }
};

// What the cpu runs for a program.
template <class Program>
using HelperOf = std::conditional_t<takes_weights<Program>, HelpAlongEdges<BareOf<Program>>,
                                    HelpToAll<Pending<Program>, typename Program::Combine>>;

// The lower, the sooner a GPU loads a page, and the later the cpu takes it. Rows that are cut over large pages are for
// the GPU, which has all of them in one pass. Neighbouring pages stay together, so that copies are long.
inline std::uint64_t help_rank(const PageTable& table, std::uint32_t page, HelpOrder order) {
  constexpr std::uint32_t together = 32;
  const std::uint32_t group = page / together;
  if (table[page].kind == PageKind::large) return 0;
  return 1 + (order == HelpOrder::high  ? std::uint64_t{table.size() / together - group}
              : order == HelpOrder::low ? std::uint64_t{group}
                                        : std::uint64_t{mix32(group)});
}

// Pages from the end of a pool for several threads: whole ones while there are many; the last ones cut into pieces, so
// that all threads finish at about the same time.
class PoolPieces {
 public:
  PoolPieces(const PageSet& pages, PagePool& pool, int threads)
      : pages_(pages), pool_(pool), many_(4 * static_cast<std::size_t>(threads)) {}

  // Calls body(page, piece) for what this thread draws, until there is no more.
  template <class Body>
  void for_each(const Body& body) {
    for (WorkPiece piece; draw(piece);) body(pages_.page(piece.page), piece);
  }

 private:
  bool draw(WorkPiece& piece) {
    if (pool_.left() > many_)
      if (const auto taken = pool_.take_back(1); !taken.empty()) {
        piece = {taken[0], 0, pages_.table()[taken[0]].slices, false};
        return true;
      }
    const std::lock_guard lock(mutex_);
    if (pieces_.empty()) {
      const auto taken = pool_.take_back(1);
      if (taken.empty()) return false;
      cut_page(pages_.page(taken[0]), taken[0], pieces_);
    }
    piece = pieces_.back();  // a page has slices
    pieces_.pop_back();
    return true;
  }

  const PageSet& pages_;
  PagePool& pool_;
  const std::size_t many_;
  std::mutex mutex_;
  std::vector<WorkPiece> pieces_;
};

// Calls body(pieces) on threads, and adds up what it counted. `busy` grows by the mean of the seconds that they took.
template <class Body>
PassCounts help_on_threads(const PageSet& pages, PagePool& pool, Crew& crew, double* busy, const Body& body) {
  PoolPieces pieces(pages, pool, crew.threads());
  SharedSum<PassCounts> total;
  SharedSum<double> seconds;
  crew.run([&] {
    const Stopwatch watch;
    total.add(body(pieces));
    seconds.add(watch.seconds());
  });
  if (busy) *busy += seconds.value() / crew.threads();
  return total.value();
}

// Calls body(i) for each i below `count`.
template <class Body>
void for_each_by(Crew& crew, std::uint64_t count, std::uint64_t at_a_time, const Body& body) {
  Draw draw(at_a_time);
  crew.run([&] { draw.for_each(count, body); });
}

// Gathers for rows on pages from the end of the pool, until there are none. The bits of targets that got a message are
// set in `found`. `busy`, if given, grows by the mean of the seconds that threads took.
template <class Program, class Active>
PassCounts help_pull(const PageSet& pages, PagePool& pool, const Program& program, const Active& active,
                     std::uint64_t* found, Crew& crew, double* busy = nullptr) {
  return help_on_threads(pages, pool, crew, busy, [&](PoolPieces& pieces) {
    pull_detail::Puller<Program, Active> puller(program, active, found, nullptr);
    pieces.for_each([&](const PageView& page, const WorkPiece& piece) { puller.run(page, piece); });
    return puller.counts;
  });
}

// Sends from active rows on such pages to the inbox, which is empty before. The bits of targets that got a message are
// set in `found`. Whether targets want it is not asked.
template <class Program, class Active>
PassCounts help_push(const PageSet& pages, PagePool& pool, const Program& program, const Active& active,
                     Inbox<Program>* inbox, std::uint64_t* found, std::uint64_t num_vertices, Crew& crew,
                     double* busy = nullptr) {
  VertexQueue none;
  const PushScratch<Program> scratch{.inbox = inbox,
                                     .touched = found,
                                     .targets = &none,
                                     .count = static_cast<std::uint32_t>(num_vertices),
                                     .far = true,
                                     .many = true,
                                     .marks = true};
  return help_on_threads(pages, pool, crew, busy, [&](PoolPieces& pieces) {
    push_detail::Sender<Program> sender(program, scratch);
    pieces.for_each([&](const PageView& page, const WorkPiece& piece) {
      for (std::uint32_t s = piece.first_slice; s < piece.last_slice; ++s) {
        if (s + 2 < piece.last_slice) prefetch_slice_start(page, s + 2);
        push_detail::push_slice(page, s, active, sender);
      }
    });
    sender.flush();
    return sender.counts;
  });
}

}  // namespace millrace
