#include "millrace/checks/check_bc.h"

#include <fmt/core.h>

#include <cmath>

#include "millrace/checks/plain_graph.h"

namespace millrace {
namespace {

// Adds the dependencies of one source.
class Brandes {
 public:
  explicit Brandes(const PlainRows& out)
      : out_(out), distance_(out.num_vertices()), paths_(distance_), delta_(paths_) {}

  void add(VertexId source, bool endpoints, std::vector<double>& sum) {
    std::fill(distance_.begin(), distance_.end(), -1);
    std::fill(paths_.begin(), paths_.end(), 0);
    std::fill(delta_.begin(), delta_.end(), 0);
    order_.assign(1, source);
    distance_[source] = 0;
    paths_[source] = 1;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const VertexId v = order_[i];
      for (const VertexId w : out_[v]) {
        if (distance_[w] < 0) distance_[w] = distance_[v] + 1, order_.push_back(w);
        if (distance_[w] == distance_[v] + 1) paths_[w] += paths_[v];
      }
    }
    for (std::size_t i = order_.size(); i-- > 1;) {
      const VertexId v = order_[i];
      for (const VertexId w : out_[v])
        if (distance_[w] == distance_[v] + 1) delta_[v] += paths_[v] / paths_[w] * (1 + delta_[w]);
      sum[v] += delta_[v] + (endpoints ? 1 : 0);
    }
    if (endpoints) sum[source] += static_cast<double>(order_.size() - 1);
  }

 private:
  const PlainRows& out_;
  std::vector<double> distance_, paths_, delta_;
  std::vector<VertexId> order_;  // in order of distance
};

}  // namespace

std::optional<std::string> check_bc(const PageSet& pages, Orientation orientation, std::span<const double> centrality,
                                    const BcCheck& check) {
  const std::uint64_t n = centrality.size();
  const PlainRows out = plain_rows(pages, orientation, Orientation::out, n);
  Brandes brandes(out);
  std::vector<double> sum(n), factor(n, check.other_factor);
  for (std::uint64_t v = 0; v < n && check.sources.empty(); ++v)
    brandes.add(static_cast<VertexId>(v), check.endpoints, sum);
  for (const VertexId source : check.sources) {
    brandes.add(source, check.endpoints, sum);
    factor[source] = check.source_factor;
  }
  for (std::uint64_t v = 0; v < n; ++v) {
    const double expected = sum[v] * factor[v];
    if (!(std::abs(centrality[v] - expected) <= check.relative_tolerance * std::abs(expected)))
      return fmt::format("vertex {} has centrality {}, but {} was expected", v, centrality[v], expected);
  }
  return std::nullopt;
}

}  // namespace millrace
