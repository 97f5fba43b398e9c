// From tables of edges in memory to stores.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "edge_table.h"
#include "graph.h"
#include "jobs.h"
#include "millrace/build/build.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "options.h"
#include "read_columns.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

constexpr std::uint64_t worth_threads = 1u << 16;  // of fewer edges, waiting for each other would take most of the time

// Whether the edges may be in memory as a list while the store is built of it.
bool lists_in_memory(const EdgeTable& table, const BuildOptions& options) {
  const std::uint64_t item = table.weight ? 16 : 8;
  const std::uint64_t bytes = table.size() * (item + item * (options.undirected ? 2 : 1));
  return !table.named() && bytes < options.memory / 2;
}

using GivenColumns = std::vector<std::tuple<std::string, std::string, nb::object>>;  // name, kind, object

EdgeTable read_table(const GivenColumns& given) {
  std::vector<TableColumn> columns;
  for (const auto& [name, kind, object] : given) columns.push_back(read_column(name, kind, object));
  for (const TableColumn& column : columns)
    if (column.size != columns[0].size)
      throw UsageError("{} has {}, but {} has {}", column.name, format_counted(column.size, "value"), columns[0].name,
                       format_count(columns[0].size));
  if (columns[0].size > 0 && columns[0].text() != columns[1].text())
    throw UsageError("one of {} and {} has texts, and the other numbers", columns[0].name, columns[1].name);
  EdgeTable table{std::move(columns[0]), std::move(columns[1])};
  if (columns.size() == 3) table.weight = std::move(columns[2]);
  return table;
}

// `vertices`: a column of them, or nothing. `source`: what the store is made from, for `info`.
void build_edges(const std::filesystem::path& path, const GivenColumns& given, const GivenColumns& vertices,
                 const Given& layout, int threads, bool temporary, const std::string& source) {
  StoreOptions options;
  const std::vector<Option> all = layout_of_store(options);
  assign_all(all, layout, "from_edges");
  options.output = path;
  options.build.source = source;
  EdgeTable table = read_table(given);
  for (const auto& [name, kind, object] : vertices) {
    table.vertices = read_column(name, kind, object);
    if (table.vertices->size > 0 && table.vertices->text() != table.named())
      throw UsageError("one of {} and {} has texts, and the other numbers", table.source.name, name);
  }
  if (table.size() < worth_threads) threads = 1;
  run_job(
      [&] {
        demand_store_apart(path, paths_given(all, layout), temporary);
        const auto fleeting = make_fleeting(temporary);
        check_store_options(options);
        if (lists_in_memory(table, options.build)) {
          build_store(list_table(table), path, options.build);
        } else {
          build_store(*read_table_in_batches(table), path, options.build);
        }
      },
      threads);
}

}  // namespace

void bind_edges(nb::module_& module) { module.def("build_edges", build_edges); }

}  // namespace millrace::python
