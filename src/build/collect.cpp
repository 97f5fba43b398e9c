#include <optional>
#include <utility>
#include <vector>

#include "millrace/build/edge_reader.h"
#include "millrace/core/parallel.h"
#include "millrace/store/writer.h"

namespace millrace {

void EdgeReader::write_names(StoreWriter& writer) { writer.write_names(take_names()); }

WeightType chosen_type(const GraphShape& shape, const WeightChoice& choice) {
  if (!shape.weighted) return WeightType::none;
  return shape.weight_type == WeightType::none ? choice.type() : shape.weight_type;
}

EdgeList number_batches(std::vector<EdgeBatch> batches, const GraphShape& shape, WeightType weight_type,
                        Budget& budget) {
  std::vector<Array<OriginalId>> endpoints;
  std::uint64_t num_weights = 0;
  for (EdgeBatch& batch : batches) {
    endpoints.push_back(std::move(batch.endpoints));
    num_weights += batch.weights.size();
  }
  std::optional<IdIndex> found;
  IdIndex& index = shape.vertices ? *shape.vertices : found.emplace(endpoints, budget);
  EdgeList list;
  list.num_vertices = index.size();
  list.edges = number_edges(std::move(endpoints), index, budget);
  list.ids = index.take_ids(budget);
  list.weight_type = weight_type;
  list.weights = Array<std::uint64_t>(num_weights, budget, "the weights");
  std::uint64_t first = 0;
  for (EdgeBatch& batch : batches) {
    parallel_for(batch.weights.size(),
                 [&](std::uint64_t i) { list.weights[first + i] = weight_bits(weight_type, batch.weights[i]); });
    first += batch.weights.size();
    batch.weights = {};
  }
  return list;
}

EdgeList collect(EdgeReader& reader) {
  std::vector<EdgeBatch> batches;
  WeightChoice choice;
  while (auto batch = reader.next()) {
    choice.merge(batch->weight_choice);
    batches.push_back(std::move(*batch));
  }
  const GraphShape shape = reader.shape();
  return number_batches(std::move(batches), shape, chosen_type(shape, choice), unlimited_budget());
}

}  // namespace millrace
