#include "millrace/derive/numbering.h"

#include <atomic>
#include <bit>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"

namespace millrace {
namespace {

// How many bits are set before each word.
Array<VertexId> bits_before(std::span<const std::uint64_t> bits, std::uint64_t& all, Budget& budget) {
  Array<VertexId> before(bits.size(), budget, "new numbers of vertices");
  all = 0;
  for (std::size_t w = 0; w < bits.size(); ++w) {
    before[w] = static_cast<VertexId>(all);
    all += static_cast<std::uint64_t>(std::popcount(bits[w]));
  }
  return before;
}

VertexId number_of(std::span<const std::uint64_t> bits, std::span<const VertexId> before, VertexId v) {
  const std::uint64_t below = (std::uint64_t{1} << (v % 64)) - 1;
  return before[v / 64] + static_cast<VertexId>(std::popcount(bits[v / 64] & below));
}

}  // namespace

Numbering number_by_label(std::span<const VertexId> label, Budget& budget) {
  const std::uint64_t n = label.size();
  Array<std::uint64_t> met((n + 63) / 64, budget, "labels of vertices");
  std::atomic<std::uint64_t> wrong = n, dropped = 0;
  parallel_for(n, [&](std::uint64_t v) {
    if (label[v] >= n) {
      if (label[v] == no_vertex)
        dropped.store(1, std::memory_order_relaxed);
      else
        wrong.store(v, std::memory_order_relaxed);
      return;
    }
    const std::atomic_ref word(met[label[v] / 64]);
    const std::uint64_t bit = std::uint64_t{1} << (label[v] % 64);
    if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
  });
  if (wrong < n)
    throw UsageError("vertex {} has the label {}; labels are less than the number of vertices, {}", wrong.load(),
                     label[wrong], n);
  Numbering numbering;
  numbering.drops = dropped > 0;
  const Array<VertexId> before = bits_before(met, numbering.count, budget);
  numbering.number = Array<VertexId>(n, budget, "new numbers of vertices");
  parallel_for(n, [&](std::uint64_t v) {
    numbering.number[v] = label[v] == no_vertex ? no_vertex : number_of(met, before, label[v]);
  });
  return numbering;
}

Numbering number_chosen(std::span<const std::uint64_t> chosen, std::uint64_t num_vertices, Budget& budget) {
  Numbering numbering;
  const Array<VertexId> before = bits_before(chosen, numbering.count, budget);
  numbering.drops = numbering.count < num_vertices;
  numbering.number = Array<VertexId>(num_vertices, budget, "new numbers of vertices");
  parallel_for(num_vertices, [&](std::uint64_t i) {
    const auto v = static_cast<VertexId>(i);
    numbering.number[v] = (chosen[v / 64] >> (v % 64)) & 1 ? number_of(chosen, before, v) : no_vertex;
  });
  return numbering;
}

}  // namespace millrace
