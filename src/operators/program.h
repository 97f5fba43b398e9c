// What a program is: the small struct by which an algorithm says what happens along an edge and at a vertex. Programs
// name no processor; the operators bring them to pages.
//
//   struct Visit {
//     using Message = VertexId;
//     using Combine = First;
//     View<VertexId> parent;
//     MILLRACE_HD bool wants(VertexId target) const;                 // optional: skip targets that need no message
//     MILLRACE_HD Message message(VertexId source) const;            // what the source says
//     MILLRACE_HD bool absorb(VertexId target, Message message);     // true: the target joins the next frontier
//   };
//
// absorb() is called once per target that got at least one message, with all of them combined. Void means never join;
// such a program may be handed the identity of Combine where there was no message.
// Where messages can as well be taken one by one, in any order and by many threads at once, a program may say how, and
// a push keeps none of them waiting:
//
//     MILLRACE_HD bool receive(VertexId target, Message message) const;  // true: makes the target join; once at most
//     MILLRACE_HD void join(VertexId target) const;                      // called then
//
// A program that takes weights says so by their type, and its messages belong to an edge:
//
//     using Weight = std::uint32_t;                                  // or double, which takes those of any store
//     MILLRACE_HD Message message(VertexId source, VertexId target, Weight weight) const;
//
// and where that reads an attribute of the target, it may say which, for it to be fetched ahead:
//
//     MILLRACE_HD const void* read_at(VertexId target) const;
//
// Its graph has to be loaded with weights (GraphNeeds); where the store has none, every edge weighs 1. Such a program
// may also speak along some edges alone: a message equal to the identity of Combine says nothing. Whether a target
// that was told nothing absorbs it is left open.
#pragma once

#include <bit>
#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include "millrace/core/types.h"
#include "millrace/operators/atomics.h"

