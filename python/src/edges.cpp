// From tables of edges in memory to stores.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <omp.h>

#include <algorithm>

#include "graph.h"
#include "jobs.h"
#include "millrace/cli/store_options.h"
#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/text.h"
#include "millrace/ingest/build.h"
#include "millrace/ingest/compact_ids.h"
#include "millrace/ingest/edge_reader.h"
#include "millrace/ingest/name_table.h"
#include "millrace/pages/weight.h"
#include "options.h"
#include "read_columns.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

constexpr std::uint64_t batch_edges = 1u << 18;  // few enough to stay in a cache until they are read again
constexpr std::uint64_t chunk = 1u << 14;        // of rows that a thread draws at a time
constexpr std::uint64_t block = 1024;            // of rows that it reads at a time

constexpr std::uint64_t worth_threads = 1u << 16;  // of fewer edges, waiting for each other would take most of the time

struct EdgeTable {
  TableColumn source, target;
  std::optional<TableColumn> weight = {};
  std::uint64_t size() const { return source.size; }
};

// Calls body(first, count) for chunks of rows [first, last), in parallel; by OpenMP, as all of a build is: its threads
// would wait for work on the cores that others need.
template <class Body>
void for_rows(std::uint64_t first, std::uint64_t last, const Body& body) {
  const StopRequest* const request = StopRequest::current();
  FirstException failed;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::uint64_t from = first; from < last; from += chunk)
    if (!failed.thrown_before(from) && !interrupted(request))
      failed.run(from, [&] { body(from, std::min(chunk, last - from)); });
  failed.rethrow();
  throw_if_interrupted();
}

void read_endpoints(const EdgeTable& table, std::uint64_t first, std::uint64_t last, std::span<OriginalId> into) {
  for_rows(first, last, [&](std::uint64_t from, std::uint64_t count) {
    table.source.read_ids(from, count, &into[2 * (from - first)], 2);
    table.target.read_ids(from, count, &into[2 * (from - first) + 1], 2);
  });
}

WeightChoice read_weights(const EdgeTable& table, std::uint64_t first, std::uint64_t last, std::span<double> into) {
  WeightChoice all;
  std::mutex mutex;
  for_rows(first, last, [&](std::uint64_t from, std::uint64_t count) {
    WeightChoice here;
    table.weight->read_weights(from, count, &into[from - first], here);
    const std::lock_guard lock(mutex);
    all.merge(here);
  });
  return all;
}

// Batch by batch: for tables with names, and for those whose edges do not fit in memory once more.
class TableReader final : public EdgeReader {
 public:
  explicit TableReader(const EdgeTable& table) : table_(table), named_(table.source.text()) {}
  GraphShape shape() const override {
    return {.weighted = table_.weight.has_value(), .named = named_, .format = "table"};
  }
  Names take_names() override { return names_.take_names(); }
  std::optional<EdgeBatch> next() override {
    if (at_ == table_.size()) return {};
    const std::uint64_t first = at_, last = at_ = std::min(table_.size(), first + batch_edges);
    EdgeBatch batch;
    batch.endpoints = Array<OriginalId>(2 * (last - first), unlimited_budget(), "edges");
    if (named_)
      number_names(first, last, batch.endpoints);
    else
      read_endpoints(table_, first, last, batch.endpoints);
    if (table_.weight) {
      batch.weights = Array<double>(last - first, unlimited_budget(), "weights");
      batch.weight_choice = read_weights(table_, first, last, batch.weights);
    }
    return batch;
  }

 private:
  // Names that are known are found by all threads; the others get the next numbers, in their order.
  void number_names(std::uint64_t first, std::uint64_t last, std::span<OriginalId> into) {
    std::vector<std::string_view> texts(into.size());
    std::vector<VertexId> numbers(into.size());
    for_rows(first, last, [&](std::uint64_t from, std::uint64_t count) {
      const std::uint64_t at = 2 * (from - first);
      table_.source.read_texts(from, count, &texts[at], 2);
      table_.target.read_texts(from, count, &texts[at + 1], 2);
      names_.find({&texts[at], 2 * count}, &numbers[at]);
    });
    for (std::uint64_t i = 0; i < into.size(); ++i) {
      if (numbers[i] == no_vertex) names_.add({&texts[i], 1}, &numbers[i]);
      into[i] = numbers[i];
    }
  }

  const EdgeTable& table_;
  const bool named_;
  NameTable names_;
  std::uint64_t at_ = 0;
};

OriginalId largest_id(const EdgeTable& table) {
  OriginalId largest = 0;
  std::mutex mutex;
  for_rows(0, table.size(), [&](std::uint64_t first, std::uint64_t count) {
    OriginalId ids[block], most = 0;
    for (std::uint64_t from = first; from < first + count; from += block)
      for (const TableColumn* const column : {&table.source, &table.target}) {
        const std::uint64_t here = std::min(block, first + count - from);
        column->read_ids(from, here, ids, 1);
        most = std::max(most, *std::max_element(ids, ids + here));
      }
    const std::lock_guard lock(mutex);
    largest = std::max(largest, most);
  });
  return largest;
}

