// The verifier of shortest paths: checks properties that only shortest distances have, without a second search.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// Returns what is wrong with the distances from a source, or with the parents if they are given; or nothing. Pages must
// have been loaded with weights. Distance is std::uint32_t, whose largest value means unreached, or double, with
// infinity.
template <class Distance>
std::optional<std::string> check_sssp(const PageSet& pages, Orientation orientation, VertexId source,
                                      std::span<const Distance> distance, std::span<const VertexId> parent = {});

}  // namespace millrace
