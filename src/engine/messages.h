// The messages that several devices keep for each other, one for each target, as plain code has them: their type is
// known to the program that they belong to (exchange.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "millrace/core/types.h"

namespace millrace {

inline constexpr std::size_t max_devices = 16;

struct Messages {
  std::uint32_t count = 0;  // of devices
  void* values[max_devices] = {};
  // A bit for each vertex that has a value; all null where all have one.
  std::byte* bits[max_devices] = {};
  // The same vertices one by one, where a device has them so; else null.
  const VertexId* queue[max_devices] = {};
  std::uint64_t size[max_devices] = {};

  // Whether all devices have queued their vertices, and these are few enough to go over them one by one.
  bool few(std::uint64_t num_vertices) const {
    std::uint64_t all = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!queue[i]) return false;
      all += size[i];
    }
    return all <= std::max<std::uint64_t>(num_vertices / 32, 4096);
  }
  bool some_queued() const {
    return std::any_of(queue, queue + count, [](const VertexId* one) { return one; });
  }
};

}  // namespace millrace
