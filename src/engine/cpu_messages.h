// What the cpu does with a program whose attributes are far, and with messages that several devices keep for each
// other.
#pragma once

#include "millrace/engine/cpu_executor.h"
#include "millrace/engine/cpu_vertex_work.h"
#include "millrace/engine/exchange.h"
#include "millrace/operators/chunk_pull.h"
#include "millrace/operators/streamed_cpu.h"
#include "millrace/operators/vertex_map_cpu.h"

namespace millrace {

template <class Given>
class CpuMessages {
 public:
  using Program = Carried<Given>;

  // Sends along the edges of the frontier on some pages to a chunk of the targets of each executor, in one pass by all
  // of their threads; then the targets absorb, and those that join are added to the bits of `next`.
  static PassCounts push(const std::vector<Executor*>& executors, const BoundProgram& bound, const Frontier& frontier,
                         const std::vector<VertexRange>& chunks, const std::vector<std::uint32_t>& needed,
                         Frontier& next, Superstep& step) {
    const Program program{*static_cast<const Given*>(bound.value), nullptr};
    std::vector<PushScratch<Program>> parts;
    int threads = 0;
    for (std::size_t i = 0; i < executors.size(); ++i) {
      parts.push_back(open(at(*executors[i]), chunks[i]));
      threads += at(*executors[i]).threads();
    }
    CpuExecutor& first = at(*executors[0]);
    const auto send = [&](const auto& active) {
      PageTraffic traffic;
      const PassCounts counts = first.graph_.streamed()->run(
          first.graph_.set(first.pushed()), needed, {}, traffic,
          [&](PageFeed& feed) { return send_streamed(feed, program, active, parts, threads); });
      step.add(traffic);
      return counts;
    };
    PassCounts counts =
        frontier.form() == Frontier::Form::all ? send(AllActive{}) : send(BitmapActive{first.bitmap_of(frontier)});
    for (std::size_t i = 0; i < executors.size(); ++i) {
      CpuExecutor& on = at(*executors[i]);
      counts += push_detail::deliver_touched(program, parts[i], on.joined_, on.degrees(), on.threads());
      std::uint64_t* const bits = next.on(i).storage().bitmap.data();
      for (const VertexId v : on.joined_) bits[v / 64] |= std::uint64_t{1} << (v % 64);
      on.joined_.clear();
    }
    return counts;
  }

  static ChunkRoom open_pull(Executor& executor, VertexRange targets, std::uint64_t sources) {
    using Message = typename Given::Message;
    CpuExecutor& on = at(executor);
    const std::uint64_t bytes = on.graph_.supersteps().message_bytes;  // of the widest that may come
    const bool is_empty = on.make_values(on.inbox_, on.chunk_ * bytes, typeid(ChunkPull<Given>), "messages of targets");
    if (on.sent_.size() == 0) on.sent_ = Buffer(sources * bytes, on.cpu_.memory(), "messages of sources");
    auto* const got = reinterpret_cast<Message*>(on.inbox_.buffer.data());
    if (!is_empty) std::fill_n(got, on.chunk_, nothing_pending<Given>());
    on.inbox_.type = &typeid(ChunkPull<Given>);
    return {.sent = on.sent_.data(),
            .got = got,
            .first_target = static_cast<VertexId>(targets.first),
            .num_targets = static_cast<std::uint32_t>(targets.size())};
  }
  static void make_messages(Executor& on, const BoundProgram& bound, const ChunkRoom& room, VertexRange sources) {
    vertex_map(sources, MakeMessage<Given>{*static_cast<const Given*>(bound.value), ChunkPull<Given>(room)},
               at(on).threads());
  }
  static void absorb_got(Executor& on, const BoundProgram& bound, const ChunkRoom& room, VertexRange targets) {
    vertex_map(targets, AbsorbGot<Given>{*static_cast<const Given*>(bound.value), ChunkPull<Given>(room)},
               at(on).threads());
  }
  static void pull(Executor& executor, const ChunkRoom& room, std::uint32_t segment,
                   const std::vector<std::uint32_t>& needed, const std::vector<std::uint32_t>& soon, int threads,
                   Superstep& step) {
    CpuExecutor& on = at(executor);
    const std::size_t set = on.graph_.set(on.pulled());
    CpuPages& pages = *on.graph_.streamed();
    PageTraffic traffic;
    pages.run(set, needed, soon, traffic, [&](PageFeed& feed) {
      return pull_streamed(pages.table(set), segment, pages.first_page(set), feed, ChunkPull<Given>(room), AllActive{},
                           nullptr, nullptr, threads);
    });
    step.add(traffic);
  }

