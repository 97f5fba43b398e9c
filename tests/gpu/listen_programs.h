// Programs whose targets record their messages: their halves for GPUs are compiled in the files listen_*.cu.
#pragma once

#include <type_traits>

#include "millrace/operators/program.h"

namespace millrace::test {

// Which vertices are chosen: for a frontier, or to want a message.
enum class Choice { all, most, some, few, one };
MILLRACE_HD inline bool is_chosen(Choice choice, VertexId v) {
  switch (choice) {
    case Choice::most:
      return v % 4 != 1;
    case Choice::some:
      return v % 37 == 3;
    case Choice::few:
      return v % 211 == 0;
    default:
      return true;
  }
}

template <class T>
struct Heard {
  T message;
  std::uint32_t times;
};

// With `picky` only some targets want a message, with `joining` some join the next frontier.
template <class CombineBy, class T, bool picky, bool joining>
struct Listen {
  using Message = T;
  using Combine = CombineBy;
  using ForOneDevice = void;
  View<const T> says;
  View<Heard<T>> heard;
  Choice wanting = Choice::most;
  Choice joiners = Choice::most;

  MILLRACE_HD bool wants(VertexId target) const requires picky { return is_chosen(wanting, target); }
  MILLRACE_HD Message message(VertexId source) const { return says[source]; }
  MILLRACE_HD std::conditional_t<joining, bool, void> absorb(VertexId target, Message message) {
    heard[target].message = message;
    ++heard[target].times;
    if constexpr (joining) return is_chosen(joiners, target);
  }
};

using SumOfU32 = Listen<Sum, std::uint32_t, false, true>;
using SumOfU64 = Listen<Sum, std::uint64_t, true, false>;
using SumOfF32 = Listen<Sum, float, true, true>;
using MinOfU32 = Listen<Min, std::uint32_t, true, true>;
using MinOfF64 = Listen<Min, double, false, true>;
using MaxOfI32 = Listen<Max, std::int32_t, false, false>;
using MaxOfI64 = Listen<Max, std::int64_t, true, true>;
using OrOfBool = Listen<Or, bool, false, true>;
using OrOfU64 = Listen<Or, std::uint64_t, true, false>;
using FirstF64 = Listen<First, double, false, false>;
// Chooses frontiers for all tests, so that one program less is compiled.
using Select = Listen<First, VertexId, true, true>;

}  // namespace millrace::test
