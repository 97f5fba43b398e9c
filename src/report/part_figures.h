// How good the parts of a store are: for `millrace info` and `millrace partition`.
#pragma once

#include <string>
#include <vector>

#include "millrace/report/table.h"
#include "millrace/store/counted_edges.h"
#include "millrace/store/store.h"

namespace millrace {

struct PartFigures {
  struct Part {
    VertexId first_vertex = 0;
    std::uint64_t vertices = 0;
    std::uint64_t edges = 0;  // entries of its rows, in all stored orientations
    std::uint64_t pages = 0;
  };
  std::string method;
  std::vector<Part> parts;
  CountedEdges edges = {};      // of the graph
  std::uint64_t cut_edges = 0;  // between two parts, as listed
  double cut = 0;               // cut_edges / edges
  double balance = 1;           // the most edges of a part / the mean
  double replication = 0;       // mean number of parts in which a vertex or a neighbour of it lies
};

// For a store that has parts. Reads only the manifest and the page tables.
PartFigures part_figures(const Store& store);
void add_rows(SummaryTable& table, const PartFigures& figures);

}  // namespace millrace
