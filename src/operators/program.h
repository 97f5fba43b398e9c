// What a program is: the small struct in which an algorithm says what happens along an edge and at a vertex. Programs
// name no processor; the operators run them over pages.
//
//   struct Visit {
//     using Message = VertexId;
//     using Combine = First;
//     View<VertexId> parent;
//     MILLRACE_HD bool wants(VertexId target) const;                 // optional: skip others; absorb() changes it
//     MILLRACE_HD Message message(VertexId source) const;            // sent along each out-edge of the source
//     MILLRACE_HD bool absorb(VertexId target, Message message);     // true: the target joins the next frontier
//   };
//
// absorb() is called once for each target that got at least one message, with all its messages combined. If it returns
// void, targets never join; such a program may get the identity of Combine for targets without a message.
// If messages can be taken one by one, in any order and by many threads at once, a program may have these two
// functions; then a push calls them instead of collecting messages in an inbox:
//
//     MILLRACE_HD bool receive(VertexId target, Message message) const;  // true: the target joins; true at most once
//     MILLRACE_HD void join(VertexId target) const;                      // called after that
//
// A program that takes weights names their type, and its messages belong to an edge:
//
//     using Weight = std::uint32_t;                                  // or double, for the weights of any store
//     MILLRACE_HD Message message(VertexId source, VertexId target, Weight weight) const;
//
// If that reads an attribute of the target, the program may say where, so that it can be prefetched:
//
//     MILLRACE_HD const void* read_at(VertexId target) const;
//
// Its graph has to be loaded with weights (GraphNeeds); if the store has none, every edge has weight 1. Such a program
// may also send along some edges only: a message equal to the identity of Combine means that nothing is sent. Whether a
// target that got only such messages absorbs the identity is left open.
#pragma once

#include <bit>
#include <concepts>
#include <type_traits>
#include <utility>

#include "millrace/core/types.h"
#include "millrace/operators/atomics.h"
#include "millrace/operators/combine.h"

