// The verifier of label propagation: repeats all iterations, by sorting the labels of every neighbourhood.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/plain_graph.h"

namespace millrace {

struct CdlpClaim {
  bool directed = true;
  std::uint32_t iterations = 10;
  std::span<const std::uint32_t> own = {};  // labels at the start; empty: the vertex numbers
};

// Returns what is wrong with the labels, or nothing.
std::optional<std::string> check_cdlp(const PageSet& pages, Orientation orientation,
                                      std::span<const std::uint32_t> label, const CdlpClaim& claim);

}  // namespace millrace
