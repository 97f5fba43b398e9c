// What a run keeps for every vertex beside the graph. An algorithm names its attributes and describes its supersteps;
// superstep_memory() knows what executors keep for such supersteps, and plan_memory() adds it all up.
#pragma once

#include <algorithm>
#include <cstdint>

#include "millrace/devices/device.h"
#include "millrace/operators/fields.h"

namespace millrace {

// Attributes that exist at the same time.
struct AttributeNeeds {
  std::uint64_t bytes = 0;  // for each vertex
  std::uint64_t count = 0;

  bool operator==(const AttributeNeeds&) const = default;
  AttributeNeeds operator+(const AttributeNeeds& more) const { return {bytes + more.bytes, count + more.count}; }
};

// Attributes of these types.
template <class... T>
constexpr AttributeNeeds attributes_of() {
  return {(sizeof(T) + ... + 0), sizeof...(T)};
}

struct SuperstepNeeds {
  bool push = false;                // some supersteps may push
  std::uint32_t frontiers = 0;      // that exist at the same time, with the one that a superstep makes
  std::uint32_t queues = 0;         // of these, the ones that are queues even if every superstep pulls
  bool unites = false;              // frontiers along both ways become one
  std::uint32_t long_queues = 0;    // of these, the ones that may be queues of nearly all vertices on a GPU too
  std::uint64_t inbox_bytes = 0;    // for each vertex, of the widest message that waits while others are pushed
  std::uint64_t kept_bytes = 0;     // for each vertex, of the widest message that a pull of blocked pages keeps
  std::uint64_t message_bytes = 0;  // of the widest message
  std::uint64_t sent_bytes = 0;     // of the widest message that depends on its source alone and is not its number
  std::uint64_t view_bytes = 0;     // for each vertex, of all attributes that one program with weights has
  std::uint32_t thread_bits = 0;    // for each vertex and thread of a cpu

  bool operator==(const SuperstepNeeds&) const = default;
};

// Supersteps that run these programs.
template <class... Program>
constexpr SuperstepNeeds supersteps_of(SuperstepNeeds needs) {
  needs.message_bytes = std::max({needs.message_bytes, std::uint64_t{sizeof(Pending<Program>)}...});
  for (const std::uint64_t bytes : {(receives_at_once<Program> ? std::uint64_t{0} : sizeof(Inbox<Program>))...})
    needs.inbox_bytes = std::max(needs.inbox_bytes, bytes);
  for (const std::uint64_t bytes :
       {(searches<Program> || keeps_in<Program> ? std::uint64_t{0} : sizeof(Pending<Program>))...})
    needs.kept_bytes = std::max(needs.kept_bytes, bytes);
  const auto viewed = []<class One>(One*) -> std::uint64_t {
    if constexpr (takes_weights<One>) return views_of_type<One>().bytes;
    return 0;
  };
  needs.view_bytes = std::max({needs.view_bytes, viewed(static_cast<Program*>(nullptr))...});
  for (const std::uint64_t bytes :
       {(takes_weights<Program> || takes_first<Program> ? std::uint64_t{0} : sizeof(Pending<Program>))...})
    needs.sent_bytes = std::max(needs.sent_bytes, bytes);
  return needs;
}

// The longest queue that a GPU makes: of targets with messages in an inbox, or of a frontier if no queue has to be
// long. Larger sets are bitmaps.
inline std::uint64_t queue_capacity(const SuperstepNeeds& needs, std::uint64_t num_vertices) {
  return std::min(num_vertices, std::max<std::uint64_t>(num_vertices / (needs.long_queues > 0 ? 4 : 8), 1 << 15));
}

// Memory of the attributes of so many vertices.
std::uint64_t attribute_memory(const AttributeNeeds& needs, std::uint64_t num_vertices);
// What an executor keeps in the memory of its device for such supersteps, beside what describes pages.
std::uint64_t superstep_memory(const SuperstepNeeds& needs, std::uint64_t num_vertices, DeviceKind kind);
// The same where attributes are far: frontiers are bits. What waits for targets is counted by target.
std::uint64_t far_superstep_memory(const SuperstepNeeds& needs, std::uint64_t num_vertices, DeviceKind kind);

}  // namespace millrace
