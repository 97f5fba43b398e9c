// Returns the neighbourhood function, the number of pairs of vertices at most h hops apart along out-edges, and how far
// each vertex reaches. (ANF, Palmer et al. 2002; HyperANF, Boldi, Rosa and Vigna 2011.) Every vertex has a HyperLogLog
// sketch of those it reaches within h hops: one more hop and it is the union of its own and its out-neighbours'. A
// register is a byte and eight of them a word, which is what messages carry: a hop is a superstep for every word.
// Invariant: those whose sketch changed at the last hop are all that anybody can learn from.
#include "millrace/algorithms/radius.h"

#include <utility>

#include "millrace/algorithms/radius_programs.h"
#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace radius_programs;

double effective_diameter(std::span<const double> neighbourhood, double share) {
  const double wanted = share * neighbourhood.back();
  std::size_t h = 0;
  while (neighbourhood[h] < wanted) ++h;
  if (h == 0) return 0;
  const double before = neighbourhood[h - 1];
  return static_cast<double>(h - 1) + (wanted - before) / (neighbourhood[h] - before);
}

namespace {

struct Kept {
  Kept(Registry& registry, std::uint32_t words) {
    for (std::uint32_t w = 0; w < words; ++w) word.push_back(registry.attribute<Word>(fmt::format("sketches {}", w)));
    heard = registry.attribute<Word>("heard");
    radius = registry.attribute<std::uint32_t>("radius");
  }
  std::vector<Attribute<Word>> word;
  Attribute<Word> heard;
  Attribute<std::uint32_t> radius;
};

}  // namespace

GraphNeeds radius_needs(const RadiusOptions& options, Direction direction, Available available) {
  // What is heard comes along in-edges: out pages to pull, in pages to push.
  const bool automatic = direction == Direction::automatic;
  const bool push = direction == Direction::push || (automatic && (options.undirected || available.in));
  const bool pull = direction == Direction::pull || automatic;
  const std::uint32_t words = (1u << options.log2_registers) / registers_in_word;
  return {.in_pages = push || options.undirected,
          .out_pages = pull || options.undirected,
          .row_index = push,
          .both_ways = true,
          .out_degrees = options.undirected,
          .in_degrees = true,
          .attributes = needs_of<Kept>(words),
          .supersteps = supersteps_of<Hear>({.push = push,
                                             .frontiers = 2,
                                             .queues = options.undirected ? 2u : 0u,
                                             .long_queues = options.undirected || push ? 2u : 0u}),
          .result_bytes_per_vertex = 4};
}

RadiusResult radius(Engine& engine, const RadiusOptions& options) {
  if (options.log2_registers < min_log2_registers || options.log2_registers > max_log2_registers)
    throw UsageError("2^{} registers: 2^{} to 2^{} can be had", options.log2_registers, min_log2_registers,
                     max_log2_registers);
  Sketches sketches{.words = (1u << options.log2_registers) / registers_in_word,
                    .log2_registers = options.log2_registers};
  auto [word, heard, radius] = Kept(engine, sketches.words);
  for (std::uint32_t w = 0; w < sketches.words; ++w) sketches.word[w] = word[w];

  RadiusResult result;
  result.neighbourhood.push_back(static_cast<double>(engine.num_vertices()));
  const std::uint64_t edges_before = engine.edges_looked_at();
  const Stopwatch watch;
  engine.vertex_map(Begin{sketches, options.seed});
  Frontier changed = engine.all_vertices();
  for (std::uint32_t hop = 1; !changed.empty() && hop <= options.hops; ++hop) {
    for (std::uint32_t w = 0; w < sketches.words; ++w) {
      engine.edge_map(changed, Hear{word[w], heard}, Along::in);
      if (options.undirected) engine.edge_map(changed, Hear{word[w], heard}, Along::out);
      engine.vertex_map(Unite{word[w], heard, radius, hop});
    }
    changed = {};  // its memory is for the next
    changed = engine.filter(ChangedAt{radius, hop}, Along::in);
    if (!changed.empty()) result.neighbourhood.push_back(engine.reduce(0.0, Estimate{sketches}, Add{}));
  }
  result.complete = changed.empty();
  result.effective_diameter = effective_diameter(result.neighbourhood);
  result.edges = engine.edges_looked_at() - edges_before;
  result.seconds = watch.seconds();
  result.radius = std::move(radius).take();
  return result;
}

}  // namespace millrace
