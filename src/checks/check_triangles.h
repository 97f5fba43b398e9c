// The verifier of triangles and local clustering coefficients: the neighbourhoods of some vertices, edge by edge.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// After this many examined edges no more vertices are checked; before, all are, in a pseudo-random order. A vertex
// costs the edges from its neighbours to vertices of higher degree, so hubs among its neighbours cost little.
inline constexpr std::uint64_t default_looks = std::uint64_t{1} << 33;

// Returns what is wrong with the number of triangles and with the count of each vertex, or nothing. The counts must sum
// to three times the number, and agree with the neighbourhoods.
std::optional<std::string> check_triangles(const PageSet& pages, Orientation orientation,
                                           std::span<const std::uint64_t> count, std::uint64_t triangles,
                                           std::uint64_t most_looks = default_looks);

// The same if only the number is known: counts all triangles again, by merging rows.
std::optional<std::string> check_triangles(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                           std::uint64_t triangles);

// Returns what is wrong with the coefficients, or nothing.
std::optional<std::string> check_lcc(const PageSet& pages, Orientation orientation, std::span<const double> coefficient,
                                     std::uint64_t most_looks = default_looks);

}  // namespace millrace