  // ---- several devices

  // If targets can join, they are returned as bits; if not, this is a loop over all vertices.
  static Frontier absorb(Executor& on, const BoundProgram& bound, const Messages& from, bool empties) {
    const AbsorbKept<Program> absorb = absorber(bound, from, empties);
    if constexpr (can_join<Given>) return CpuVertexWork::filter(on, absorb);
    CpuVertexWork::map(on, absorb);
    return {};
  }
  static Frontier absorb_queues(Executor& executor, const BoundProgram& bound, const Messages& messages, bool empties) {
    CpuExecutor& on = at(executor);
    const AbsorbKept<Program> absorb = absorber(bound, messages, empties);
    std::uint64_t most = 0;
    for (std::uint32_t i = 0; i < messages.count; ++i) most = std::max(most, messages.size[i]);
    Frontier made = on.make_frontier(Frontier::Form::queue);
    const std::uint32_t* const degree = on.degrees();
    SharedSum<std::uint64_t> edges;
    on_threads(threads_for(most, push_detail::small_work, on.threads()), [&](const ThreadOf& thread) {
      QueueWriter writer(made.storage().queue);
      std::uint64_t mine = 0;
      for (std::uint32_t device = 0; device < absorb.from.count; ++device) {
        thread.for_share(0, absorb.from.size[device], [&](std::uint64_t i) {
          const VertexId target = absorb.from.queue[device][i];
          if (!absorb.is_first(device, target) || !absorb(target)) return;
          writer.push(target);
          if (degree) mine += degree[target];
        });
        thread.meet();
      }
      edges.add(mine);
    });
    made.count(made.storage().queue.size(), edges.value());
    return made;
  }
  static void exchange(Executor& on, const Messages& messages, VertexRange slice) {
    combine_messages<CombinePending<Given>>(MessagesOf<Pending<Given>>(messages), slice, at(on).threads());
  }
  static void clear_shown(Executor& executor, const Frontier& frontier, void* kept) {
    if (frontier.form() != Frontier::Form::queue) return;
    CpuExecutor& on = at(executor);
    if (!kept && frontier.size() > on.touched_.size()) return on.clear_shown_bits();
    for (const VertexId v : frontier.storage().queue) {
      on.touched_.data()[v / 64] = 0;  // all of its vertices are in the queue
      if (kept) static_cast<Pending<Given>*>(kept)[v] = nothing_pending<Given>();
    }
  }

 private:
  static CpuExecutor& at(Executor& executor) { return static_cast<CpuExecutor&>(executor); }

  static AbsorbKept<Program> absorber(const BoundProgram& bound, const Messages& from, bool empties) {
    return {Program{*static_cast<const Given*>(bound.value), nullptr}, MessagesOf<Pending<Program>>(from), empties};
  }

  // Room for the messages to a chunk of targets.
  static PushScratch<Program> open(CpuExecutor& on, VertexRange targets) {
    using Value = Inbox<Program>;
    static_assert(sizeof(Value) <= sizeof(std::uint64_t));
    on.make_touched();
    if (!on.targets_.allocated()) on.targets_ = on.new_queue(on.chunk_, "push targets");
    if (!on.joined_.allocated()) on.joined_ = on.new_queue(on.chunk_, "push targets");
    const bool is_empty =
        on.make_values(on.inbox_, on.chunk_ * sizeof(std::uint64_t), typeid(Program), "the push inbox");
    auto* const inbox = reinterpret_cast<Value*>(on.inbox_.buffer.data());
    if (!is_empty) std::fill_n(inbox, on.chunk_, Value{nothing_pending<Program>()});
    on.inbox_.type = &typeid(Program);
    const auto count = static_cast<std::uint32_t>(targets.size());
    return {inbox, on.touched_.data(), &on.targets_, static_cast<VertexId>(targets.first), count, true, true};
  }
};

}  // namespace millrace