namespace millrace {

// An attribute as a program sees it: a pointer that does not own.
template <class T>
struct View {
  T* data = nullptr;
  MILLRACE_HD T& operator[](VertexId v) const { return data[v]; }
};
template <class T>
struct View<const T> {
  const T* data = nullptr;
  View() = default;
  explicit View(const T* values) : data(values) {}
  View(View<T> writable) : data(writable.data) {}
  MILLRACE_HD const T& operator[](VertexId v) const { return data[v]; }
};

// `yes` or `no` without a branch, for conditions that depend on a random read: a misprediction would stall later reads.
template <class T>
MILLRACE_HD T select(bool condition, T yes, T no) {
#ifdef __CUDA_ARCH__
  return condition ? yes : no;
#else
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const Bits mask = Bits{0} - Bits{condition};
  return std::bit_cast<T>((std::bit_cast<Bits>(yes) & mask) | (std::bit_cast<Bits>(no) & ~mask));
#endif
}

// Whether a pull may deliver what it finds at once, also where a row goes on in a later segment.
template <class Program>
inline constexpr bool searches = takes_first<Program>&& requires(const Program program) {
  program.wants(VertexId{});
};

template <class Program>
inline constexpr bool takes_weights = requires {
  typename Program::Weight;
};

// The weight type of programs that take none.
struct NoWeight {};

namespace program_detail {
template <class Program>
struct WeightOf {
  using Type = NoWeight;
};
template <class Program>
requires takes_weights<Program>
struct WeightOf<Program> {
  using Type = typename Program::Weight;
  static_assert(std::is_same_v<Type, std::uint32_t> || std::is_same_v<Type, double>);
  static_assert(!takes_first<Program>, "the first source decides by itself, whatever its edge weighs");
};
}  // namespace program_detail
template <class Program>
using WeightOf = typename program_detail::WeightOf<Program>::Type;

template <class Program>
concept SendsToAll = requires(const Program program, VertexId v) {
  { program.message(v) } -> std::convertible_to<typename Program::Message>;
};
template <class Program>
concept SendsAlongEdges = takes_weights<Program> && requires(const Program program, VertexId v, WeightOf<Program> w) {
  { program.message(v, v, w) } -> std::convertible_to<typename Program::Message>;
};
template <class Program>
concept EdgeProgram = (SendsToAll<Program> || SendsAlongEdges<Program>)&&requires(Program program, VertexId v,
                                                                                  typename Program::Message message) {
  typename Program::Combine;
  program.absorb(v, message);
};

// The pending value of a target during a push: the combined message, or for First the lowest source.
template <class Program>
using Pending = std::conditional_t<takes_first<Program>, VertexId, typename Program::Message>;

template <class Program>
constexpr Pending<Program> nothing_pending() {
  if constexpr (takes_first<Program>)
    return no_vertex;
  else
    return Program::Combine::template identity<typename Program::Message>();
}

// A program whose messages are the values of one attribute may have a member sent() that returns it: message(v) must be
// sent()[v], and an operator may read the attribute itself, many values at once.
template <class Program>
inline constexpr bool sums_floats = requires(const Program program) {
  { program.sent() } -> std::same_as<View<const float>>;
}
&&std::is_same_v<typename Program::Combine, Sum>&& std::is_same_v<typename Program::Message, float>;

// A program that only writes the combined message to an attribute may have a member kept_in() that returns it, in which
// messages of several segments are then combined. Vertices without a message get the identity.
template <class Program>
inline constexpr bool keeps_in = requires(const Program program) {
  { program.kept_in() } -> std::same_as<View<typename Program::Message>>;
};

template <class Program>
inline constexpr bool receives_at_once = requires(const Program program, typename Program::Message message) {
  { program.receive(VertexId{}, message) } -> std::same_as<bool>;
}
&&!takes_first<Program> && !takes_weights<Program>;

// Whether targets of the program can join a frontier.
template <class Program>
inline constexpr bool can_join =
    !std::is_void_v<decltype(std::declval<Program&>().absorb(VertexId{}, std::declval<typename Program::Message>()))>;

// A program whose absorb() changes values of other vertices by atomics has a member type `WritesToOthers`, and so has a
// body that does: if several GPUs share far attributes, only one of them at a time may run it.
template <class Program>
inline constexpr bool writes_to_others = requires {
  typename Program::WritesToOthers;
};

// A search in which it does not matter when a target is reached has a member type `Spreads`: a target that joins may
// send in the same superstep. Its messages must not depend on their source, and active vertices must want none.
template <class Program>
inline constexpr bool spreads = searches<Program>&& requires {
  typename Program::Spreads;
};

// A program with a member type `ForOneDevice` runs on one device with near attributes: tests compile in half the time.
template <class Program>
inline constexpr bool for_one_device = requires {
  typename Program::ForOneDevice;
};

// A program as the operators run it. Messages are absorbed; or they are kept, one for each target, which counts as
// joined, and absorbed later: if several devices share a graph, and while a blocked store is pulled.
template <class Program>
struct Carried : Program {
  Pending<Program>* kept = nullptr;  // null: messages are absorbed
  bool adds = false;                 // a message is combined with what is kept, else it replaces that
};
template <class Program>
MILLRACE_HD bool keeps_messages(const Program& program) {
  if constexpr (requires { program.kept; })
    return program.kept != nullptr;
  else
    return false;
}

template <class Program>
MILLRACE_HD bool wants(const Program& program, VertexId target) {
  if constexpr (requires { program.wants(target); })
    return program.wants(target);
  else
    return true;
}

// The type of a pending value in the inbox of a push. Sums of floats are kept as doubles: a pull sums the lanes of a
// hub separately, but a push adds one message after another, and a float would lose the small ones.
template <class Program>
using Inbox = std::conditional_t<std::is_same_v<typename Program::Combine, Sum> &&
                                     std::is_same_v<typename Program::Message, float>,
                                 double, Pending<Program>>;

// The value that `source` adds to the pending value of a target.
template <class Program>
MILLRACE_HD Pending<Program> contribution(const Program& program, VertexId source, [[maybe_unused]] VertexId target,
                                          [[maybe_unused]] WeightOf<Program> weight) {
  if constexpr (takes_first<Program>)
    return source;
  else if constexpr (takes_weights<Program>)
    return program.message(source, target, weight);
  else
    return program.message(source);
}

// Whether the inbox itself shows that a message came: if every message that is sent changes an empty inbox, and no
// later one empties it again. First has no_vertex as its empty value, and messages along edges equal to the identity
// are not sent.
template <class Program>
inline constexpr bool inbox_tells = takes_first<Program> ||
                                    (takes_weights<Program> && !std::is_same_v<typename Program::Combine, Sum>);

template <class Program, class Value = Pending<Program>>
MILLRACE_HD Value combine(Value a, Value b) {
  if constexpr (takes_first<Program>)
    return b < a ? b : a;  // no_vertex is the largest
  else
    return Program::Combine::apply(a, b);
}

// Whether the message of an edge has to be sent.
template <class Program>
MILLRACE_HD bool sends_something([[maybe_unused]] const Pending<Program>& pending) {
  if constexpr (takes_weights<Program>)
    return combine<Program>(nothing_pending<Program>(), pending) != nothing_pending<Program>();
  else
    return true;
}

// For programs that receive at once: gives a target a message; true if the caller must call join() for it next.
template <class Program>
MILLRACE_HD bool receive(const Program& program, VertexId target, typename Program::Message message) {
  if constexpr (requires { program.kept; }) {
    using Combine = typename Program::Combine;
    static_assert(std::is_same_v<Combine, Sum> || std::is_same_v<Combine, Or>, "others cannot be kept at once yet");
    if (program.kept) {
      if constexpr (std::is_same_v<Combine, Sum>)
        return add_shared(program.kept[target], message) == nothing_pending<Program>();
      else
        return or_shared(program.kept[target], message) == nothing_pending<Program>();
    }
  }
  return program.receive(target, message);
}
template <class Program>
MILLRACE_HD void join(const Program& program, VertexId target) {
  if (!keeps_messages(program)) program.join(target);
}

// Gives a target its combined message; true if it joins the next frontier.
template <class Program>
MILLRACE_HD bool deliver(Program& program, VertexId target, Pending<Program> pending) {
  if constexpr (requires { program.kept; }) {
    if (program.kept) {
      program.kept[target] = program.adds ? combine<Program>(program.kept[target], pending) : pending;
      return can_join<Program>;
    }
  }
  typename Program::Message message;
  if constexpr (takes_first<Program>)
    message = program.message(pending);
  else
    message = pending;
  if constexpr (can_join<Program>) {
    return program.absorb(target, message);
  } else {
    program.absorb(target, message);
    return false;
  }
}

}  // namespace millrace
