// How messages to one target are combined. Each type has the identity and the operation; from these the operators make
// atomics, partial results of hubs, and the exchange between several devices.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

#include "millrace/core/types.h"

namespace millrace {

// The ends of a type. Of real numbers these are the infinities: the identity of a minimum must not hide a finite value.
template <class T>
inline constexpr T upper_end = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                    : std::numeric_limits<T>::max();
template <class T>
inline constexpr T lower_end = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                                    : std::numeric_limits<T>::lowest();

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
    return upper_end<T>;
  }
  template <class T>
  MILLRACE_HD static constexpr T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  static constexpr T identity() {
    return lower_end<T>;
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
// The maximum of each pair of bytes, for words with a small unsigned number in each byte.
struct MaxBytes {
  template <class T>
  static constexpr T identity() {
    return T{};
  }
  template <std::unsigned_integral T>
  MILLRACE_HD static constexpr T apply(T a, T b) {
    constexpr T high = static_cast<T>(~T{0}) / 255 * 128;  // the highest bit of each byte
    // The low seven bits of each byte are compared without a borrow from the next byte; where the highest bits differ,
    // these decide.
    const T low_not_less = (a | high) - (b & ~high);
    const T not_less = ((a & ~b) | (~(a ^ b) & low_not_less)) & high;
    const T mask = (not_less << 1) - (not_less >> 7);  // 255 in each byte where a is not less
    return (a & mask) | (b & ~mask);
  }
};
// The message of the lowest active source is taken: a pull stops there, since rows ascend; a push keeps the lowest. So
// results are the same with every plan. wants(), if there is one, must be false for a target that has absorbed.
struct First {};

template <class Program>
inline constexpr bool takes_first = std::is_same_v<typename Program::Combine, First>;

}  // namespace millrace
