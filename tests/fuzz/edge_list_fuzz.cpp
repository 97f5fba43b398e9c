// Text edge lists, plain or gzip, from arbitrary bytes: the result is either a valid edge list or a typed error.
#include <cstdlib>

#include "millrace/core/error.h"
#include "millrace/read/read_edge_list.h"

using namespace millrace;

namespace {

void check(const EdgeList& list, bool weighted) {
  for (const Edge& edge : list.edges)
    if (edge.source >= list.num_vertices || edge.target >= list.num_vertices) std::abort();
  if (list.weights.size() != (weighted ? list.edges.size() : 0)) std::abort();
  if (!list.ids.empty() && list.ids.size() != list.num_vertices) std::abort();
  for (std::uint64_t v = 1; v < list.ids.size(); ++v)
    if (list.ids[v - 1] >= list.ids[v]) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte chooses the options; with small blocks a short text has many of them.
  const bool weighted = data[0] & 1;
  const std::size_t block_bytes = 1 + (data[0] >> 1);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    check(parse_edge_list(text, "fuzz", {.weighted = weighted, .vertices = {}, .blocks = block_bytes}), weighted);
  } catch (const Error&) {
  }
  return 0;
}
