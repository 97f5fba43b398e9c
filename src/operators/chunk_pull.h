// How far attributes are pulled: the messages of a chunk of sources are made first and lie side by side in the memory
// of the device; what a chunk of targets gets is combined there, until the rows have met all sources. Then the targets
// absorb it. To the operators this is a program like others.
#pragma once

#include "millrace/operators/program.h"

namespace millrace {

// Programs whose targets absorb a message each time, without being asked and without joining.
template <class Program>
inline constexpr bool pulls_chunks =
    !takes_first<Program> && !takes_weights<Program> && !can_join<Program> && !requires(const Program program) {
  program.wants(VertexId{});
};

// The memory of a device for that, by its address.
struct ChunkRoom {
  void* sent = nullptr;
  VertexId first_source = 0;
  std::uint32_t num_sources = 0;
  void* got = nullptr;
  VertexId first_target = 0;
  std::uint32_t num_targets = 0;
};

template <class Program>
struct ChunkPull {
  using Message = typename Program::Message;
  using Combine = typename Program::Combine;
  Message* sent = nullptr;
  VertexId first_source = 0;
  std::uint32_t num_sources = 0;
  Message* got = nullptr;
  VertexId first_target = 0;
  std::uint32_t num_targets = 0;

  ChunkPull() = default;
  explicit ChunkPull(const ChunkRoom& room)
      : sent(static_cast<Message*>(room.sent)),
        first_source(room.first_source),
        num_sources(room.num_sources),
        got(static_cast<Message*>(room.got)),
        first_target(room.first_target),
        num_targets(room.num_targets) {}

  MILLRACE_HD bool wants(VertexId target) const { return target - first_target < num_targets; }
  MILLRACE_HD Message message(VertexId source) const {
    const std::uint32_t i = source - first_source;
    return i < num_sources ? sent[i] : Combine::template identity<Message>();
  }
  MILLRACE_HD void absorb(VertexId target, Message message) const {
    Message& place = got[target - first_target];
    place = Combine::apply(place, message);
  }
};

// The messages of sources, before their rows are read.
template <class Program>
struct MakeMessage {
  Program program;
  ChunkPull<Program> chunk;
  MILLRACE_HD void operator()(VertexId source) const {
    chunk.sent[source - chunk.first_source] = program.message(source);
  }
};

// What targets absorb at the end; their places are left empty.
template <class Program>
struct AbsorbGot {
  mutable Program program;
  ChunkPull<Program> chunk;
  MILLRACE_HD void operator()(VertexId target) const {
    auto& place = chunk.got[target - chunk.first_target];
    program.absorb(target, place);
    place = nothing_pending<Program>();
  }
};

}  // namespace millrace
