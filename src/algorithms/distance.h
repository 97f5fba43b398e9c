// How far a vertex is from another: in edges, or as the length of a path.
#pragma once

#include <cstdint>
#include <limits>

namespace millrace {

using Level = std::uint32_t;
inline constexpr Level unreached = ~Level{0};

// The distance of a vertex that is not reached.
template <class Distance>
inline constexpr Distance unreachable = std::numeric_limits<Distance>::has_infinity
                                            ? std::numeric_limits<Distance>::infinity()
                                            : std::numeric_limits<Distance>::max();

}  // namespace millrace
