// Segments of values for tests of most_frequent, and their most frequent values.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "millrace/core/hash.h"

namespace millrace::test {

struct Segments {
  std::string name;
  std::vector<std::uint64_t> offset = {0};
  std::vector<std::uint32_t> values = {};

  std::uint64_t size() const { return offset.size() - 1; }
  // Appends a segment whose i-th value is value(i).
  template <class Value>
  void add(std::uint64_t length, Value value) {
    for (std::uint64_t i = 0; i < length; ++i) values.push_back(value(i));
    offset.push_back(values.size());
  }

  // Counted one by one; the value `nothing` for empty segments.
  std::vector<std::uint32_t> most_frequent(std::uint32_t nothing) const {
    std::vector<std::uint32_t> found(size(), nothing);
    for (std::uint64_t s = 0; s < size(); ++s) {
      std::map<std::uint32_t, std::uint64_t> counts;
      for (std::uint64_t i = offset[s]; i < offset[s + 1]; ++i) ++counts[values[i]];
      std::uint64_t most = 0;
      for (const auto& [value, count] : counts)  // in ascending order: the first is the smallest
        if (count > most) most = count, found[s] = value;
    }
    return found;
  }
};

// Lengths near those at which another method is used.
inline std::vector<std::uint64_t> segment_lengths() {
  return {1,    2,    3,    4,    5,    7,    8,      9,      15,     16,     17,     23,    24,
          25,   31,   32,   33,   40,   63,   64,     65,     100,    127,    128,    129,   255,
          256,  257,  500,  511,  512,  513,  600,    1023,   1025,   2047,   2049,   4095,  4097,
          5119, 5120, 5121, 5122, 8191, 8193, 10'239, 10'241, 16'383, 16'385, 30'000, 70'001};
}

// x with mix32(x) == hash.
inline std::uint32_t unmix32(std::uint32_t hash) {
  const auto inverse = [](std::uint32_t odd) {
    std::uint32_t x = odd;  // right in 3 bits; each step doubles that number
    for (int i = 0; i < 4; ++i) x *= 2 - odd * x;
    return x;
  };
  hash ^= hash >> 16;
  hash *= inverse(0xc2b2ae35u);
  hash ^= hash >> 13 ^ hash >> 26;
  hash *= inverse(0x85ebca6bu);
  return hash ^ hash >> 16;
}

// Each kind has segments of all lengths, short ones more often, and empty ones between them.
inline std::vector<Segments> segments_of_every_kind() {
  std::mt19937 random(5);
  std::vector<Segments> kinds;
  const auto add = [&](const std::string& name, const auto& value) {
    Segments segments{name};
    for (const std::uint64_t length : segment_lengths())
      for (std::uint64_t again = 0; again < 1 + 200 / length; ++again) {
        segments.add(length, [&](std::uint64_t i) { return value(i, length); });
        if (random() % 4 == 0) segments.add(0, [](std::uint64_t) { return 0u; });
      }
    kinds.push_back(segments);
  };
  add("all different", [](auto i, auto) { return 7 * static_cast<std::uint32_t>(i) + 3; });
  add("all different, falling", [](auto i, auto) { return 0xffff'fff0u - static_cast<std::uint32_t>(i); });
  add("all equal", [](auto, auto length) { return static_cast<std::uint32_t>(length); });
  add("random", [&](auto, auto) { return static_cast<std::uint32_t>(random() % 0xffff'ffffu); });
  add("random pairs", [&](auto, auto length) { return static_cast<std::uint32_t>(random() % (length / 2 + 1)); });
  add("random of few", [&](auto, auto) { return static_cast<std::uint32_t>(random() % 5) * 1000; });
  add("ties of two", [](auto i, auto) { return i % 2 ? 9u : 1'000'000u; });
  add("each twice", [](auto i, auto length) { return static_cast<std::uint32_t>(i % ((length + 1) / 2)) + 100; });
  // A third of the values are the same, the others differ: no majority, but a sample often finds it.
  add("a third", [&](auto i, auto) { return random() % 3 == 0 ? 17u : static_cast<std::uint32_t>(i) + 20; });
  add("a majority", [&](auto i, auto) { return random() % 9 < 6 ? 17u : static_cast<std::uint32_t>(i) + 20; });
  // Exactly half, and slightly more.
  add("half", [](auto i, auto length) { return 2 * i < length ? 5u : static_cast<std::uint32_t>(i); });
  // Consecutive hashes: one part of the hashes has all values.
  add("clustered hashes", [](auto i, auto) { return unmix32(static_cast<std::uint32_t>(i) + 1000); });
  add("clustered pairs", [](auto i, auto) { return unmix32(static_cast<std::uint32_t>(i / 2)); });
  return kinds;
}

}  // namespace millrace::test
