#include "millrace/checks/check_degrees.h"

#include <fmt/core.h>

namespace millrace {

std::optional<std::string> check_degrees(const PageSet& pages, Orientation orientation,
                                         std::span<const std::uint32_t> out, std::span<const std::uint32_t> in) {
  if (out.size() != in.size()) return fmt::format("{} out-degrees but {} in-degrees", out.size(), in.size());
  std::vector<std::uint32_t> counted_out(out.size()), counted_in(in.size());
  for_each_edge(pages, orientation, [&](VertexId source, VertexId target) {
#pragma omp atomic
    ++counted_out[source];
#pragma omp atomic
    ++counted_in[target];
  });
  for (std::size_t v = 0; v < out.size(); ++v)
    if (out[v] != counted_out[v] || in[v] != counted_in[v])
      return fmt::format("vertex {} has out-degree {} and in-degree {}, but {} edges lead out and {} in", v, out[v],
                         in[v], counted_out[v], counted_in[v]);
  return std::nullopt;
}

}  // namespace millrace
