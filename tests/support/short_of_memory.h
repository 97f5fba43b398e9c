// Runs that are short of memory: every allocation of a run fails once.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "millrace/core/error.h"
#include "support/works.h"

namespace millrace::test {

inline Shape weighted_rmat(unsigned scale, bool undirected) {
  Shape made = rmat(scale);
  made.undirected = undirected;
  made.weights = WeightType::u8;
  return made;
}

// Runs the work again and again on one engine: with no memory of the devices left, with 4 KiB left, and so on until it
// is enough. Each run fails a little later than the one before; the last one has to find what is expected, whatever
// the others left behind. Returns how many runs failed.
inline std::size_t fail_then_succeed(const Work& work, Engine& engine, std::span<Device* const> devices,
                                     const std::vector<double>& expected) {
  for (std::size_t failed = 0;; ++failed) {
    std::vector<Charge> taken;
    for (Device* const device : devices) {
      Budget& memory = device->memory();
      const std::uint64_t left = memory.limit() - memory.used(), room = failed * 4096;
      if (left > room) taken.emplace_back(left - room, memory, "a test");
    }
    std::vector<double> found;
    try {
      found = work.run(engine);
    } catch (const DoesNotFitError&) {
      if (taken.empty()) throw;
      continue;
    }
    taken.clear();
    expect_same(work, found, expected);
    return failed;
  }
}

}  // namespace millrace::test
