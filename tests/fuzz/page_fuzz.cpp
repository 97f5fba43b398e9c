// Pages from arbitrary bytes, and our own pages with small changes: refused, or safe to decode (page_fuzz.h).
#include "fuzz/page_fuzz.h"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto result = millrace::test::fuzz_page({data, size});
  if (!result.broken) return 0;
  std::fprintf(stderr, "%s\n", result.broken->c_str());
  std::abort();
}
