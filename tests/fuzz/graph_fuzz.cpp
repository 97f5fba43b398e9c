// Graphs in every format from arbitrary bytes: consistent edges, or a typed error (graph_fuzz.h).
#include "fuzz/graph_fuzz.h"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto result = millrace::test::fuzz_graph({data, size});
  if (!result.broken) return 0;
  std::fprintf(stderr, "%s\n", result.broken->c_str());
  std::abort();
}
