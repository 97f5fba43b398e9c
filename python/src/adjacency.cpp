// Dictionaries of neighbours as NetworkX has them, {node: {neighbour: attributes}}, as arrays. That takes most of the
// time of a call that converts a graph, so it is done here and not by iterators.
#include <nanobind/nanobind.h>

#include <limits>

#include "arrays.h"
#include "graph.h"
#include "millrace/core/memory.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

constexpr long missing = -1;

// The number of a key: its value where there is no index, else what the index has for it.
long number_of(PyObject* key, PyObject* index) {
  if (index) {
    key = PyDict_GetItemWithError(index, key);
    if (!key) return PyErr_Clear(), missing;
  } else if (!PyLong_CheckExact(key)) {
    return missing;
  }
  const long number = PyLong_AsLong(key);
  if (number == -1 && PyErr_Occurred()) PyErr_Clear();
  return number;
}

// (starts, indices, whether all attributes are empty): the neighbours of the i-th node are indices[starts[i]] to
// indices[starts[i + 1]]. None where a row is no dictionary, or a neighbour has no number below the number of nodes.
// `index` has the number of each node; None: nodes are 0, 1, ... in this order.
nb::object read_adjacency(nb::dict adjacency, nb::object index) {
  const std::size_t n = nb::len(adjacency);
  if (n > std::numeric_limits<std::int32_t>::max()) return nb::none();
  Array<std::int64_t> starts(n + 1, unlimited_budget(), "rows");
  PyObject *node, *row, *neighbour, *attributes;
  Py_ssize_t at = 0;
  for (std::size_t i = 0; PyDict_Next(adjacency.ptr(), &at, &node, &row); ++i) {
    if (i >= n || !PyDict_CheckExact(row)) return nb::none();
    starts[i + 1] = starts[i] + PyDict_Size(row);
  }
  Array<std::int32_t> indices(static_cast<std::uint64_t>(starts[n]), unlimited_budget(), "neighbours");
  PyObject* const numbers = index.is_none() ? nullptr : index.ptr();
  bool empty = true;
  std::uint64_t next = 0;
  at = 0;
  while (PyDict_Next(adjacency.ptr(), &at, &node, &row))
    for (Py_ssize_t in_row = 0; PyDict_Next(row, &in_row, &neighbour, &attributes);) {
      const long number = number_of(neighbour, numbers);
      if (number < 0 || static_cast<std::size_t>(number) >= n || next >= indices.size()) return nb::none();
      indices[next++] = static_cast<std::int32_t>(number);
      empty = empty && PyDict_CheckExact(attributes) && PyDict_Size(attributes) == 0;
    }
  if (next != indices.size()) return nb::none();  // another thread has changed it
  return nb::make_tuple(array_taking(std::move(starts)), array_taking(std::move(indices)), empty);
}

}  // namespace

void bind_adjacency(nb::module_& module) {
  module.def("read_adjacency", read_adjacency, nb::arg("adjacency"), nb::arg("index").none());
}

}  // namespace millrace::python