namespace millrace {

// An attribute seen by a program: it does not own.
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

// `yes` or `no` without a branch, for conditions that hang on a random read: a wrong guess would stall all that follow.
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

// How messages to one target are combined. Each supplies the identity and the operation; from these the operators make
// atomics, partial results of hubs, and what several devices make of their messages.
struct Sum {
  template <class T>
  static constexpr T identity() {
    return T{0};
  }
  template <class T>
  MILLRACE_HD static constexpr T apply(T a, T b) {
    return a + b;
  }
};
struct Min {
  template <class T>
  static constexpr T identity() {
    return std::numeric_limits<T>::max();
  }
  template <class T>
  MILLRACE_HD static constexpr T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  static constexpr T identity() {
    return std::numeric_limits<T>::lowest();
  }
  template <class T>
  MILLRACE_HD static constexpr T apply(T a, T b) {
    return a < b ? b : a;
  }
};
struct Or {
  template <class T>
  static constexpr T identity() {
    return T{};
  }
  template <class T>
  MILLRACE_HD static constexpr T apply(T a, T b) {
    return a | b;
  }
};
// The larger of each pair of bytes: a word of small unsigned numbers.
struct MaxBytes {
  template <class T>
  static constexpr T identity() {
    return T{};
  }
  template <std::unsigned_integral T>
  MILLRACE_HD static constexpr T apply(T a, T b) {
    constexpr T high = static_cast<T>(~T{0}) / 255 * 128;  // the highest bit of each byte
    // Above seven bits that are compared without borrowing from the next byte, the highest ones decide where they
    // differ.
    const T low_not_less = (a | high) - (b & ~high);
    const T not_less = ((a & ~b) | (~(a ^ b) & low_not_less)) & high;
    const T mask = (not_less << 1) - (not_less >> 7);  // 255 in each byte where a is not less
    return (a & mask) | (b & ~mask);
  }
};
// The message of the lowest active source decides: pull stops at the first it meets, since rows ascend; push keeps the
// lowest. Any message would often do; taking the first makes results the same whatever the plan.
struct First {};

template <class Program>
inline constexpr bool takes_first = std::is_same_v<typename Program::Combine, First>;

template <class Program>
inline constexpr bool takes_weights = requires {
  typename Program::Weight;
};

// In the place of a weight where the program takes none.
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
concept SaysToAll = requires(const Program program, VertexId v) {
  { program.message(v) } -> std::convertible_to<typename Program::Message>;
};
template <class Program>
concept SaysAlongEdges = takes_weights<Program> && requires(const Program program, VertexId v, WeightOf<Program> w) {
  { program.message(v, v, w) } -> std::convertible_to<typename Program::Message>;
};
template <class Program>
concept EdgeProgram = (SaysToAll<Program> || SaysAlongEdges<Program>)&&requires(Program program, VertexId v,
                                                                                typename Program::Message message) {
  typename Program::Combine;
  program.absorb(v, message);
};

// What waits for a target while a push runs: the combined message, or for First the lowest source.
template <class Program>
using Pending = std::conditional_t<takes_first<Program>, VertexId, typename Program::Message>;

template <class Program>
constexpr Pending<Program> nothing_pending() {
  if constexpr (takes_first<Program>)
    return no_vertex;
  else
    return Program::Combine::template identity<typename Program::Message>();
}

// A program whose messages are simply the values of one attribute may say so by a member sent(): message(v) is then
// sent()[v], and an operator may read the attribute by itself, many values at once.
template <class Program>
inline constexpr bool sums_floats = requires(const Program program) {
  { program.sent() } -> std::same_as<View<const float>>;
}
&&std::is_same_v<typename Program::Combine, Sum>&& std::is_same_v<typename Program::Message, float>;

template <class Program>
inline constexpr bool receives_at_once = requires(const Program program, typename Program::Message message) {
  { program.receive(VertexId{}, message) } -> std::same_as<bool>;
}
&&!takes_first<Program> && !takes_weights<Program>;

// Whether its targets can join a frontier.
template <class Program>
inline constexpr bool can_join =
    !std::is_void_v<decltype(std::declval<Program&>().absorb(VertexId{}, std::declval<typename Program::Message>()))>;

// A program whose absorb(), or a body that, changes values of other vertices by atomics says so by a type
// `WritesToOthers`: where several GPUs share attributes that are far, one of them at a time may do so.
template <class Program>
inline constexpr bool writes_to_others = requires {
  typename Program::WritesToOthers;
};

// A program on its way through the operators. Messages are absorbed; or, where several devices have parts of one graph,
// kept as they are, one for each target, to be exchanged and absorbed later. Those who are kept one for join.
template <class Program>
struct Carried : Program {
  Pending<Program>* kept = nullptr;  // null: absorbed
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

// How a pending value waits in the inbox of a push. Sums of floats wait as doubles: unlike a pull, which sums the lanes
// of a hub apart, a push adds one message after another, and a float would lose the small ones.
template <class Program>
using Inbox = std::conditional_t<std::is_same_v<typename Program::Combine, Sum> &&
                                     std::is_same_v<typename Program::Message, float>,
                                 double, Pending<Program>>;

// What `source` adds to the pending value of a target.
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

// Where all that is sent changes an empty inbox, and nothing brings it back, the inbox itself tells whether anything
// came: no source is the empty value of First, and messages along edges that say nothing are not sent.
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

// Whether the message of an edge is to be sent.
template <class Program>
MILLRACE_HD bool says_something([[maybe_unused]] const Pending<Program>& pending) {
  if constexpr (takes_weights<Program>)
    return combine<Program>(nothing_pending<Program>(), pending) != nothing_pending<Program>();
  else
    return true;
}

// Hands a target a message, where they are received at once; true if it has to join, which is next.
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

// Hands a target its combined message; true if it joins the next frontier.
template <class Program>
MILLRACE_HD bool deliver(Program& program, VertexId target, Pending<Program> pending) {
  if constexpr (requires { program.kept; }) {
    if (program.kept) {
      program.kept[target] = pending;
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
