#include "millrace/checks/check_mis.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "millrace/checks/plain_graph.h"

namespace millrace {

std::optional<std::string> check_mis(const PageSet& pages, Orientation orientation, bool directed,
                                     std::span<const std::uint32_t> member,
                                     const std::function<std::uint64_t(std::uint64_t, VertexId)>& place) {
  std::vector<PlainRows> rows;
  rows.push_back(plain_rows(pages, orientation, Orientation::out, member.size()));
  if (directed) rows.push_back(plain_rows(pages, orientation, Orientation::in, member.size()));
  std::vector<std::pair<std::uint64_t, VertexId>> order(member.size());
  for (VertexId v = 0; v < order.size(); ++v) {
    std::uint64_t degree = 0;
    for (const PlainRows& some : rows) degree += some.degree(v);
    order[v] = {place(degree, v), v};
  }
  std::sort(order.begin(), order.end());
  std::vector<bool> excluded(member.size());
  for (const auto& [its_place, v] : order) {
    if (member[v] != (excluded[v] ? 0u : 1u))
      return excluded[v] ? fmt::format("vertex {} is {}, but a neighbour before it is in the set", v, member[v])
                         : fmt::format("vertex {} is {}, but no neighbour before it is in the set", v, member[v]);
    if (excluded[v]) continue;
    for (const PlainRows& some : rows)
      for (const VertexId w : some[v])
        if (w != v) excluded[w] = true;
  }
  return std::nullopt;
}

}  // namespace millrace
