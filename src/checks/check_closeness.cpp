#include "millrace/checks/check_closeness.h"

#include <utility>

#include "millrace/checks/compare_values.h"
#include "millrace/checks/plain_graph.h"
#include "millrace/core/parallel.h"

namespace millrace {
namespace {

// For every vertex, sums over the sources that reach it.
struct Sums {
  explicit Sums(std::uint64_t num_vertices) : reaching(num_vertices), distances(num_vertices), inverses(num_vertices) {}
  std::vector<std::uint64_t> reaching, distances;
  std::vector<double> inverses;
};

// Breadth-first search from one source after the other.
class Searches {
 public:
  explicit Searches(const PlainRows& out) : out_(out), distance_(out.num_vertices(), not_met) {}

  // Other threads may add to the sums at the same time.
  void add(VertexId source, Sums& sums) {
    met_.assign(1, source);
    distance_[source] = 0;
    for (std::size_t i = 0; i < met_.size(); ++i)
      for (const VertexId w : out_[met_[i]])
        if (distance_[w] == not_met) distance_[w] = distance_[met_[i]] + 1, met_.push_back(w);
    for (const VertexId v : met_) {
      const std::uint32_t distance = std::exchange(distance_[v], not_met);
#pragma omp atomic
      sums.reaching[v] += 1;
      if (v == source) continue;
#pragma omp atomic
      sums.distances[v] += distance;
#pragma omp atomic
      sums.inverses[v] += 1.0 / distance;
    }
  }

 private:
  static constexpr std::uint32_t not_met = ~0u;
  const PlainRows& out_;
  std::vector<std::uint32_t> distance_;
  std::vector<VertexId> met_;  // reached vertices in order of distance
};

Sums search_from_all(const PlainRows& out, std::span<const VertexId> sources) {
  const std::uint64_t num_sources = sources.empty() ? out.num_vertices() : sources.size();
  Sums sums(out.num_vertices());
  Draw draw;
  on_threads(threads_for(num_sources, 1, omp_get_max_threads()), [&](const ThreadOf&) {
    Searches searches(out);
    draw.for_each(num_sources, [&](std::uint64_t i) {
      searches.add(sources.empty() ? static_cast<VertexId>(i) : sources[i], sums);
    });
  });
  return sums;
}

}  // namespace

PlainCloseness reference_closeness(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                   const ClosenessClaim& claim) {
  const PlainRows out = plain_rows(pages, orientation, Orientation::out, num_vertices);
  const Sums sums = search_from_all(out, claim.sources);
  const double n = static_cast<double>(num_vertices);
  const double stands_for = claim.sources.empty() ? 1 : n / static_cast<double>(claim.sources.size());
  PlainCloseness result{std::vector<double>(num_vertices), std::vector<double>(num_vertices)};
  for (std::uint64_t v = 0; v < num_vertices; ++v) {
    const double reaching = stands_for * static_cast<double>(sums.reaching[v]);
    const double distances = stands_for * static_cast<double>(sums.distances[v]);
    result.harmonic[v] = stands_for * sums.inverses[v];
    if (distances == 0) continue;
    result.closeness[v] = (reaching - 1) / distances * (claim.scaled ? (reaching - 1) / (n - 1) : 1);
  }
  return result;
}

std::optional<std::string> check_closeness(const PageSet& pages, Orientation orientation,
                                           std::span<const double> closeness, std::span<const double> harmonic,
                                           const ClosenessClaim& claim) {
  // If few sampled sources reach a vertex, `reaching - 1` loses precision; a harmonic sum has a term for each source.
  constexpr double tolerance = 1e-9;
  const PlainCloseness expected = reference_closeness(pages, orientation, closeness.size(), claim);
  const auto problem = compare_values<double>("closeness", closeness, expected.closeness, tolerance);
  return problem ? problem : compare_values<double>("harmonic centrality", harmonic, expected.harmonic, tolerance);
}

}  // namespace millrace
