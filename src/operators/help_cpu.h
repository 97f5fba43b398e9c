// What the cpu does of a pull beside a GPU: it gathers for the rows of some pages, where they lie in host memory. The
// GPU owns all vertices. It brings to host memory what rows gather from: messages of sources, which sources are active
// and which targets want a message; and its vertices absorb what was gathered. Bound by random reads of messages.
#pragma once

#include <algorithm>

#include "millrace/core/stopwatch.h"
#include "millrace/operators/pull_cpu.h"
#include "millrace/stream/page_pool.h"

namespace millrace {

// Programs whose messages do not depend on the edge.
template <class Program>
inline constexpr bool may_be_helped = !takes_weights<Program> && sizeof(Pending<Program>) <= sizeof(std::uint64_t);

// What the cpu runs for all programs with such messages. All arrays are in host memory.
template <class MessageOf, class CombineBy>
struct HelpPull {
  using Message = MessageOf;
  using Combine = CombineBy;
  const Message* sent_by = nullptr;       // by source; First needs none
  const std::uint64_t* wanted = nullptr;  // bits of targets; null: all
  Message* got = nullptr;                 // by target

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

// Gathers for rows on pages from the end of the pool, until there are none. The bits of targets that got a message are
// set in `found`. `busy`, if given, becomes the mean of the seconds that threads took.
template <class Message, class Combine, class Active>
PassCounts help_pull(const PageSet& pages, PagePool& pool, const HelpPull<Message, Combine>& program,
                     const Active& active, std::uint64_t* found, int threads, double* busy = nullptr) {
  SharedSum<PassCounts> total;
  SharedSum<double> seconds;
  on_threads(threads, [&](const ThreadOf&) {
    const Stopwatch watch;
    pull_detail::Puller<HelpPull<Message, Combine>, Active> puller(program, active, found, nullptr);
    for (auto taken = pool.take_back(1); !taken.empty(); taken = pool.take_back(1)) {
      const std::uint32_t number = taken[0];
      puller.run(pages.page(number), {number, 0, pages.table()[number].slices, false});
    }
    total.add(puller.counts);
    seconds.add(watch.seconds());
  });
  if (busy) *busy = seconds.value() / threads;
  return total.value();
}

}  // namespace millrace
