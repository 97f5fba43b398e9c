// Common to searches from one vertex: the option for the source, and the column of parents.
#pragma once

#include "millrace/catalogue/algorithm.h"
#include "millrace/catalogue/find_vertices.h"
#include "millrace/report/results.h"

namespace millrace {

// The column of parents, which is written to a file of its own.
inline ColumnInfo parent_column() {
  return {.name = "parent",
          .option = "parents",
          .option_help = "Write 'id parent' lines; -1 where there is none (nothing where ids are names)",
          .may_be_none = true,
          .shown = Shown::nothing};
}

class SearchFromOne : public Algorithm {
 public:
  std::vector<Option> options() override {
    return {{.name = "source",
             .field = &given_,
             .value = "ID",
             .help = "The source: an id, or a name if ids are names",
             .required = true}};
  }
  void prepare(const Store& store, const Wanted& wanted) override {
    source_ = find_vertex(store, "source", given_);
    wants_parents_ = wanted.has("parent");
  }
  void prepare_measurement(const Store&, const Measured& by) override { source_ = by.source; }
  std::vector<Finding> asked(const Store& store) const override { return {{"source", vertex_json(store, given_)}}; }

 protected:
  VertexId source() const { return source_; }
  bool wants_parents() const { return wants_parents_; }

 private:
  std::string given_;
  VertexId source_ = 0;
  bool wants_parents_ = false;
};

}  // namespace millrace
