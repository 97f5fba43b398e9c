#include "millrace/partition/assign_biased.h"

#include <algorithm>
#include <vector>

#include "millrace/core/hash.h"
#include "millrace/partition/row_cursor.h"

namespace millrace {
namespace {

class Chooser {
 public:
  explicit Chooser(const AssignOptions& options) : options_(options), edges_(options.parts), votes_(options.parts) {}

  void vote(PartId part) { ++votes_[part]; }

  // Chooses the part of a vertex with `edges` edges by the votes so far, and resets the votes.
  PartId choose(VertexId v, std::uint64_t edges) {
    all_edges_ += edges;
    const double most = biased_balance * static_cast<double>(all_edges_) / options_.parts;
    const std::uint64_t lowest = *std::min_element(edges_.begin(), edges_.end());
    const auto open = [&](PartId p) { return static_cast<double>(edges_[p] + edges) <= most || edges_[p] == lowest; };
    std::uint64_t votes = 0, doors = 0;
    for (PartId p = 0; p < options_.parts; ++p)
      if (open(p)) votes += votes_[p], ++doors;
    const bool follows = votes > 0 && unit(draw(v, 0)) < options_.bias;
    std::uint64_t place = draw(v, 1) % (follows ? votes : doors);
    PartId chosen = 0;
    for (PartId p = 0; p < options_.parts; ++p) {
      if (!open(p)) continue;
      const std::uint64_t here = follows ? votes_[p] : 1;
      chosen = p;
      if (place < here) break;
      place -= here;
    }
    edges_[chosen] += edges;
    std::fill(votes_.begin(), votes_.end(), 0);
    return chosen;
  }

 private:
  std::uint64_t draw(VertexId v, std::uint64_t which) const {
    return mix(mix(options_.seed) + (std::uint64_t{v} << 1 | which));
  }
  static double unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

  const AssignOptions& options_;
  std::uint64_t all_edges_ = 0;       // edges of the vertices so far
  std::vector<std::uint64_t> edges_;  // these edges by part
  std::vector<std::uint64_t> votes_;  // neighbours in each part
};

}  // namespace

void assign_biased(const Store& store, const AssignOptions& options, Array<PartId>& part, Budget& budget) {
  const RowSizes sizes(store, budget);
  Progress progress("assign", sizes.total());
  std::vector<RowCursor> rows;
  for (const Orientation o : {Orientation::out, Orientation::in})
    if (store.manifest().orientations[static_cast<std::size_t>(o)]) rows.emplace_back(store, o, progress);
  Chooser chooser(options);
  for (std::uint64_t i = 0; i < part.size(); ++i) {
    const auto v = static_cast<VertexId>(i);
    for (RowCursor& row : rows)
      row.for_each_neighbour(v, [&](VertexId neighbour) {
        if (neighbour < v) chooser.vote(part[neighbour]);  // later neighbours have no part yet
      });
    part[v] = chooser.choose(v, sizes[v]);
  }
}

}  // namespace millrace
