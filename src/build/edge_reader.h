// Reads the edges of a file in some format: from front to back, in batches, with the ids that the file uses.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "millrace/build/compact_ids.h"
#include "millrace/build/edge_list.h"
#include "millrace/build/name_log.h"
#include "millrace/build/weight_choice.h"
#include "millrace/core/memory.h"
#include "millrace/store/names.h"

namespace millrace {

class StoreWriter;

// Consecutive edges of a file.
struct EdgeBatch {
  Array<OriginalId> endpoints;  // source, target, source, ...
  Array<double> weights;        // one for each edge; empty if the graph has no weights
  WeightChoice weight_choice;   // of these weights
  Charge kept = {};             // for these arrays, of whoever keeps the batch; readers leave it empty
  std::uint64_t num_edges() const { return endpoints.size() / 2; }
};

// How much of the memory for the buffers of a build a reader may take for its text and its rows.
constexpr std::uint64_t reader_room(std::uint64_t memory) { return std::min<std::uint64_t>(memory / 8, 256u << 20); }

// What is known of a graph before any edge is read, from its file or from the options.
struct GraphShape {
  bool weighted = false;
  // The requested type; none: the smallest that holds all weights.
  WeightType weight_type = WeightType::none;
  // Every edge has both directions and is read once, even if the file lists it twice.
  bool undirected = false;
  // All vertices, also those without edges, if they are known beforehand; every endpoint is among them. Null: the
  // vertices are the endpoints.
  std::shared_ptr<IdIndex> vertices = nullptr;
  // The memory that the reader needs until its last batch: at most reader_room(), but for what a format has for each
  // vertex.
  std::uint64_t reader_bytes = 0;
  // Vertices have names, which take_names() returns; their ids are 0, 1, ... in order of first appearance.
  bool named = false;
  // What the file was read as, for messages: "metis".
  std::string format = {};
  // What the user should know of how the file is read, each in a line; settings are marked.
  std::vector<std::string> remarks = {};
};

class EdgeReader {
 public:
  virtual ~EdgeReader() = default;
  virtual GraphShape shape() const = 0;
  // Requests weights of this type, before the first batch: a weight that does not fit it is a fault of the file.
  virtual void ask_weights(WeightType) {}
  // Charges names to a budget, before the first batch.
  virtual void keep_names_within(NameRoom) {}
  // The next batch, or nothing at the end. A batch takes some tens of megabytes at most. A fault in the file is a
  // BadInputError that names the file, the line or byte, what was found and what was expected.
  virtual std::optional<EdgeBatch> next() = 0;
  // The names of the vertices if shape().named; to be called once, after the last batch.
  virtual Names take_names() { return {}; }
  // The same, into the store that is being written.
  virtual void write_names(StoreWriter& writer);
};

// The names of vertices exceed their budget. All was read, to know how many there are.
class NamesOverBudget : public OverBudgetError {
 public:
  NamesOverBudget(const OverBudgetError& found, std::uint64_t most_names, std::uint64_t more_edges)
      : OverBudgetError(found), names(most_names), edges(more_edges) {}
  std::uint64_t names;  // at most, by an estimate
  std::uint64_t edges;  // that came after the last batch
};

// The weight type that the store gets.
WeightType chosen_type(const GraphShape& shape, const WeightChoice& choice);

// Joins batches in memory to one list, with vertices numbered by ascending id. Batches are freed on the way.
EdgeList number_batches(std::vector<EdgeBatch> batches, const GraphShape& shape, WeightType weight_type,
                        Budget& budget);

// Reads all remaining edges and numbers vertices by ascending id: for graphs that fit into memory, and for tests.
EdgeList collect(EdgeReader& reader);

}  // namespace millrace
