#include "millrace/build/generate_room.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "millrace/build/build_bounds.h"
#include "millrace/build/packed.h"
#include "millrace/build/store_builder.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;
using Kind = GenerateOptions::Kind;

// The longest row of an rmat graph is that of vertex 0; others have even rows.
KnownSizes sizes_of(const GenerateOptions& graph, const BuildOptions& options) {
  KnownSizes sizes{.vertices = num_generated_vertices(graph),
                   .edges = num_generated_edges(graph),
                   .weighted = graph.weights.has_value()};
  const double share = graph.kind == Kind::rmat ? std::pow(0.76, graph.scale) : 1 / static_cast<double>(sizes.vertices);
  const double expected = static_cast<double>(sizes.edges) * share * (options.undirected ? 2 : 1);
  sizes.longest_row = static_cast<std::uint64_t>(expected + 10 * std::sqrt(expected) + 100);
  return sizes;
}

// Half of the bits that tell a random graph from all others with so many edges: less than any format takes, whatever
// the order of the vertices is.
double least_bytes_per_edge(const GenerateOptions& graph) {
  if (graph.kind == Kind::grid || graph.edge_factor == 0) return 0;
  constexpr double rmat_bits = 1.589;  // of one of the `scale` choices: the entropy of .57, .19, .19 and .05
  const double scale = graph.scale, factor = graph.edge_factor;
  const double edge = scale * (graph.kind == Kind::rmat ? rmat_bits : 2);
  const double any_sequence = scale + std::log2(factor) - 1.45, any_order = scale / factor;
  return std::max(0.0, edge - any_sequence - any_order) / 8 / 2;
}

// The least bytes of the edges as the spool has them, with those of one orientation in buckets.
std::uint64_t least_temporary_bytes(const GenerateOptions& graph, const KnownSizes& sizes,
                                    const BuildOptions& options) {
  // A block of edges has a large id among its sources and among its targets, but for grids, which begin with small
  // ones.
  const std::uint64_t largest = graph.kind == Kind::grid ? 0 : sizes.vertices / 2;
  const std::uint64_t weight = graph.weights ? 1 : 0;
  const std::uint64_t spooled = 2 * bytes_for(largest) + weight, in_buckets = 2 + weight;
  return sizes.edges * (spooled + in_buckets * (options.undirected ? 2 : 1));
}

std::uint64_t degree_bytes(const KnownSizes& sizes, const BuildOptions& options) {
  return sizeof(std::uint32_t) * sizes.vertices * (options.undirected ? 1 : 2);
}

fs::path existing_part_of(fs::path path) {
  std::error_code none;
  path = fs::absolute(path, none);
  while (!fs::exists(path, none) && path.has_relative_path()) path = path.parent_path();
  return path;
}

// Bytes that will be written, by file system.
class DiskNeeds {
 public:
  void add(const fs::path& where, std::uint64_t bytes) {
    const fs::path place = existing_part_of(where);
    struct stat status {};
    if (bytes == 0 || stat(place.c_str(), &status) != 0) return;
    Need& need = needs_.try_emplace(status.st_dev, Need{place, 0}).first->second;
    need.bytes += bytes;
  }
  void require() const {
    for (const auto& [device, need] : needs_) require_disk(need.place, need.bytes, "the store and temporary files");
  }

 private:
  struct Need {
    fs::path place;
    std::uint64_t bytes;
  };
  std::map<dev_t, Need> needs_;
};

}  // namespace

bool generates_in_memory(const GenerateOptions& graph, const BuildOptions& options) {
  BuildFacts facts = facts_of(sizes_of(graph, options), options);
  facts.by_degree = options.order != Order::natural;
  return fits_in_memory(facts, memory_for_buffers(options.memory, options.memory_option));
}

void require_memory_to_generate(const GenerateOptions& graph, const BuildOptions& options) {
  const std::uint64_t limit = memory_for_buffers(options.memory, options.memory_option);
  const KnownSizes sizes = sizes_of(graph, options);
  if (limit == Budget::unlimited) return;
  const std::uint64_t least = least_build_memory(least_facts(sizes, options));
  if (least <= limit) return;
  const LimitOption option = option_for_buffers(options.memory_option);
  throw DoesNotFitError("building the store needs {} of memory or more, but {} allows {}; it is certain to fit with {}",
                        format_size_at_least(option.value(least)), option.name,
                        format_size_at_most(option.given(limit)),
                        format_size_at_least(option.value(least_build_memory(most_facts(sizes, options)))));
}

std::uint64_t least_store_bytes(const GenerateOptions& graph, const BuildOptions& options) {
  const KnownSizes sizes = sizes_of(graph, options);
  const double pages = static_cast<double>(sizes.edges) * least_bytes_per_edge(graph);
  return degree_bytes(sizes, options) + static_cast<std::uint64_t>(pages) * orientations_of(options).size();
}

void require_disk_to_generate(const GenerateOptions& graph, const fs::path& path, const BuildOptions& options,
                              bool through_files) {
  const KnownSizes sizes = sizes_of(graph, options);
  const std::uint64_t degrees = degree_bytes(sizes, options);
  const std::uint64_t pages = least_store_bytes(graph, options) - degrees;
  DiskNeeds needs;
  needs.add(path, degrees);
  if (options.stripes.empty()) needs.add(path, pages);
  for (const fs::path& stripe : options.stripes) needs.add(stripe, pages / options.stripes.size());
  const fs::path beside = options.stripes.empty() ? path : options.stripes.front();
  if (through_files)
    needs.add(options.temporary.empty() ? beside : options.temporary, least_temporary_bytes(graph, sizes, options));
  needs.require();
}

}  // namespace millrace
