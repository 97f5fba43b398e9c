// A 64-bit mixer: the same numbers from the same counter, whatever thread asks.
#pragma once

#include <cstdint>

namespace millrace {

// Stafford's variant 13 of the 64-bit finaliser of MurmurHash3.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace millrace
