// A store, opened: the core of a Graph in Python.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "millrace/run/named_paths.h"
#include "millrace/store/fleeting.h"
#include "millrace/store/store.h"

namespace millrace::python {

struct OpenStore {
  std::shared_ptr<const Store> store;
  bool of_file = false;  // made from a graph file, by the user's cache or where `store` says
};

// What makes the stores of temporary graphs: they are not synced.
inline std::unique_ptr<Fleeting> make_fleeting(bool temporary) {
  return temporary ? std::make_unique<Fleeting>() : nullptr;
}

// Throws unless a store can be written at that path (of a temporary graph: anywhere) apart from `others`, which the
// arguments name.
void demand_store_apart(const std::filesystem::path& store, std::vector<NamedPath> others, bool temporary);

void bind_graph(nanobind::module_& module);
void bind_edges(nanobind::module_& module);
void bind_adjacency(nanobind::module_& module);
void bind_matrix(nanobind::module_& module);

}  // namespace millrace::python
