// The edges of a graph as arrays.
#include <nanobind/nanobind.h>

#include "arrays.h"
#include "graph.h"
#include "jobs.h"
#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/export/page_rows.h"
#include "millrace/pages/weight.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

struct EdgeArrays {
  Array<VertexId> row, neighbour;
  Array<double> weight;
};

// Page by page: each has a place of its own in the arrays.
EdgeArrays read_edges(const Store& store, Orientation orientation, bool weighted) {
  const PageTable& table = store.table(orientation);
  std::vector<std::uint64_t> first(table.size() + 1, 0);
  for (std::uint32_t p = 0; p < table.size(); ++p) first[p + 1] = first[p] + table[p].edges;
  EdgeArrays edges{.row = Array<VertexId>(first.back(), unlimited_budget(), "edges"),
                   .neighbour = Array<VertexId>(first.back(), unlimited_budget(), "edges"),
                   .weight = Array<double>(weighted ? first.back() : 0, unlimited_budget(), "weights")};
  const PageReader reader = store.page_reader(orientation);
  const WeightType type = store.manifest().weight_type;
  parallel_for_each(table.size(), [&](std::uint64_t i) {
    const auto p = static_cast<std::uint32_t>(i);
    std::vector<std::byte> page(weighted ? table[p].bytes : table[p].topology_bytes);
    reader.read(p, page);
    std::uint64_t at = first[p];
    PageRows(weighted).for_each(PageView(page.data()), [&](const RowPart& part) {
      if (at + part.neighbours.size() > first[p + 1]) throw BadInputError("page {} has too many edges", p);
      for (std::size_t j = 0; j < part.neighbours.size(); ++j, ++at) {
        edges.row[at] = part.vertex;
        edges.neighbour[at] = part.neighbours[j];
        if (weighted) edges.weight[at] = weight_value(type, part.weight(j));
      }
    });
  });
  return edges;
}

// (source, target, weight or None) of every edge, by vertex; an undirected edge is there both ways.
nb::tuple edges_of(const OpenStore& open) {
  const bool weighted = open.store->manifest().weight_type != WeightType::none;
  const bool out = open.store->has(Orientation::out);
  EdgeArrays edges =
      run_for([&] { return read_edges(*open.store, out ? Orientation::out : Orientation::in, weighted); });
  nb::object row = array_taking(std::move(edges.row)), neighbour = array_taking(std::move(edges.neighbour));
  return nb::make_tuple(out ? row : neighbour, out ? neighbour : row,
                        weighted ? array_taking(std::move(edges.weight)) : nb::none());
}

}  // namespace

void bind_matrix(nb::module_& module) { module.def("edges", edges_of); }

}  // namespace millrace::python
