#include "millrace/build/build_bounds.h"

#include <algorithm>

#include "millrace/build/edge_spool.h"
#include "millrace/build/items.h"
#include "millrace/build/store_builder.h"

namespace millrace {
namespace {

// To compare orders, one of them is made, and its reverse.
std::uint64_t ordering_memory(const BuildFacts& facts, const BuildOptions& options) {
  return options.order == Order::natural ? 0 : 2 * buffer_memory(4 * facts.vertices);
}

}  // namespace

BuildFacts facts_of(const KnownSizes& sizes, const BuildOptions& options) {
  return {.vertices = sizes.vertices,
          .edges = sizes.edges,
          .item_bytes =
              sizes.weighted || options.duplicates == Duplicates::count ? sizeof(WeightedItem) : sizeof(PlainItem),
          .undirected = options.undirected,
          .one_of_two = !options.undirected && options.orientations != Orientations::both,
          .page_files = std::max<std::uint64_t>(options.stripes.size(), 1)};
}

// It has to count degrees, to compare orders, and to write pages, one after another.
BuildFacts least_facts(const KnownSizes& sizes, const BuildOptions& options) {
  BuildFacts facts = facts_of(sizes, options);
  facts.ordering = ordering_memory(facts, options);
  facts.pages.assign(orientations_of(options).size(), {});
  return facts;
}

// Pages have two edges for each of their bytes at most, or more where many edges are parallel.
BuildFacts most_facts(const KnownSizes& sizes, const BuildOptions& options) {
  BuildFacts facts = facts_of(sizes, options);
  const std::uint64_t entries = facts.edges * (options.undirected ? 2 : 1);
  const std::uint64_t parallel = 1 + facts.edges / std::max<std::uint64_t>(facts.vertices, 1) / 256;
  const std::uint64_t page =
      std::min(entries, parallel * std::max(sizes.longest_row, 2 * std::uint64_t{options.page_bytes}));
  const std::uint64_t sampled = std::min(entries, 8 * sizes.longest_row);  // each of 8 windows may end in such a row
  facts.by_degree = options.order != Order::natural;
  facts.ordering = ordering_memory(facts, options) + 2 * sizeof(std::uint64_t) * sampled;
  facts.replaying = EdgeSpool::most_replay_memory(facts.edges, sizes.weighted);
  facts.windows = facts.edges / EdgeSpool::most_block_edges + 1;
  facts.ids = facts.by_degree ? buffer_memory(4 * facts.vertices) : 0;
  facts.pages.assign(orientations_of(options).size(),
                     {.entries = entries, .largest = {page}, .rows = {facts.vertices}});
  return facts;
}

}  // namespace millrace
