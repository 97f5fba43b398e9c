#include <utility>
#include <vector>

#include "millrace/ingest/edge_reader.h"

namespace millrace {
namespace {

// One array of bits from the numbers as they were read, which are released on the way.
Array<std::uint64_t> encode_weights(std::vector<Array<double>> pieces, WeightType type, std::uint64_t num_edges) {
  Array<std::uint64_t> weights(num_edges, unlimited_budget(), "the weights");
  std::uint64_t first = 0;
  for (Array<double>& piece : pieces) {
#pragma omp parallel for schedule(static)
    for (std::uint64_t i = 0; i < piece.size(); ++i) weights[first + i] = weight_bits(type, piece[i]);
    first += piece.size();
    piece = {};
  }
  return weights;
}

}  // namespace

EdgeList collect(EdgeReader& reader) {
  std::vector<Array<OriginalId>> endpoints;
  std::vector<Array<double>> weights;
  WeightChoice choice;
  while (auto batch = reader.next()) {
    endpoints.push_back(std::move(batch->endpoints));
    weights.push_back(std::move(batch->weights));
    choice.merge(batch->weight_choice);
  }
  const GraphShape shape = reader.shape();
  EdgeList list;
  if (shape.vertices) {
    list.num_vertices = shape.vertices->size();
    list.edges = number_edges(std::move(endpoints), *shape.vertices);
    list.ids = shape.vertices->take_ids();
  } else {
    list = compact_ids(std::move(endpoints));
  }
  if (shape.weighted) {
    list.weight_type = choice.type();
    list.weights = encode_weights(std::move(weights), list.weight_type, list.edges.size());
  }
  return list;
}

}  // namespace millrace
