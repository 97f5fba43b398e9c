// The supersteps of a run as its reports have them: each by itself or, of a long run, neighbours together. So a run of
// any length takes the same memory for them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "millrace/engine/superstep.h"

namespace millrace {

// What one superstep did, or what several in a row did: then counts, times and active vertices are sums, and memory is
// the largest.
struct SuperstepRecord : Superstep {
  SuperstepRecord() = default;
  SuperstepRecord(const Superstep& one) : Superstep(one), pulls(one.direction == Direction::pull) {
    methods[static_cast<std::size_t>(one.method)] = 1;
  }

  // Together with what came next.
  void join(const SuperstepRecord& next);
  // "mixed" where some pushed and some pulled.
  std::string_view direction_text() const;
  std::string_view method_text() const;

  std::uint64_t count = 1;                              // supersteps
  std::uint64_t pulls = 0;                              // of these
  std::array<std::uint64_t, num_methods> methods = {};  // the same by method
  double first_began = 0;                               // in seconds of the timeline, if there is one
  double last_ended = 0;
};

class SuperstepRecords {
 public:
  // So many records are kept, which take 4 MB. Where there are more supersteps, each record has 2 of them, then 4, ...
  static constexpr std::size_t most = std::size_t{1} << 14;

  void add(const SuperstepRecord& next);
  void clear() { *this = {}; }
  // In their order. All but the last one stand for the same number of supersteps.
  const std::vector<SuperstepRecord>& all() const { return records_; }

 private:
  std::vector<SuperstepRecord> records_;
  std::uint64_t each_ = 1;  // supersteps of a full record
};

}  // namespace millrace
