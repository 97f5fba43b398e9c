#include "millrace/partition/store_edges.h"

#include <algorithm>

#include "millrace/core/parallel.h"

namespace millrace {
namespace {

constexpr std::uint64_t window_edges = 1u << 20;  // edges per window, or those of one page

}  // namespace

StoreSupply::StoreSupply(const Store& store, std::span<const VertexId> rank)
    : store_(store), rank_(rank), edges_(store), first_page_{0} {
  std::uint64_t edges = 0;
  for (std::size_t p = 0; p < edges_.pages().size(); ++p) {
    const std::uint64_t more = edges_.entry(edges_.pages()[p]).edges;
    if (edges > 0 && edges + more > window_edges) first_page_.push_back(p), edges = 0;
    edges += more;
  }
  if (!edges_.pages().empty()) first_page_.push_back(edges_.pages().size());
}

std::uint64_t StoreSupply::num_edges() const {
  const Manifest& manifest = store_.manifest();
  return manifest.directed ? manifest.num_edges : (manifest.num_edges + manifest.self_loops) / 2;
}

void StoreSupply::replay(const std::function<void(const Window&)>& visit) {
  const PageReader reader = edges_.reader();
  const bool weighted = weight_type() != WeightType::none;
  struct Found {
    std::vector<Edge> edges;
    std::vector<std::uint64_t> weights;
  };
  for (std::size_t w = 0; w < num_windows(); ++w) {
    std::vector<Found> found(first_page_[w + 1] - first_page_[w]);
    parallel_for_each(found.size(), [&](std::uint64_t i) {
      edges_.for_each_edge(reader, edges_.pages()[first_page_[w] + i], weighted,
                           [&](VertexId source, VertexId target, std::uint64_t bits) {
                             found[i].edges.push_back({number(source), number(target)});
                             if (weighted) found[i].weights.push_back(bits);
                           });
    });
    Found all = std::move(found[0]);
    for (Found& more : std::span(found).subspan(1)) {
      all.edges.insert(all.edges.end(), more.edges.begin(), more.edges.end());
      all.weights.insert(all.weights.end(), more.weights.begin(), more.weights.end());
      more = {};
    }
    visit({all.edges, all.weights});
  }
}

Array<OriginalId> StoreSupply::take_ids(Budget& budget) {
  const IdMap ids = store_.load_ids(budget);
  if (ids.identity() && rank_.empty()) return {};
  Array<OriginalId> moved(ids.size(), budget, "ids");
  parallel_for(ids.size(), [&](std::uint64_t v) {
    moved[number(static_cast<VertexId>(v))] = ids.original(static_cast<VertexId>(v));
  });
  return moved;
}

EdgeList StoreSupply::collect(Budget& budget) {
  EdgeList list;
  list.num_vertices = num_vertices();
  list.weight_type = weight_type();
  list.edges = Array<Edge>(num_edges(), budget, "edges");
  if (list.weight_type != WeightType::none) list.weights = Array<std::uint64_t>(num_edges(), budget, "weights");
  std::uint64_t at = 0;
  replay([&](const Window& window) {
    std::copy(window.edges.begin(), window.edges.end(), list.edges.begin() + at);
    std::copy(window.weights.begin(), window.weights.end(), list.weights.begin() + at);
    at += window.edges.size();
  });
  list.ids = take_ids(budget);
  return list;
}

}  // namespace millrace
