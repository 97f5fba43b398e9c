// Push or pull: the choice of each superstep, made from what either would look at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace millrace {

enum class Direction { automatic, push, pull };

constexpr std::string_view direction_name(Direction direction) {
  return direction == Direction::push ? "push" : direction == Direction::pull ? "pull" : "auto";
}

struct DirectionInputs {
  std::uint64_t num_rows = 0;  // vertices that a pull would visit
  std::uint64_t num_edges = 0;
  std::uint64_t frontier_edges = 0;
  bool stops_early = false;  // a pull ends a row at its first active source
};

// An edge looked at by pull costs less than one pushed: it reads a bit or a value, with no atomics and in order.
inline constexpr double pull_edge_cost = 0.25;

inline Direction choose_direction(const DirectionInputs& in) {
  const double frontier_edges = static_cast<double>(in.frontier_edges);
  double pulled = static_cast<double>(in.num_edges);
  if (in.stops_early && in.frontier_edges > 0) {
    // With a share f of all edges leading out of the frontier, a row meets one after about 1/f looks.
    const double looks = pulled / frontier_edges;
    pulled = static_cast<double>(in.num_rows) + std::min(pulled, static_cast<double>(in.num_rows) * looks);
  }
  return pulled * pull_edge_cost < frontier_edges ? Direction::pull : Direction::push;
}

}  // namespace millrace
