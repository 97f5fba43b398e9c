// Edges as a table in memory has them, on the way to a store.
#pragma once

#include <memory>
#include <optional>

#include "columns.h"
#include "millrace/build/edge_reader.h"

namespace millrace::python {

struct EdgeTable {
  TableColumn source, target;
  std::optional<TableColumn> weight = {};
  std::optional<TableColumn> vertices = {};  // all of them, or those that may have no edges
  std::uint64_t size() const { return source.size; }
  bool named() const { return source.text() || (size() == 0 && vertices && vertices->text()); }
};

// All edges at once, in half the memory of their batches: the ids are read three times. Not for tables with names.
EdgeList list_table(const EdgeTable& table);

// Batch by batch: for tables with names, and for those whose edges do not fit in memory once more. The table has to
// outlive the reader.
std::unique_ptr<EdgeReader> read_table_in_batches(const EdgeTable& table);

}  // namespace millrace::python
