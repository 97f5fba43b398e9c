// How several devices share a graph.
#pragma once

#include <string>

namespace millrace {

enum class Strategy {
  automatic,
  // All attributes are on every device, and each has some of the pages:
  performance,  // spread by a hash of their number, so that everyone has a share of every kind (GTS)
  partitioned,  // a range of vertices each, with their rows (multi-GPU Gunrock)
  // Attributes are far, for all devices together; pages go to all of them, and each has the messages of a range of
  // vertices:
  scalability,  // of all at once (GTS)
  chunked,      // of some at a time, chunk after chunk over the same pages (GStream); one device can do that too
};
inline bool keeps_far(Strategy strategy) { return strategy == Strategy::scalability || strategy == Strategy::chunked; }

std::string strategy_name(Strategy strategy);
inline Strategy choose_strategy(Strategy asked) { return asked == Strategy::automatic ? Strategy::performance : asked; }

}  // namespace millrace
