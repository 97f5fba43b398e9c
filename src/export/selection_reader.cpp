#include "millrace/export/selection_reader.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"

namespace millrace {
namespace {

constexpr std::uint64_t batch_edges = 1u << 20;  // edges examined for a batch, or those of one page

}  // namespace

SelectionReader::SelectionReader(const EdgeSelection& edges, Budget& budget)
    : edges_(edges),
      budget_(budget),
      weight_type_(edges.store().manifest().weight_type),
      reader_(edges.reader()),
      ids_(edges.store().load_ids(budget)) {
  if (edges.store().has_names())
    number_names();
  else
    vertices_ = index_ids();
}

std::uint64_t SelectionReader::memory(const Store& store) {
  const std::uint64_t n = store.num_vertices();
  const std::uint64_t numbers = store.has_names()
                                    ? store.order_memory() + buffer_memory(4 * n) + 2 * store.name_memory() + 8 * n + 8
                                    : IdIndex::most_memory(n);
  return store.id_memory() + numbers;
}

void SelectionReader::number_names() {
  const CountedNames all = edges_.store().load_names(budget_);
  const Array<VertexId> order = ids_.ascending(budget_);
  number_ = Array<VertexId>(ids_.size(), budget_, "the numbers of names");
  names_.offsets.push_back(0);
  for (std::uint64_t i = 0; i < ids_.size(); ++i) {
    const VertexId v = order.empty() ? static_cast<VertexId>(i) : order[i];
    if (!edges_.has(v)) continue;
    const OriginalId original = ids_.original(v);
    if (original >= all.size())
      throw DamagedStoreError("the original id {} has no name; the store is damaged", original);
    number_[v] = static_cast<VertexId>(names_.size());
    const std::string_view name = all[original];
    names_.bytes.insert(names_.bytes.end(), name.begin(), name.end());
    names_.offsets.push_back(names_.bytes.size());
  }
  names_charge_ = Charge(names_.bytes.size() + 8 * names_.offsets.size(), budget_, "names");
  vertices_ = std::make_shared<IdIndex>(names_.size());
}

std::shared_ptr<IdIndex> SelectionReader::index_ids() const {
  struct Found {
    std::uint64_t count = 0;
    OriginalId largest = 0;
  };
  const auto look = [&](Found& found, std::uint64_t v) {
    if (!edges_.has(static_cast<VertexId>(v))) return;
    ++found.count;
    found.largest = std::max(found.largest, ids_.original(static_cast<VertexId>(v)));
  };
  const Found found = parallel_reduce(ids_.size(), Found(), look, [](Found& all, const Found& part) {
    all.count += part.count;
    all.largest = std::max(all.largest, part.largest);
  });
  const IdIndex::Pieces pieces = [&](const auto& piece) {
    std::vector<OriginalId> some;
    for (std::uint64_t v = 0; v < ids_.size(); ++v) {
      if (edges_.has(static_cast<VertexId>(v))) some.push_back(ids_.original(static_cast<VertexId>(v)));
      if (some.size() == batch_edges || v + 1 == ids_.size()) piece(some), some.clear();
    }
  };
  return std::make_shared<IdIndex>(pieces, found.count, found.largest, budget_);
}

GraphShape SelectionReader::shape() const {
  return {.weighted = weight_type_ != WeightType::none,
          .undirected = !edges_.store().manifest().directed,
          .vertices = vertices_,
          .named = edges_.store().has_names(),
          .format = "store"};
}

std::optional<EdgeBatch> SelectionReader::next() {
  while (next_page_ < edges_.pages().size())
    if (EdgeBatch batch = read_some(); batch.num_edges() > 0) return batch;
  return std::nullopt;
}

EdgeBatch SelectionReader::read_some() {
  const std::vector<std::uint32_t>& pages = edges_.pages();
  const std::size_t first = next_page_;
  for (std::uint64_t looked_at = 0; next_page_ < pages.size() && looked_at < batch_edges; ++next_page_)
    looked_at += edges_.entry(pages[next_page_]).edges;

  struct Found {
    std::vector<OriginalId> endpoints;
    std::vector<double> weights;
    WeightChoice choice;
  };
  const bool weighted = weight_type_ != WeightType::none;
  std::vector<Found> found(next_page_ - first);
  parallel_for_each(found.size(), [&](std::uint64_t i) {
    Found& here = found[i];
    edges_.for_each_edge(reader_, pages[first + i], weighted,
                         [&](VertexId source, VertexId target, std::uint64_t bits) {
                           here.endpoints.insert(here.endpoints.end(), {id(source), id(target)});
                           if (!weighted) return;
                           here.weights.push_back(weight_value(weight_type_, bits));
                           here.choice.look_at(here.weights.back());
                         });
  });

  std::uint64_t count = 0;
  for (const Found& here : found) count += here.endpoints.size() / 2;
  EdgeBatch batch{.endpoints = Array<OriginalId>(2 * count, unlimited_budget(), "selected edges"),
                  .weights = Array<double>(weighted ? count : 0, unlimited_budget(), "their weights"),
                  .weight_choice = {}};
  OriginalId* endpoint = batch.endpoints.begin();
  double* weight = batch.weights.begin();
  for (const Found& here : found) {
    endpoint = std::copy(here.endpoints.begin(), here.endpoints.end(), endpoint);
    weight = std::copy(here.weights.begin(), here.weights.end(), weight);
    batch.weight_choice.merge(here.choice);
  }
  num_edges_ += count;
  return batch;
}

Names SelectionReader::take_names() { return std::move(names_); }

}  // namespace millrace
