// Reads selected edges of a store, to build another store.
#pragma once

#include "millrace/build/edge_reader.h"
#include "millrace/export/edge_selection.h"

namespace millrace {

// Edges keep their original ids. If these stand for names, vertices get new ids in the same order, since the ids of
// names must have no gaps.
class SelectionReader : public EdgeReader {
 public:
  SelectionReader(const EdgeSelection& edges, Budget& budget);
  // The most memory it takes, whichever edges are selected.
  static std::uint64_t memory(const Store& store);

  GraphShape shape() const override;
  std::optional<EdgeBatch> next() override;
  Names take_names() override;

  std::uint64_t num_edges() const { return num_edges_; }

 private:
  EdgeBatch read_some();
  void number_names();
  std::shared_ptr<IdIndex> index_ids() const;
  OriginalId id(VertexId v) const { return number_.empty() ? ids_.original(v) : number_[v]; }

  const EdgeSelection& edges_;
  Budget& budget_;
  WeightType weight_type_;
  PageReader reader_;
  IdMap ids_;
  Array<VertexId> number_;  // if there are names: the new id of each vertex
  std::shared_ptr<IdIndex> vertices_;
  Names names_;
  Charge names_charge_;
  std::size_t next_page_ = 0;
  std::uint64_t num_edges_ = 0;
};

}  // namespace millrace
