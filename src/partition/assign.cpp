#include "millrace/partition/assign.h"

#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/partition/assign_biased.h"
#include "millrace/partition/assign_metis.h"

namespace millrace {
namespace {

// Consecutive ranges of the vertices with about the same number of edges each or, without edges, of vertices.
void assign_ranges(const RowSizes& sizes, std::uint32_t parts, Array<PartId>& part) {
  const bool by_edges = sizes.total() > 0;
  const std::uint64_t total = by_edges ? sizes.total() : sizes.size();
  std::uint64_t before = 0;
  for (std::uint64_t v = 0; v < sizes.size(); ++v) {
    const std::uint64_t here = by_edges ? sizes[static_cast<VertexId>(v)] : 1;
    // The range that has the middle of the row. Vertices without edges at the end belong to the last range.
    const std::uint64_t middle = std::min(before + here / 2, total - 1);
    part[v] = static_cast<PartId>(static_cast<unsigned __int128>(middle) * parts / total);
    before += here;
  }
}

}  // namespace

const char* part_method_name(PartMethod method) {
  static constexpr const char* names[] = {"range", "random", "static", "biased", "metis"};
  return names[static_cast<int>(method)];
}

RowSizes::RowSizes(const Store& store, Budget& budget) {
  const bool out = store.has(Orientation::out), in = store.has(Orientation::in);
  first_ = store.load_degrees(out ? Orientation::out : Orientation::in, budget);
  if (out && in && store.manifest().directed) second_ = store.load_degrees(Orientation::in, budget);
  for (std::uint64_t v = 0; v < size(); ++v) total_ += (*this)[static_cast<VertexId>(v)];
}

Array<PartId> assign_parts(const Store& store, const AssignOptions& options, Budget& budget) {
  const std::uint64_t n = store.num_vertices();
  const std::uint32_t parts = options.parts;
  if (parts < 1 || parts > max_parts) throw UsageError("@parts@ {} is outside of 1 to {}", parts, max_parts);
  if (parts > n) throw UsageError("@parts@ {} is more than the {} vertices of {}", parts, n, store.path().string());
  Array<PartId> part(n, budget, "the parts of vertices");
  switch (options.method) {
    case PartMethod::range:
      assign_ranges(RowSizes(store, budget), parts, part);
      break;
    case PartMethod::random:
      for (std::uint64_t v = 0; v < n; ++v)
        part[v] = static_cast<PartId>((mix(mix(options.seed) + v) >> 32) * parts >> 32);
      break;
    case PartMethod::modulo:
      for (std::uint64_t v = 0; v < n; ++v) part[v] = static_cast<PartId>(v % parts);
      break;
    case PartMethod::biased:
      assign_biased(store, options, part, budget);
      break;
    case PartMethod::metis:
      assign_metis(store, options, part, budget);
      break;
  }
  return part;
}

}  // namespace millrace
