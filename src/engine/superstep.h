// What one superstep did: for reports.
#pragma once

#include <cstdint>

#include "millrace/engine/direction.h"

namespace millrace {

struct Superstep {
  Direction direction = Direction::pull;
  std::uint64_t active = 0;           // vertices in the frontier it started from
  std::uint64_t edges = 0;            // looked at
  std::uint64_t bytes = 0;            // of topology read; not counted where a GPU walks single rows
  std::uint64_t loaded_bytes = 0;     // of pages copied over the link to the device
  std::uint64_t cached_bytes = 0;     // of needed pages found in its memory
  std::uint64_t disk_bytes = 0;       // of pages read from disk
  std::uint64_t helped_bytes = 0;     // of pages that the cpu computed on beside a GPU, where they were
  std::uint64_t exchanged_bytes = 0;  // of messages and joined bits between devices; none in a push on one GPU
  double seconds = 0;                 // the mean, where several were done in one launch

  // With what another device did for it.
  Superstep& operator+=(const Superstep& other) {
    edges += other.edges;
    bytes += other.bytes;
    loaded_bytes += other.loaded_bytes;
    cached_bytes += other.cached_bytes;
    disk_bytes += other.disk_bytes;
    helped_bytes += other.helped_bytes;
    return *this;
  }
};

}  // namespace millrace
