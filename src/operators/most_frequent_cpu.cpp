// Bound by streaming the values if guesses are right, else by look-ups in the first-level and second-level cache.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "millrace/core/threads.h"
#include "millrace/operators/most_frequent.h"

namespace millrace {
namespace {

constexpr std::uint64_t brief = 24;             // so few values are compared each with each, without a table
constexpr std::uint32_t max_slot_bits = 14;     // 128 KiB
constexpr std::uint64_t unit_values = 1 << 15;  // how many values a thread takes at a time
constexpr std::uint32_t digit_bits = 8;

// The larger pair has the larger count or, at equal counts, the smaller value (stored as ~value).
using Best = std::pair<std::uint64_t, std::uint32_t>;
void offer(Best& best, std::uint64_t count, std::uint32_t value) { best = std::max(best, Best{count, ~value}); }

// A multiplicative hash: its high bits are well mixed. A bijection.
std::uint32_t hash(std::uint32_t value) { return value * 0x9e3779b1u; }

std::uint64_t count_of(std::uint32_t value, const std::uint32_t* values, std::uint64_t n) {
  return static_cast<std::uint64_t>(std::count(values, values + n, value));
}

// Boyer and Moore's majority vote over a sample.
std::uint32_t guess(const std::uint32_t* values, std::uint64_t n) {
  std::uint32_t candidate = values[0];
  int lead = 0;
  for (std::uint64_t i = 0; i < n; i += (n + 15) / 16) {
    if (lead == 0) candidate = values[i];
    lead += values[i] == candidate ? 1 : -1;
  }
  return candidate;
}

class Counter {
 public:
  std::uint32_t find(std::uint32_t* values, std::uint64_t n) {
    if (n <= 2) return std::min(values[0], values[n - 1]);
    Best best{0, 0};
    if (n <= brief) {
      for (std::uint64_t i = 0; i < n; ++i) offer(best, count_of(values[i], values, n), values[i]);
    } else {
      const std::uint32_t candidate = guess(values, n);
      if (2 * count_of(candidate, values, n) > n) return candidate;
      count(values, n, 0, best);
    }
    return ~best.second;
  }

 private:
  struct Slot {
    std::uint32_t value;
    std::uint32_t count;  // 0: free
  };

  // Counts values whose hashes agree in the first `digits` digits. If they are too many for the table, they are
  // partitioned by the next digit first; after the last digit only equal values are left.
  void count(std::uint32_t* values, std::uint64_t n, std::uint32_t digits, Best& best) {
    if (digits * digit_bits == 32) return offer(best, n, values[0]);
    if (count_in_table(values, n, digits, best)) return;
    const Ends ends = part(values, n, digits);
    std::uint64_t first = 0;
    for (const std::uint64_t end : ends) {
      if (end > first) count(values + first, end - first, digits + 1, best);
      first = end;
    }
  }

  // False if there are too many different values. The counts offered until then do no harm: they are not too large.
  bool count_in_table(const std::uint32_t* values, std::uint64_t n, std::uint32_t digits, Best& best) {
    const std::uint32_t bits = std::min<std::uint32_t>(max_slot_bits, std::bit_width(2 * n - 1));
    const std::uint32_t mask = (1u << bits) - 1;
    std::uint32_t room = mask / 2;
    table_.resize(std::max<std::size_t>(table_.size(), mask + 1));
    std::memset(table_.data(), 0, (mask + 1) * sizeof(Slot));
    for (std::uint64_t i = 0; i < n; ++i) {
      std::uint32_t s = (hash(values[i]) << (digits * digit_bits)) >> (32 - bits);
      while (table_[s].count != 0 && table_[s].value != values[i]) s = (s + 1) & mask;
      if (table_[s].count == 0 && room-- == 0) return false;
      table_[s].value = values[i];
      offer(best, ++table_[s].count, values[i]);
    }
    return true;
  }

  // Partitions values by a digit of their hash, in place (McIlroy's American flag sort); returns where each part ends.
  using Ends = std::array<std::uint64_t, 1 << digit_bits>;
  static Ends part(std::uint32_t* values, std::uint64_t n, std::uint32_t digits) {
    const auto digit = [digits](std::uint32_t value) {
      return (hash(value) << (digits * digit_bits)) >> (32 - digit_bits);
    };
    Ends next{}, ends{};
    for (std::uint64_t i = 0; i < n; ++i) ++ends[digit(values[i])];
    std::uint64_t sum = 0;
    for (std::size_t d = 0; d < ends.size(); ++d) {
      next[d] = sum;
      ends[d] = sum += ends[d];
    }
    for (std::size_t d = 0; d < ends.size(); ++d)
      while (next[d] < ends[d]) {
        std::uint32_t value = values[next[d]];
        for (std::uint32_t e = digit(value); e != d; e = digit(value)) std::swap(value, values[next[e]++]);
        values[next[d]++] = value;
      }
    return ends;
  }

  std::vector<Slot> table_;
};

}  // namespace

void most_frequent(const std::uint64_t* offset, std::uint64_t segments, std::uint32_t* values, std::uint32_t* result,
                   int threads) {
  const std::uint64_t units = (offset[segments] - offset[0]) / unit_values + 1;
  Draw draw;
  on_threads(threads_for(units, 1, threads), [&](const ThreadOf&) {
    Counter counter;
    draw.for_each(units, [&](std::uint64_t u) {
      // The segments that begin among these values.
      const std::uint64_t* const end = offset + segments;
      const std::uint64_t* at = std::lower_bound(offset, end, offset[0] + u * unit_values);
      for (; at != end && *at < offset[0] + (u + 1) * unit_values; ++at)
        if (at[1] > at[0]) result[at - offset] = counter.find(values + at[0], at[1] - at[0]);
    });
  });
}

}  // namespace millrace
