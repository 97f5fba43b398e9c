// Edges from a text with at most one edge per line: common to the readers of such formats.
#pragma once

#include <memory>
#include <utility>

#include "millrace/build/edge_reader.h"
#include "millrace/read/read_rows.h"

namespace millrace {

class RowEdges : public EdgeReader {
 public:
  RowEdges(std::unique_ptr<TextSource> source, std::unique_ptr<RowParser> parser, ReadBlocks blocks, GraphShape shape)
      : source_(std::move(source)),
        parser_(std::move(parser)),
        rows_(*source_, *parser_, blocks),
        shape_(std::move(shape)) {
    shape_.reader_bytes = rows_.memory();
  }

  // Endpoints must be among these vertices, which are also all vertices of the graph.
  void allow_only(KnownVertices known) {
    shape_.vertices = known.index;
    rows_.allow_only(std::move(known));
  }

  // The file must have exactly so many edges, as its line number `line` says.
  void expect_edges(std::uint64_t edges, std::uint64_t line) {
    expected_ = edges;
    expected_by_ = line;
  }

  GraphShape shape() const override { return shape_; }
  void ask_weights(WeightType type) override {
    shape_.weight_type = type;
    rows_.ask_weights(type);
  }
  std::optional<EdgeBatch> next() override;

 protected:
  TextSource& source() { return *source_; }
  RowReader& rows() { return rows_; }

 private:
  std::unique_ptr<TextSource> source_;
  std::unique_ptr<RowParser> parser_;
  RowReader rows_;
  GraphShape shape_;
  std::uint64_t num_edges_ = 0;
  std::optional<std::uint64_t> expected_;
  std::uint64_t expected_by_ = 0;
};

}  // namespace millrace
