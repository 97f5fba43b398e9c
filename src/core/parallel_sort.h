// A parallel sort: each thread sorts a run, then neighbouring runs are merged. (libstdc++'s parallel mode has a data
// race, which thread sanitizers report.)
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>

#include "millrace/core/parallel.h"

namespace millrace {

template <class T, class Less = std::less<>>
void parallel_sort(std::span<T> values, Less less = {}) {
  const int threads = threads_for(values.size(), least_vertices, omp_get_max_threads());
  const std::uint64_t runs = std::bit_ceil(static_cast<std::uint64_t>(threads));
  const auto cut = [&](std::uint64_t run) {
    return values.begin() + static_cast<std::ptrdiff_t>(values.size() * run / runs);
  };
  for_drawn(runs, 1, threads, [&](std::uint64_t run) { std::sort(cut(run), cut(run + 1), less); });
  for (std::uint64_t width = 1; width < runs; width *= 2)
    for_drawn(runs / (2 * width), 1, threads, [&](std::uint64_t pair) {
      const std::uint64_t run = pair * 2 * width;
      std::inplace_merge(cut(run), cut(run + width), cut(run + 2 * width), less);
    });
}

}  // namespace millrace
