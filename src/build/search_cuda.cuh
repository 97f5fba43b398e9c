// Binary searches by single threads. Only nvcc reads this.
#pragma once

#include <cstdint>

namespace millrace::cuda {

// The first i in [first, last) for which holds(i) is true, if it is true from some i on; `last` if there is none.
template <class Holds>
__device__ inline std::uint32_t first_where(std::uint32_t first, std::uint32_t last, Holds holds) {
  while (first < last) {
    const std::uint32_t middle = first + (last - first) / 2;
    if (holds(middle))
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

}  // namespace millrace::cuda
