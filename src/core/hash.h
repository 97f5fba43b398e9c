// Hash functions that turn a counter into pseudo-random numbers, the same on every thread. Both are bijections.
#pragma once

#include <cstdint>

namespace millrace {

// Stafford's variant 13 of the 64-bit finaliser of MurmurHash3.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The 32-bit finaliser of MurmurHash3.
constexpr std::uint32_t mix32(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

}  // namespace millrace
