// The verifier of shortest paths: by properties that only they have, without searching for paths again.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// What is wrong with the distances from a source, or with the parents where there are some; or nothing. The pages were
// loaded with their weights. Distance is std::uint32_t, whose largest value means unreached, or double, with infinity.
template <class Distance>
std::optional<std::string> check_sssp(const PageSet& pages, Orientation orientation, VertexId source,
                                      std::span<const Distance> distance, std::span<const VertexId> parent = {});

}  // namespace millrace
