// Programs whose targets record what they hear, and what they should hear: found by a loop over adjacency lists.
#pragma once

#include <cstdint>
#include <ostream>
#include <type_traits>
#include <vector>

#include "millrace/operators/program.h"
#include "support/graphs.h"

namespace millrace::test {

constexpr bool joins(VertexId v) { return v % 3 != 1; }
constexpr bool is_wanted(VertexId v) { return v % 5 != 2; }

// What a target absorbed.
template <class T>
struct Heard {
  T message = T{};
  std::uint32_t times = 0;
  bool operator==(const Heard&) const = default;
};
template <class T>
void PrintTo(const Heard<T>& heard, std::ostream* out) {
  *out << +heard.message << " x" << heard.times;
}

// Absorbs all messages of its neighbours.
template <class CombineBy, class T>
struct Listen {
  using Message = T;
  using Combine = CombineBy;
  using ForOneDevice = void;
  View<const T> says;
  View<Heard<T>> heard;

  Message message(VertexId source) const { return says[source]; }
  bool absorb(VertexId target, Message message) {
    heard[target].message = message;
    ++heard[target].times;
    return joins(target);
  }
};

// The same, but some targets want no message.
template <class CombineBy, class T>
struct ListenAtWill : Listen<CombineBy, T> {
  bool wants(VertexId target) const { return is_wanted(target); }
};

// The same, and no target ever joins.
template <class CombineBy, class T>
struct ListenSilently {
  using Message = T;
  using Combine = CombineBy;
  using ForOneDevice = void;
  View<const T> says;
  View<Heard<T>> heard;
  Message message(VertexId source) const { return says[source]; }
  void absorb(VertexId target, Message message) {
    heard[target].message = message;
    ++heard[target].times;
  }
};

template <class Program>
constexpr bool selective = requires(Program program) {
  program.wants(VertexId{});
};
template <class Program>
constexpr bool silent =
    std::is_void_v<decltype(std::declval<Program>().absorb(VertexId{}, typename Program::Message{}))>;

// Small whole numbers, exact in every type whatever the order of addition; among them the identity of every way to
// combine, which is a message like any other.
template <class CombineBy, class T>
std::vector<T> sayings(std::uint64_t n) {
  std::vector<T> says(n);
  for (std::uint64_t v = 0; v < n; ++v) says[v] = static_cast<T>(v * 7 % 11);
  if constexpr (!std::is_same_v<CombineBy, First>)
    for (std::uint64_t v = 0; v < n; v += 2) says[v] = CombineBy::template identity<T>();
  return says;
}

// Chooses the vertices of a frontier. A push walks all slices for many, and looks up the rows of few.
enum class Choice { all, most, some, few };
inline bool chosen(Choice choice, VertexId v) {
  return choice == Choice::all || (choice == Choice::most   ? v % 4 != 1
                                   : choice == Choice::some ? v % 37 == 3
                                                            : v % 211 == 0);
}

// Like a search: who was found wants no more messages.
struct Select {
  using Message = VertexId;
  using Combine = First;
  using ForOneDevice = void;
  Choice choice;
  View<std::uint8_t> found;
  bool wants(VertexId target) const { return chosen(choice, target) && found[target] == 0; }
  Message message(VertexId source) const { return source; }
  bool absorb(VertexId target, Message) {
    found[target] = 1;
    return true;
  }
};

template <class Program>
struct Expected {
  std::vector<Heard<typename Program::Message>> heard;
  std::uint64_t joined = 0, joined_edges = 0;
};

template <class Program>
Expected<Program> evaluate(const Adjacency& graph, const std::vector<bool>& active,
                           const std::vector<typename Program::Message>& says) {
  using Combine = typename Program::Combine;
  Expected<Program> expected;
  expected.heard.resize(graph.num_vertices());
  for (VertexId target = 0; target < graph.num_vertices(); ++target) {
    if (selective<Program> && !is_wanted(target)) continue;
    auto& [message, times] = expected.heard[target];
    for (const VertexId source : graph.in[target]) {
      if (!active[source]) continue;
      if (times == 0)
        message = says[source];
      else if constexpr (!std::is_same_v<Combine, First>)
        message = Combine::apply(message, says[source]);
      times = 1;
    }
    if (times == 0 || silent<Program> || !joins(target)) continue;
    ++expected.joined;
    expected.joined_edges += graph.out[target].size();
  }
  return expected;
}

}  // namespace millrace::test
