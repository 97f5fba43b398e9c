#include "millrace/export/write_gap.h"

#include <cmath>
#include <limits>

#include "millrace/core/error.h"
#include "millrace/export/csr.h"

namespace millrace {
namespace {

struct GapEdge {
  std::int32_t neighbour;
  std::int32_t weight;
};

std::int32_t gap_weight(const Store& store, std::uint64_t bits) {
  const double value = weight_value(store.manifest().weight_type, bits);
  constexpr double lowest = std::numeric_limits<std::int32_t>::min(),
                   highest = std::numeric_limits<std::int32_t>::max();
  if (!(value >= lowest && value <= highest) || value != std::floor(value))
    throw BadInputError(
        "{}: the weight {} is not a whole number of 32 bits, which .wsg files take; export .sg, .wel or "
        ".npz instead",
        store.path().string(), value);
  return static_cast<std::int32_t>(value);
}

void write_orientation(const Store& store, Orientation orientation, bool weighted, const Places& places, Sink& sink,
                       Budget& budget) {
  const CsrRows rows(store, orientation, places, budget);
  write_values(sink, rows.offsets());
  if (!weighted) return rows.for_each_window<PlainEntry>([&](auto entries) { write_values(sink, entries); });
  constexpr std::size_t block = 1u << 16;
  std::vector<GapEdge> edges;
  rows.for_each_window<WeightedEntry>([&](std::span<const WeightedEntry> entries) {
    for (std::size_t start = 0; start < entries.size(); start += block) {
      edges.clear();
      for (const WeightedEntry& entry : entries.subspan(start, std::min(block, entries.size() - start)))
        edges.push_back({static_cast<std::int32_t>(entry.neighbour), gap_weight(store, entry.weight())});
      write_values(sink, std::span<const GapEdge>(edges));
    }
  });
}

}  // namespace

void write_gap(const Store& store, bool weighted, Sink& sink, Budget& budget) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  if (store.num_vertices() >= most)
    throw DoesNotFitError(
        "{} vertices; .sg and .wsg files number theirs in 31 bits: fewer than {}; export .npz instead",
        store.num_vertices(), most);
  if (budget.limit() != Budget::unlimited)
    budget.require(rows_memory(store, store.manifest().directed, weighted), "the export");
  const Places places(store, budget);
  const char directed = store.manifest().directed ? 1 : 0;
  const std::uint64_t counts[] = {store.num_edges(), store.num_vertices()};
  sink.write({&directed, 1});
  write_values(sink, std::span<const std::uint64_t>(counts));
  write_orientation(store, Orientation::out, weighted, places, sink, budget);
  if (store.manifest().directed) write_orientation(store, Orientation::in, weighted, places, sink, budget);
}

}  // namespace millrace
