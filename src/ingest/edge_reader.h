// Edges as some format has them: read from front to back, in batches, with the ids that the file uses.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "millrace/core/memory.h"
#include "millrace/ingest/compact_ids.h"
#include "millrace/ingest/edge_list.h"
#include "millrace/ingest/weight_choice.h"
#include "millrace/store/names.h"

namespace millrace {

// Consecutive edges of a file.
struct EdgeBatch {
  Array<OriginalId> endpoints;  // source, target, source, ...
  Array<double> weights;        // one for each edge, or none where the graph has no weights
  WeightChoice weight_choice;   // of these weights
  std::uint64_t num_edges() const { return endpoints.size() / 2; }
};

// What a file, or the way it is read, says about its graph before any edge is read.
struct GraphShape {
  bool weighted = false;
  // The type that was asked for; none: the smallest that has all weights.
  WeightType weight_type = WeightType::none;
  // Every edge goes both ways and comes once, whichever way the file lists it.
  bool undirected = false;
  // All vertices, where they are known beforehand, also those without edges; every endpoint is among them. Null: the
  // vertices are the endpoints.
  std::shared_ptr<IdIndex> vertices = nullptr;
  // What the reader keeps in memory until its last batch, where that grows with the vertices.
  std::uint64_t reader_bytes = 0;
  // Vertices have names, which take_names() gives; their ids are 0, 1, ... by first appearance.
  bool named = false;
  // What the file was read as, for messages: "metis".
  std::string format = {};
};

class EdgeReader {
 public:
  virtual ~EdgeReader() = default;
  virtual GraphShape shape() const = 0;
  // Asks for weights of this type, before the first batch: those that it cannot be made of are faults of the file.
  virtual void ask_weights(WeightType) {}
  // The next batch, or nothing at the end. A batch takes some tens of megabytes at most. A fault in the file is a
  // BadInputError that names the file, the line or byte, what was found and what was expected.
  virtual std::optional<EdgeBatch> next() = 0;
  // The names of the vertices where shape().named; to be called once, after the last batch.
  virtual Names take_names() { return {}; }
};

// The type that the weights of a graph are given.
WeightType chosen_type(const GraphShape& shape, const WeightChoice& choice);

// Batches in memory as one list, vertices numbered by ascending id. What has been taken over is released on the way.
EdgeList number_batches(std::vector<EdgeBatch> batches, const GraphShape& shape, WeightType weight_type,
                        Budget& budget);

// All edges that are left, with vertices numbered by ascending id: for graphs that fit into memory, and for tests.
EdgeList collect(EdgeReader& reader);

}  // namespace millrace
