// The host memory that a cpu works with when it helps a GPU: all arrays are by vertex.
#pragma once

#include <cstdint>

namespace millrace {

struct HelperRoom {
  std::uint64_t num_vertices = 0;
  const std::uint64_t* active = nullptr;  // bits of the active vertices; null: all are
  const std::uint64_t* wanted = nullptr;  // bits of the targets that want a message; null: all do
  const void* sent = nullptr;             // messages of sources
  void* got = nullptr;                    // messages of targets: gathered, or in an inbox
  std::uint64_t* found = nullptr;         // bits of the targets that got one
  bool empty_all = false;                 // of an inbox: all of it is to be emptied first, not what `found` says alone
};

}  // namespace millrace
