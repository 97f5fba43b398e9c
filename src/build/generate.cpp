#include "millrace/build/generate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "millrace/build/generate_edge.h"
#include "millrace/build/generate_room.h"
#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"

namespace millrace {
namespace {

constexpr std::uint64_t block_edges = 1u << 16;

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

// Makes edge i and its weight for given options, independent of all other edges.
class Generator {
 public:
  explicit Generator(const GenerateOptions& options)
      : options_(options),
        // Random streams of different seeds, and those of edges and weights, start far apart.
        stream_(mix(options.seed * 2)),
        weight_stream_(mix(options.seed * 2 + 1)),
        grid_{std::uint64_t{1} << (checked_scale(options) + 1) / 2, std::uint64_t{1} << options.scale / 2} {}

  std::uint64_t num_vertices() const { return std::uint64_t{1} << options_.scale; }
  std::uint64_t num_edges() const {
    return options_.kind == GenerateOptions::Kind::grid ? grid_.num_edges() : num_vertices() * options_.edge_factor;
  }

  // Calls take(i, edge) for all i in [first, last).
  template <class Take>
  void edges(std::uint64_t first, std::uint64_t last, Take take) const {
    const std::uint32_t scale = options_.scale;
    switch (options_.kind) {
      case GenerateOptions::Kind::rmat:
        for (std::uint64_t i = first; i < last; ++i) take(i, rmat_edge(stream_, i, scale));
        break;
      case GenerateOptions::Kind::uniform:
        for (std::uint64_t i = first; i < last; ++i) take(i, uniform_edge(stream_, i, scale));
        break;
      case GenerateOptions::Kind::grid:
        for (std::uint64_t i = first; i < last; ++i) take(i, grid_.edge(i));
        break;
    }
  }

  WeightType weight_type() const {
    if (!options_.weights) return WeightType::none;
    if (!options_.weights->integers) return WeightType::f32;
    const double high = options_.weights->high;
    return high <= 255 ? WeightType::u8 : high <= 65535 ? WeightType::u16 : WeightType::u32;
  }
  double weight(std::uint64_t i) const {
    const WeightRange& range = *options_.weights;
    const double span = range.high - range.low + (range.integers ? 1 : 0);
    const double fraction = static_cast<double>(mix(weight_stream_ + i) >> 11) * 0x1p-53;  // [0, 1)
    const double value = range.low + fraction * span;
    return range.integers ? std::floor(value) : static_cast<double>(static_cast<float>(value));
  }

 private:
  static std::uint32_t checked_scale(const GenerateOptions& options) {
    if (options.scale > 31)
      throw UsageError("@scale@ {} is too large: a store holds at most 2^31 generated vertices", options.scale);
    return options.scale;
  }

  GenerateOptions options_;
  std::uint64_t stream_, weight_stream_;
  Grid grid_;
};

// Runs body(first, last) over blocks of [begin, end), in parallel.
template <class Body>
void for_blocks(std::uint64_t begin, std::uint64_t end, Body body) {
  const std::uint64_t blocks = (end - begin + block_edges - 1) / block_edges;
  parallel_for_each(blocks, [&](std::uint64_t block) {
    const std::uint64_t first = begin + block * block_edges;
    body(first, std::min(first + block_edges, end));
  });
}

class GeneratedReader final : public EdgeReader {
 public:
  explicit GeneratedReader(const GenerateOptions& options)
      : generator_(options), progress_("generate", generator_.num_edges()) {
    choice_.all_whole = generator_.weight_type() != WeightType::f32;
    choice_.largest = options.weights && choice_.all_whole ? static_cast<std::uint64_t>(options.weights->high) : 0;
  }

  GraphShape shape() const override {
    return {.weighted = generator_.weight_type() != WeightType::none,
            .vertices = std::make_shared<IdIndex>(generator_.num_vertices())};
  }

  std::optional<EdgeBatch> next() override {
    if (done_ == generator_.num_edges()) return std::nullopt;
    const std::uint64_t begin = done_;
    const std::uint64_t end = done_ = std::min(generator_.num_edges(), begin + batch_edges);
    EdgeBatch batch;
    batch.weight_choice = choice_;
    batch.endpoints = Array<OriginalId>(2 * (end - begin), unlimited_budget(), "generated edges");
    if (shape().weighted) batch.weights = Array<double>(end - begin, unlimited_budget(), "generated weights");
    for_blocks(begin, end, [&](std::uint64_t first, std::uint64_t last) {
      generator_.edges(first, last, [&](std::uint64_t i, Edge edge) {
        batch.endpoints[2 * (i - begin)] = edge.source;
        batch.endpoints[2 * (i - begin) + 1] = edge.target;
        if (!batch.weights.empty()) batch.weights[i - begin] = generator_.weight(i);
      });
    });
    progress_.add(end - begin);
    return batch;
  }

 private:
  static constexpr std::uint64_t batch_edges = 1u << 19;  // as many as the spool writes at a time
  Generator generator_;
  WeightChoice choice_;
  std::uint64_t done_ = 0;
  Progress progress_;
};

}  // namespace

EdgeList generate(const GenerateOptions& options) {
  const Generator generator(options);
  EdgeList list;
  list.num_vertices = generator.num_vertices();
  list.edges = Array<Edge>(generator.num_edges(), unlimited_budget(), "edges");
  list.weight_type = generator.weight_type();
  if (options.weights) list.weights = Array<std::uint64_t>(list.edges.size(), unlimited_budget(), "weights");
  Progress progress("generate", list.edges.size());
  for_blocks(0, list.edges.size(), [&](std::uint64_t first, std::uint64_t last) {
    generator.edges(first, last, [&](std::uint64_t i, Edge edge) { list.edges[i] = edge; });
    if (options.weights)
      for (std::uint64_t i = first; i < last; ++i) list.weights[i] = weight_bits(list.weight_type, generator.weight(i));
    progress.advance(last - first);
  });
  return list;
}

std::unique_ptr<EdgeReader> generate_in_batches(const GenerateOptions& options) {
  return std::make_unique<GeneratedReader>(options);
}

std::uint64_t num_generated_edges(const GenerateOptions& options) { return Generator(options).num_edges(); }
std::uint64_t num_generated_vertices(const GenerateOptions& options) { return Generator(options).num_vertices(); }

BuildSummary generate_store(const GenerateOptions& graph, const std::filesystem::path& path,
                            const BuildOptions& options) {
  require_memory_to_generate(graph, options);
  const bool in_memory = generates_in_memory(graph, options);
  require_disk_to_generate(graph, path, options, !in_memory);
  if (in_memory) return build_store(generate(graph), path, options);
  const auto reader = generate_in_batches(graph);
  return build_store(*reader, path, options);
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
  // Reals are stored as f32.
  constexpr double most_real = std::numeric_limits<float>::max();
  if (!range.integers) good = good && std::abs(range.low) <= most_real && std::abs(range.high) <= most_real;
  if (!good || (range.integers && (range.low < 0 || range.high > 0xffffffffu)))
    throw UsageError("'{}' is not a range of weights: write LO:HI, such as 1:255 (integers from 0) or 0.5:1 (reals)",
                     text);
  return range;
}

}  // namespace millrace
