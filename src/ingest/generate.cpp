#include "millrace/ingest/generate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/progress.h"
#include "millrace/ingest/generate_edge.h"

namespace millrace {
namespace {

constexpr std::uint64_t block_edges = 1u << 20;

// Edge i of a grid: first all edges to the right, row by row, then all edges down.
struct Grid {
  std::uint64_t columns, rows;
  std::uint64_t rightward() const { return rows * (columns - 1); }
  std::uint64_t num_edges() const { return rightward() + (rows - 1) * columns; }
  Edge edge(std::uint64_t i) const {
    if (i < rightward()) {
      const auto from = static_cast<VertexId>(i / (columns - 1) * columns + i % (columns - 1));
      return {from, from + 1};
    }
    const auto from = static_cast<VertexId>(i - rightward());
    return {from, from + static_cast<VertexId>(columns)};
  }
};

template <class MakeEdge>
void fill_edges(EdgeList& list, MakeEdge make_edge) {
  Progress progress("generate", list.edges.size());
  const std::uint64_t blocks = (list.edges.size() + block_edges - 1) / block_edges;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::uint64_t block = 0; block < blocks; ++block) {
    if (interrupted()) continue;
    const std::uint64_t first = block * block_edges;
    const std::uint64_t last = std::min(first + block_edges, list.edges.size());
    for (std::uint64_t i = first; i < last; ++i) list.edges[i] = make_edge(i);
    progress.advance(last - first);
  }
  throw_if_interrupted();
}

void fill_weights(EdgeList& list, const WeightRange& range, std::uint64_t stream) {
  list.weight_type = !range.integers       ? WeightType::f32
                     : range.high <= 255   ? WeightType::u8
                     : range.high <= 65535 ? WeightType::u16
                                           : WeightType::u32;
  list.weights = Array<std::uint64_t>(list.edges.size(), unlimited_budget(), "weights");
  const double span = range.high - range.low + (range.integers ? 1 : 0);
#pragma omp parallel for schedule(static)
  for (std::uint64_t i = 0; i < list.edges.size(); ++i) {
    const double fraction = static_cast<double>(mix(stream + i) >> 11) * 0x1p-53;  // [0, 1)
    const double value = range.low + fraction * span;
    list.weights[i] = weight_bits(list.weight_type, range.integers ? std::floor(value) : value);
  }
}

}  // namespace

EdgeList generate(const GenerateOptions& options) {
  if (options.scale > 31)
    throw UsageError("--scale {} is too large: a store holds at most 2^31 generated vertices", options.scale);
  EdgeList list;
  list.num_vertices = std::uint64_t{1} << options.scale;
  const std::uint32_t column_bits = (options.scale + 1) / 2;
  const Grid grid{std::uint64_t{1} << column_bits, std::uint64_t{1} << (options.scale - column_bits)};
  const bool is_grid = options.kind == GenerateOptions::Kind::grid;
  const std::uint64_t num_edges = is_grid ? grid.num_edges() : list.num_vertices * options.edge_factor;
  list.edges = Array<Edge>(num_edges, unlimited_budget(), "edges");

  // Streams of different seeds, and of edges and weights, start far apart.
  const std::uint64_t stream = mix(options.seed * 2), weight_stream = mix(options.seed * 2 + 1);
  const std::uint32_t scale = options.scale;
  switch (options.kind) {
    case GenerateOptions::Kind::rmat:
      fill_edges(list, [=](std::uint64_t i) { return rmat_edge(stream, i, scale); });
      break;
    case GenerateOptions::Kind::uniform:
      fill_edges(list, [=](std::uint64_t i) { return uniform_edge(stream, i, scale); });
      break;
    case GenerateOptions::Kind::grid:
      fill_edges(list, [=](std::uint64_t i) { return grid.edge(i); });
      break;
  }
  if (options.weights) fill_weights(list, *options.weights, weight_stream);
  return list;
}

WeightRange parse_weight_range(const std::string& text) {
  WeightRange range;
  const auto colon = text.find(':');
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  bool good = colon != std::string::npos;
  if (good) {
    const auto low = std::from_chars(begin, begin + colon, range.low);
    const auto high = std::from_chars(begin + colon + 1, end, range.high);
    good = low.ec == std::errc() && low.ptr == begin + colon && high.ec == std::errc() && high.ptr == end;
  }
  range.integers = text.find_first_of(".eE") == std::string::npos;
  good = good && std::isfinite(range.low) && std::isfinite(range.high) && range.low <= range.high;
  // Reals are kept as f32.
  constexpr double most_real = std::numeric_limits<float>::max();
  if (!range.integers) good = good && std::abs(range.low) <= most_real && std::abs(range.high) <= most_real;
  if (!good || (range.integers && (range.low < 0 || range.high > 0xffffffffu)))
    throw UsageError("'{}' is not a range of weights: write LO:HI, such as 1:255 (integers from 0) or 0.5:1 (reals)",
                     text);
  return range;
}

}  // namespace millrace
