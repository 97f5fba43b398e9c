#include "edge_table.h"

#include <algorithm>
#include <functional>
#include <mutex>

#include "millrace/build/name_table.h"
#include "millrace/core/parallel.h"
#include "millrace/pages/weight.h"

namespace millrace::python {
namespace {

constexpr std::uint64_t batch_edges = 1u << 18;  // few enough to stay in a cache until they are read again
constexpr std::uint64_t chunk = 1u << 14;        // of rows that a thread draws at a time
constexpr std::uint64_t block = 1024;            // of rows that it reads at a time

// Calls body(first, count) for chunks of rows [first, last), in parallel.
template <class Body>
void for_rows(std::uint64_t first, std::uint64_t last, const Body& body) {
  parallel_for_each((last - first + chunk - 1) / chunk, [&](std::uint64_t c) {
    const std::uint64_t from = first + c * chunk;
    body(from, std::min(chunk, last - from));
  });
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

// Calls visit(ids) with all ids of the table, some at a time.
void for_ids(const EdgeTable& table, const std::function<void(std::span<const OriginalId>)>& visit) {
  Array<OriginalId> some(2 * std::min(batch_edges, table.size()), unlimited_budget(), "ids");
  for (std::uint64_t first = 0; first < table.size(); first += batch_edges) {
    const std::uint64_t last = std::min(table.size(), first + batch_edges);
    const std::span<OriginalId> here(some.data(), 2 * (last - first));
    read_endpoints(table, first, last, here);
    visit(here);
  }
  if (!table.vertices) return;
  std::vector<OriginalId> more(std::min(batch_edges, table.vertices->size));
  for (std::uint64_t first = 0; first < table.vertices->size; first += batch_edges) {
    const std::uint64_t count = std::min(batch_edges, table.vertices->size - first);
    table.vertices->read_ids(first, count, more.data(), 1);
    visit(std::span(more).first(count));
  }
}

OriginalId largest_id(const TableColumn& column) {
  OriginalId largest = 0;
  std::mutex mutex;
  for_rows(0, column.size, [&](std::uint64_t first, std::uint64_t count) {
    OriginalId ids[block], most = 0;
    for (std::uint64_t from = first; from < first + count; from += block) {
      const std::uint64_t here = std::min(block, first + count - from);
      column.read_ids(from, here, ids, 1);
      most = std::max(most, *std::max_element(ids, ids + here));
    }
    const std::lock_guard lock(mutex);
    largest = std::max(largest, most);
  });
  return largest;
}

IdIndex index_of(const EdgeTable& table) {
  OriginalId largest = std::max(largest_id(table.source), largest_id(table.target));
  std::uint64_t count = 2 * table.size();
  if (table.vertices) {
    largest = std::max(largest, largest_id(*table.vertices));
    count += table.vertices->size;
  }
  return IdIndex([&](const auto& piece) { for_ids(table, piece); }, count, largest, unlimited_budget());
}

EdgeList list_edges(const EdgeTable& table) {
  Budget& budget = unlimited_budget();
  IdIndex index = index_of(table);
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

// Batch by batch: for tables with names, and for those whose edges do not fit in memory once more.
class TableReader final : public EdgeReader {
 public:
  explicit TableReader(const EdgeTable& table) : table_(table), named_(table.named()) {
    if (table.vertices) all_vertices_ = named_ ? name_all() : std::make_shared<IdIndex>(index_of(table));
  }
  GraphShape shape() const override {
    return {.weighted = table_.weight.has_value(), .vertices = all_vertices_, .named = named_, .format = "table"};
  }
  Names take_names() override { return names_.take_names(); }
  void write_names(StoreWriter& writer) override { names_.write_names(writer); }
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
  // How many vertices there are is known once all names are.
  std::shared_ptr<IdIndex> name_all() {
    std::vector<OriginalId> some(2 * std::min(batch_edges, table_.size()));
    for (std::uint64_t first = 0; first < table_.size(); first += batch_edges) {
      const std::uint64_t last = std::min(table_.size(), first + batch_edges);
      number_names(first, last, std::span(some).first(2 * (last - first)));
    }
    std::string_view text;
    VertexId number;
    for (std::uint64_t i = 0; i < table_.vertices->size; ++i) {
      table_.vertices->read_texts(i, 1, &text, 1);
      names_.find({&text, 1}, &number);
      if (number == no_vertex) names_.add({&text, 1}, &number);
    }
    return std::make_shared<IdIndex>(names_.size());
  }

  const EdgeTable& table_;
  const bool named_;
  NameTable names_;
  std::shared_ptr<IdIndex> all_vertices_;
  std::uint64_t at_ = 0;
};

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
    parallel_for(last - first,
                 [&](std::uint64_t i) { list.weights[first + i] = weight_bits(list.weight_type, some[i]); });
  });
}

}  // namespace

EdgeList list_table(const EdgeTable& table) {
  EdgeList list = list_edges(table);
  if (table.weight) list_weights(table, list);
  return list;
}

std::unique_ptr<EdgeReader> read_table_in_batches(const EdgeTable& table) {
  return std::make_unique<TableReader>(table);
}

}  // namespace millrace::python
