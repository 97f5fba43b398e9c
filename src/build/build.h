// From edges to a store: orders the vertices, groups edges by page, sorts, merges parallel edges, encodes, writes. In
// memory if it fits, else through temporary files; the store is the same, bit for bit.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "millrace/build/edge_list.h"
#include "millrace/build/order.h"
#include "millrace/build/weight_choice.h"
#include "millrace/devices/cuda.h"
#include "millrace/pages/format.h"
#include "millrace/store/counted_edges.h"
#include "millrace/store/manifest.h"

namespace millrace {

class EdgeReader;

// What happens to parallel edges: one is kept, chosen by weight or order; their weights are summed; all are kept; or,
// of edges without weights, one is kept whose weight is their number.
enum class Duplicates { first, min, max, sum, keep, count };

// The orientations that a directed graph is stored in.
enum class Orientations { both, in, out };

// Whether a GPU sorts and encodes: never; if there is one and the graph has at least `worth_a_gpu` edges; or always.
// Edges with weights are sorted on the cpu.
enum class UseGpu { never, where_worth, always };
inline constexpr std::uint64_t worth_a_gpu = 1u << 26;

struct BuildOptions {
  bool undirected = false;
  Orientations orientations = Orientations::both;
  Order order = Order::automatic;
  Duplicates duplicates = Duplicates::first;
  WeightType weight_type = WeightType::none;  // as requested; none: the smallest type that holds the stored weights
  bool keep_self_loops = false;
  std::uint32_t page_bytes = default_page_bytes;
  SegmentOptions segments = {};
  bool replace = false;
  std::vector<std::filesystem::path> stripes = {};  // directories that share the pages; empty: the store itself
  std::filesystem::path temporary = {};             // directory for temporary files; empty: beside the pages
  std::uint64_t memory = Budget::unlimited;         // host memory for the whole process
  LimitOption memory_option = setting("memory");    // the option that raises it, for messages
  std::string source = {};                          // for the manifest: where the edges came from
  std::string order_name = {};                      // for the manifest, if the vertices are in another order
  std::optional<Parts> parts = std::nullopt;        // ranges of vertices; no page has vertices of two of them
  UseGpu use_gpu = UseGpu::never;
  CudaOptions gpu = {};
};

struct BuildSummary {
  ChosenOrder order;  // and segments
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;   // as in the manifest
  std::uint64_t self_loops = 0;  // of these
  bool directed = true;
  std::uint64_t dropped_self_loops = 0;
  std::uint64_t merged_edges = 0;  // parallel edges that were merged; an undirected edge counts once
  WeightType weight_type = WeightType::none;
  WeightChoice weights = {};          // of the weights as they were read
  std::uint64_t temporary_bytes = 0;  // bytes that went through temporary files
  std::string device = "cpu";         // the device that sorted and encoded
  double seconds = 0;

  CountedEdges edges() const { return {.listed = num_edges, .self_loops = self_loops, .directed = directed}; }
};

// Throws UsageError: counts would take the place of weights.
[[noreturn]] void throw_not_countable();

// Options for a store with the same layout as another one: no edge is merged or dropped a second time.
BuildOptions options_like(const Manifest& manifest);
// The memory of a build without @memory@: leaves some for the system's cache and for other processes.
std::uint64_t default_build_memory();

// Builds the store at `path`. The result depends only on the edges and the options, not on threads, memory or devices.
BuildSummary build_store(EdgeList list, const std::filesystem::path& path, const BuildOptions& options);
BuildSummary build_store(EdgeReader& reader, const std::filesystem::path& path, const BuildOptions& options);

}  // namespace millrace
