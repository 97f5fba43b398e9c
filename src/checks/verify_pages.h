// Verifies the pages of one orientation of a store, each alone and with the degrees, in one pass over the file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "millrace/store/store.h"

namespace millrace {

// A set of edges as sums of hashes, whatever their order. The hashes begin with a secret that is new in every process:
// nobody can make different edges of the same sums.
struct EdgeSums {
  std::uint64_t forward = 0;   // over (source, target, weight)
  std::uint64_t backward = 0;  // over (target, source, weight)
  std::uint64_t self_loops = 0;
};

// Calls complain(problem), from several threads, for everything that is wrong with a page, with two pages one after
// another, or with the degrees. Memory is charged to the budget; where it is short, fewer threads read. Interruptible.
EdgeSums verify_pages(const Store& store, Orientation orientation, Budget& budget,
                      const std::function<void(const std::string&)>& complain);

}  // namespace millrace
