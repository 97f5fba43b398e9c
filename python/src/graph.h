// A store, opened: the core of a Graph in Python.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "millrace/store/fleeting.h"
#include "millrace/store/store.h"

namespace millrace::python {

struct OpenStore {
  std::shared_ptr<const Store> store;
};

// What makes the stores of temporary graphs: they are not synced.
inline std::unique_ptr<Fleeting> make_fleeting(bool temporary) {
  return temporary ? std::make_unique<Fleeting>() : nullptr;
}

void bind_graph(nanobind::module_& module);
void bind_edges(nanobind::module_& module);
void bind_adjacency(nanobind::module_& module);
void bind_matrix(nanobind::module_& module);

}  // namespace millrace::python