// All edges at once, in half the memory of their batches: the table is read three times.
EdgeList list_edges(const EdgeTable& table) {
  Budget& budget = unlimited_budget();
  Array<OriginalId> some(2 * std::min(batch_edges, table.size()), budget, "ids");
  const auto for_batches = [&](const auto& visit) {
    for (std::uint64_t first = 0; first < table.size(); first += batch_edges) {
      const std::uint64_t last = std::min(table.size(), first + batch_edges);
      const std::span<OriginalId> here(some.data(), 2 * (last - first));
      read_endpoints(table, first, last, here);
      visit(first, last, here);
    }
  };
  const IdIndex::Pieces pieces = [&](const auto& piece) {
    for_batches([&](auto, auto, std::span<const OriginalId> ids) { piece(ids); });
  };
  IdIndex index(pieces, 2 * table.size(), largest_id(table), budget);
  EdgeList list;
  list.num_vertices = index.size();
  list.edges = Array<Edge>(table.size(), budget, "edges");
  for_rows(0, table.size(), [&](std::uint64_t first, std::uint64_t count) {
    OriginalId ids[2 * block];
    for (std::uint64_t from = first; from < first + count; from += block) {
      const std::uint64_t here = std::min(block, first + count - from);
      table.source.read_ids(from, here, ids, 2);
      table.target.read_ids(from, here, ids + 1, 2);
      static_assert(sizeof(Edge) == 2 * sizeof(VertexId));
      index.find({ids, 2 * here}, &list.edges[from].source);
    }
  });
  list.ids = index.take_ids(budget);
  return list;
}

void list_weights(const EdgeTable& table, EdgeList& list) {
  WeightChoice choice;
  std::vector<double> some(std::min(batch_edges, table.size()));
  list.weights = Array<std::uint64_t>(table.size(), unlimited_budget(), "weights");
  const auto for_batches = [&](const auto& visit) {
    for (std::uint64_t first = 0; first < table.size(); first += batch_edges) {
      const std::uint64_t last = std::min(table.size(), first + batch_edges);
      choice.merge(read_weights(table, first, last, some));
      visit(first, last);
    }
  };
  for_batches([](auto, auto) {});
  list.weight_type = choice.type();
  for_batches([&](std::uint64_t first, std::uint64_t last) {
#pragma omp parallel for schedule(static)
    for (std::uint64_t i = first; i < last; ++i) list.weights[i] = weight_bits(list.weight_type, some[i - first]);
  });
}

// Whether the edges may be in memory as a list while the store is built of it.
bool lists_in_memory(const EdgeTable& table, const BuildOptions& options) {
  const std::uint64_t item = table.weight ? 16 : 8;
  const std::uint64_t bytes = table.size() * (item + item * (options.undirected ? 2 : 1));
  return !table.source.text() && bytes < options.memory / 2;
}

using GivenColumns = std::vector<std::tuple<std::string, std::string, nb::object>>;  // name, kind, object

EdgeTable read_table(const GivenColumns& given) {
  std::vector<TableColumn> columns;
  static const std::vector<std::string> of_table{"the first column", "the second column", "the third column"};
  for (const auto& [name, kind, object] : given)
    for (TableColumn& column : read_columns(given.size() == 1 ? of_table : std::vector{name}, kind, object))
      columns.push_back(std::move(column));
  if (columns.size() < 2 || columns.size() > 3) throw UsageError("edges have a source, a target and perhaps a weight");
  for (const TableColumn& column : columns)
    if (column.size != columns[0].size)
      throw UsageError("{} has {} values, but {} has {}", column.name, column.size, columns[0].name, columns[0].size);
  if (columns[0].size > 0 && columns[0].text() != columns[1].text())
    throw UsageError("one of {} and {} has texts, and the other numbers", columns[0].name, columns[1].name);
  EdgeTable table{std::move(columns[0]), std::move(columns[1])};
  if (columns.size() == 3) table.weight = std::move(columns[2]);
  return table;
}

void build_edges(const std::filesystem::path& path, const GivenColumns& given, const Given& layout, int threads,
                 bool temporary) {
  StoreOptions options;
  Command command;
  add_store_options(command, options);
  std::erase_if(command.options, [](const Option& o) { return o.name == "output" || o.name == "threads"; });
  assign_all(command.options, layout, "from_edges");
  options.output = path;
  options.build.source = "a table in memory";
  const EdgeTable table = read_table(given);
  if (table.size() < worth_threads) threads = 1;
  run_job(
      [&] {
        const auto fleeting = make_fleeting(temporary);
        check_store_options(options);
        if (lists_in_memory(table, options.build)) {
          EdgeList list = list_edges(table);
          if (table.weight) list_weights(table, list);
          build_store(std::move(list), path, options.build);
        } else {
          TableReader reader(table);
          build_store(reader, path, options.build);
        }
      },
      threads);
}

}  // namespace

void bind_edges(nb::module_& module) { module.def("build_edges", build_edges); }

}  // namespace millrace::python
