// How several devices share a graph.
#pragma once

#include <string>

namespace millrace {

// All attributes are on every device; what differs is who has which pages.
enum class Strategy {
  automatic,
  performance,  // spread by a hash of their number, so that everyone has a share of every kind (GTS)
  partitioned,  // a range of vertices each, with their rows (multi-GPU Gunrock)
};

std::string strategy_name(Strategy strategy);
inline Strategy choose_strategy(Strategy asked) { return asked == Strategy::automatic ? Strategy::performance : asked; }

}  // namespace millrace
