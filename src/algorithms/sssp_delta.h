// How far the threshold of a near-far search moves from bucket to bucket.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "millrace/algorithms/sssp.h"
#include "millrace/engine/engine.h"

namespace millrace::sssp_detail {

// How far the threshold moves: at first so little that hardly any edge is relaxed twice (Meyer, Sanders: a weight over
// the degree); then as much as balances edges relaxed in vain against what a bucket costs, passes over all vertices.
template <class Distance>
class Delta {
 public:
  Delta(double given, const Engine& engine)
      : delta_(given),
        chosen_(given == 0),
        mean_degree_(static_cast<double>(engine.num_edges()) / static_cast<double>(engine.num_vertices())),
        cost_(engine.num_edges() / 32) {}

  // After a bucket that relaxed so many edges, of which so many had to be, and the longest distance so far.
  void adapt(std::uint64_t relaxed, std::uint64_t needed, Distance farthest) {
    const std::uint64_t before = std::exchange(relaxed_, relaxed);
    if (!chosen_) return;
    if (delta_ == 0)
      delta_ = static_cast<double>(farthest) / 2 / mean_degree_;
    else if (relaxed > needed + cost_)
      delta_ /= 2;
    else if (relaxed < cost_ && relaxed < 2 * before)  // and not about to become many
      delta_ *= 2;
  }
  Distance beyond(Distance nearest) const {
    const double next = static_cast<double>(nearest) + delta_;
    if constexpr (std::is_floating_point_v<Distance>)
      return std::max(next, std::nextafter(nearest, unreachable<Distance>));
    else
      return next < unreachable<Distance> ? std::max(static_cast<Distance>(next), nearest + 1) : unreachable<Distance>;
  }

 private:
  double delta_;
  bool chosen_;
  double mean_degree_;
  std::uint64_t cost_, relaxed_ = 0;  // edges
};

}  // namespace millrace::sssp_detail
