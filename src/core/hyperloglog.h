// HyperLogLog (Flajolet et al. 2007): estimates how many distinct elements a set has, from a few registers. Each
// element belongs to one register and has a rank: rank r with probability 2^-r. A register keeps the highest rank. The
// registers of a union are the larger of each pair.
#pragma once

#include <cmath>
#include <cstdint>

#include "millrace/core/hash.h"
#include "millrace/core/types.h"

namespace millrace {

struct HyperLogLogPlace {
  std::uint32_t index;
  std::uint32_t rank;  // from 1, below 64
};

MILLRACE_HD constexpr HyperLogLogPlace hyperloglog_place(std::uint64_t thing, std::uint64_t seed,
                                                         std::uint32_t log2_registers) {
  const std::uint64_t hash = mix(thing * 0x9e3779b97f4a7c15u + mix(seed + 1));
  HyperLogLogPlace place{static_cast<std::uint32_t>(hash & ((std::uint64_t{1} << log2_registers) - 1)), 1};
  for (std::uint64_t rest = hash >> log2_registers; rest % 2 == 0 && place.rank < 64 - log2_registers; rest /= 2)
    ++place.rank;
  return place;
}

// The standard error of an estimate, relative to the estimate.
inline double hyperloglog_error(std::uint32_t log2_registers) {
  return 1.04 / std::sqrt(static_cast<double>(std::uint64_t{1} << log2_registers));
}

// The sum over the registers of a set, from which its size is estimated.
class HyperLogLogSum {
 public:
  // Adds eight registers of one byte each.
  MILLRACE_HD void add(std::uint64_t word) {
    for (int i = 0; i < 8; ++i, word >>= 8) {
      sum_ += (std::uint64_t{1} << one) >> (word & 0xff);
      zeros_ += (word & 0xff) == 0;
    }
  }
  MILLRACE_HD double estimate(std::uint32_t log2_registers) const {
    const double m = static_cast<double>(std::uint64_t{1} << log2_registers);
    const double alpha = m <= 16 ? 0.673 : m <= 32 ? 0.697 : m <= 64 ? 0.709 : 0.7213 / (1 + 1.079 / m);
    const double sum = static_cast<double>(sum_) / static_cast<double>(std::uint64_t{1} << one);
    const double estimate = alpha * m * m / sum;
    // For small sets the number of empty registers gives a better estimate.
    return estimate <= 2.5 * m && zeros_ > 0 ? m * std::log(m / zeros_) : estimate;
  }

 private:
  static constexpr int one = 53;  // bits of the fixed-point fraction; higher ranks add less than a double can show
  std::uint64_t sum_ = 0;         // of 2^-rank
  std::uint32_t zeros_ = 0;
};

}  // namespace millrace
