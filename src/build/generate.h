// Synthetic graphs: the same graph for the same seed, with any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "millrace/build/build.h"
#include "millrace/build/edge_list.h"
#include "millrace/build/edge_reader.h"

namespace millrace {

struct WeightRange {
  double low = 0;
  double high = 0;
  bool integers = true;
};

struct GenerateOptions {
  enum class Kind { rmat, uniform, grid };
  Kind kind = Kind::rmat;
  std::uint32_t scale = 20;        // 2^scale vertices
  std::uint32_t edge_factor = 16;  // edges per vertex; not used for grids
  std::uint64_t seed = 1;
  std::optional<WeightRange> weights = {};
};

// RMAT: a=.57 b=.19 c=.19 d=.05, ids not shuffled. uniform: both endpoints independent. grid: 2^ceil(scale/2) columns,
// edges to the right and down.
EdgeList generate(const GenerateOptions& options);
// The same edges in batches, for graphs that do not fit in memory.
std::unique_ptr<EdgeReader> generate_in_batches(const GenerateOptions& options);
std::uint64_t num_generated_edges(const GenerateOptions& options);
std::uint64_t num_generated_vertices(const GenerateOptions& options);

// Generates a graph and builds its store: in memory or, if that does not fit, through temporary files. Throws
// DoesNotFitError before it writes anything if there surely is too little memory or disk.
BuildSummary generate_store(const GenerateOptions& graph, const std::filesystem::path& path,
                            const BuildOptions& options);

// "1:255" -> integers, "0.5:1" -> reals.
WeightRange parse_weight_range(const std::string& text);

}  // namespace millrace
