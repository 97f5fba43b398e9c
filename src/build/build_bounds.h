// Bounds of the memory of a build of which only some sizes are known.
#pragma once

#include "millrace/build/build.h"
#include "millrace/build/build_memory.h"

namespace millrace {

struct KnownSizes {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool weighted = false;
  std::uint64_t longest_row = 0;  // at most
};

// Facts without pages.
BuildFacts facts_of(const KnownSizes& sizes, const BuildOptions& options);

// What a build through files takes, at least and at most.
BuildFacts least_facts(const KnownSizes& sizes, const BuildOptions& options);
BuildFacts most_facts(const KnownSizes& sizes, const BuildOptions& options);

}  // namespace millrace
