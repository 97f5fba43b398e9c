// The verifier of triangles and local clustering coefficients: the neighbourhoods of some vertices, edge by edge.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// Looks at edges after which no more vertices are tried; before that all of them are, in an order that is as good as
// random. A vertex costs the edges from its neighbours to vertices of higher degree, so that a hub costs them little.
inline constexpr std::uint64_t default_looks = std::uint64_t{1} << 33;

// What is wrong with the number of triangles and those of each vertex, or nothing. They must sum to three times the
// number, and be what their neighbourhoods say.
std::optional<std::string> check_triangles(const PageSet& pages, Orientation orientation,
                                           std::span<const std::uint64_t> count, std::uint64_t triangles,
                                           std::uint64_t most_looks = default_looks);

// The same where only their number is known: all are counted once more, by merging rows.
std::optional<std::string> check_triangles(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                           std::uint64_t triangles);

// What is wrong with the coefficients, or nothing.
std::optional<std::string> check_lcc(const PageSet& pages, Orientation orientation, std::span<const double> coefficient,
                                     std::uint64_t most_looks = default_looks);

}  // namespace millrace
