#include "millrace/build/store_builder.h"

#include <optional>

#include "millrace/build/items.h"
#include "millrace/build/merge_weights.h"
#include "millrace/build/orientation_writer.h"
#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

// Moves values[v] to place rank[v]; an empty rank leaves them where they are.
template <class T>
Array<T> permute(Array<T> values, std::span<const VertexId> rank, Budget& budget) {
  if (rank.empty() || values.empty()) return values;
  Array<T> moved(values.size(), budget, "vertex order");
  parallel_for(values.size(), [&](std::uint64_t v) { moved[rank[v]] = values[v]; });
  return moved;
}

void renumber(EdgeList& list, std::span<const VertexId> rank) {
  if (rank.empty()) return;
  parallel_for(list.edges.size(), [&](std::uint64_t i) {
    list.edges[i] = {rank[list.edges[i].source], rank[list.edges[i].target]};
  });
}

// Planned for the weights as read, so that sums and other policies give the same pages. `degree` is in the new order.
PagePlan plan_for(EdgeSupply& edges, std::span<const VertexId> rank, std::span<const std::uint32_t> degree,
                  const SampledCost& cost, const BuildOptions& options, const ItemRules& rules, Budget& budget) {
  // Most counts are small, and their columns narrow.
  const PageOptions pages{.page_bytes = options.page_bytes,
                          .weight_type = options.duplicates == Duplicates::count ? WeightType::u8 : edges.weight_type(),
                          .keep_parallel_edges = options.duplicates == Duplicates::keep};
  const std::span<const VertexId> borders = options.parts ? options.parts->first_vertex : std::span<const VertexId>();
  if (rules.num_segments() == 1) return plan_pages(degree, cost.bytes_per_entry, pages, borders);
  BlockCounts counts(rules, degree, borders, budget);
  edges.replay([&](const EdgeSupply::Window& window) {
    parallel_for(window.edges.size(), [&](std::uint64_t i) {
      auto [source, target] = window.edges[i];
      if (!rank.empty()) source = rank[source], target = rank[target];
      rules.apply(source, target,
                  [&](VertexId row, VertexId neighbour) { counts.add(rules.row_key(rules.key(row, neighbour))); });
    });
  });
  return plan_blocked_pages(counts, cost.bytes_per_entry, pages, borders);
}

class Builder {
 public:
  Builder(EdgeSupply& edges, const BuildOptions& options, StoreWriter& writer, Budget& budget)
      : edges_(edges),
        options_(options),
        writer_(writer),
        budget_(budget),
        kept_(budget.used()),
        weight_type_(first_weight_type()) {}

  BuildSummary build() {
    open_gpu();
    if (gpu_) return build_within();
    try {
      return build_within();
    } catch (const OverBudgetError& found) {
      const bool by_degree = !summary_.order.rank.empty();
      summary_.order.rank = {};
      refuse_build(found, budget_, "building the store", [&] {
        BuildFacts facts = count_build_memory(edges_, options_, writer_, kept_, kept_);
        if (by_degree) {  // a list that has its new order already would be left in it
          facts.by_degree = true;
          facts.ids += buffer_memory(8 * facts.vertices);
        }
        return facts;
      });
    }
  }

 private:
  BuildSummary build_within() {
    summary_.num_vertices = edges_.num_vertices();
    Degrees degrees = count_degrees(edges_, options_.undirected, budget_);
    summary_.dropped_self_loops = options_.keep_self_loops ? 0 : degrees.self_loops;
    summary_.order = choose_order(options_.order, edges_, degrees, options_.undirected, options_.segments, budget_);
    if (EdgeList* const list = edges_.list()) {
      renumber(*list, summary_.order.rank);
      writer_.write_names(list->names);
    }
    OrientationWriter pages(edges_, options_, summary_.order.rank, writer_, gpu_ ? &*gpu_ : nullptr, budget_);

    const std::vector<Orientation> orientations = orientations_of(options_);
    const bool one = !options_.undirected && orientations.size() == 1;
    for (const Orientation o : orientations) {
      Array<std::uint32_t> degree = std::move(o == Orientation::out ? degrees.out : degrees.in);
      if (one) degrees.out = {}, degrees.in = {};
      const Written written = write(o, std::move(degree), one, pages);
      if (o == Orientation::in && !one && written.edges != summary_.num_edges)
        throw InternalError("{} edges outward but {} inward", summary_.num_edges, written.edges);
      summary_.num_edges = written.edges;
      summary_.self_loops = written.self_loops;
    }
    summary_.directed = !options_.undirected;
    summary_.merged_edges = edges_.num_edges() - summary_.dropped_self_loops - summary_.edges().once();
    summary_.weight_type = weight_type_;
    summary_.temporary_bytes = pages.temporary_bytes();
    write_ids();
    writer_.commit(describe_build(options_, summary_, weight_type_, summary_.self_loops), orientations);
    summary_.order.rank = {};  // of the budget, which may be gone before the summary is
    return std::move(summary_);
  }

  void open_gpu() {
    if (options_.use_gpu == UseGpu::never || weight_type_ != WeightType::none) return;
    if (options_.use_gpu == UseGpu::where_worth && (edges_.num_edges() < worth_a_gpu || cuda_devices().empty())) return;
    gpu_.emplace(options_.gpu, budget_);
    summary_.device = gpu_->name();
  }

  // Sums may outgrow the type of their terms; columns are as narrow as their values, so u32 costs no more than u8.
  WeightType first_weight_type() const {
    const WeightType read = edges_.weight_type();
    if (options_.duplicates == Duplicates::count) {
      if (read != WeightType::none) throw_not_countable();
      return WeightType::u32;
    }
    const bool sums = options_.duplicates == Duplicates::sum && options_.weight_type == WeightType::none;
    return sums && (read == WeightType::u8 || read == WeightType::u16) ? WeightType::u32 : read;
  }

  // `degree`, in the order of the vertices as read, counts what each row has before merging.
  Written write(Orientation orientation, Array<std::uint32_t> degree, bool count_others, OrientationWriter& pages) {
    if (!gpu_) writer_.begin_pages(orientation);
    const ItemRules rules(orientation, options_, summary_.num_vertices, summary_.order.segment);
    degree = permute(std::move(degree), summary_.order.rank, budget_);
    // A list in memory has its new order already.
    const std::span<const VertexId> rank = edges_.list() ? std::span<const VertexId>() : summary_.order.rank;
    const PagePlan plan = plan_for(edges_, rank, degree, summary_.order.cost(), options_, rules, budget_);
    degree = {};
    try {
      return pages.write(rules, plan, weight_type_, count_others);
    } catch (const SumNeedsF64&) {
      // The first orientation meets every sum, so nothing else was written yet.
      weight_type_ = WeightType::f64;
      writer_.discard_pages(orientation);
      writer_.begin_pages(orientation);
      return pages.write(rules, plan, weight_type_, count_others);
    }
  }

  void write_ids() {
    Array<OriginalId> ids = edges_.take_ids(budget_);
    const std::span<const VertexId> rank = summary_.order.rank;
    if (!ids.empty()) return writer_.write_ids(permute(std::move(ids), rank, budget_));
    Array<std::uint32_t> vertex_at(rank.size(), budget_, "ids");
    parallel_for(rank.size(), [&](std::uint64_t v) { vertex_at[rank[v]] = static_cast<std::uint32_t>(v); });
    writer_.write_ids(std::span<const std::uint32_t>(vertex_at));
  }

  EdgeSupply& edges_;
  const BuildOptions& options_;
  StoreWriter& writer_;
  Budget& budget_;
  std::uint64_t kept_;  // in use before the build
  WeightType weight_type_;
  std::optional<CudaDevice> gpu_;  // where it sorts and encodes
  BuildSummary summary_;
};

}  // namespace

void require_disk(const std::filesystem::path& where, std::uint64_t bytes, const std::string& what) {
  if (const std::uint64_t left = free_disk_bytes(where); bytes > left)
    throw DoesNotFitError("{} need about {} on the disk of {}, which has {} left; free space, or choose another disk",
                          what, format_size(bytes), where.string(), format_size(left));
}

std::vector<Orientation> orientations_of(const BuildOptions& options) {
  if (options.undirected || options.orientations == Orientations::out) return {Orientation::out};
  if (options.orientations == Orientations::in) return {Orientation::in};
  return {Orientation::out, Orientation::in};
}

Manifest describe_build(const BuildOptions& options, const BuildSummary& summary, WeightType weight_type,
                        std::uint64_t self_loops) {
  return {.num_vertices = summary.num_vertices,
          .num_edges = summary.num_edges,
          .directed = !options.undirected,
          .keeps_parallel_edges = options.duplicates == Duplicates::keep,
          .self_loops = self_loops,
          .weight_type = weight_type,
          .order = !options.order_name.empty()            ? options.order_name
                   : summary.order.order == Order::degree ? "degree"
                                                          : "natural",
          .source = options.source,
          .page_bytes = options.page_bytes,
          .segment = summary.order.segment,
          .orientations = {},
          .degrees = {},
          .ids = IdColumn::identity,
          .id_column = {},
          .names = {},
          .parts = options.parts};
}

std::uint64_t sorting_bytes(const EdgeSupply& edges, const BuildOptions& options) {
  const bool weighted = edges.weight_type() != WeightType::none || options.duplicates == Duplicates::count;
  return weighted ? sizeof(WeightedItem) : sizeof(PlainItem);
}

BuildFacts count_build_memory(EdgeSupply& edges, const BuildOptions& options, const StoreWriter& writer,
                              std::uint64_t kept, std::uint64_t before) {
  edges.stop_counting();
  const std::vector<Orientation> orientations = orientations_of(options);
  BuildFacts facts{.vertices = edges.num_vertices(),
                   .edges = edges.num_edges(),
                   .windows = edges.num_windows(),
                   .item_bytes = sorting_bytes(edges, options),
                   .undirected = options.undirected,
                   .one_of_two = !options.undirected && orientations.size() == 1,
                   .listed = edges.list() != nullptr,
                   .kept = kept,
                   .before = before,
                   .replaying = edges.replay_memory(),
                   .page_files = writer.num_page_files()};
  Budget aside(Budget::unlimited, "the disk", Keep::in_file);
  Degrees degrees = count_degrees(edges, options.undirected, aside);
  const std::uint64_t counted = aside.used();
  const ChosenOrder order = choose_order(options.order, edges, degrees, options.undirected, options.segments, aside);
  facts.ordering = aside.peak() - counted;
  facts.by_degree = order.order == Order::degree;
  for (const Orientation o : orientations) {
    const Array<std::uint32_t> degree =
        permute(std::move(o == Orientation::out ? degrees.out : degrees.in), order.rank, aside);
    const ItemRules rules(o, options, facts.vertices, order.segment);
    facts.pages.push_back(pages_to_sort(plan_for(edges, order.rank, degree, order.cost(), options, rules, aside)));
  }
  // They are there, then moved to their order, or narrowed where there is none.
  const std::uint64_t ids = buffer_memory(8 * facts.vertices);
  facts.ids = std::max(edges.id_memory(),
                       std::min(edges.id_memory(), ids) + (facts.by_degree ? ids : buffer_memory(4 * facts.vertices)));
  return facts;
}

void refuse_build(const OverBudgetError& found, const Budget& budget, const std::string& what,
                  const std::function<BuildFacts()>& count, const std::string& else_do) {
  std::uint64_t least = 0;
  try {
    least = least_build_memory(count());
  } catch (const DoesNotFitError&) {
    throw OverBudgetError(found);
  }
  budget.refuse(std::max(least, budget.limit() + 1) - budget.used(), what, else_do);
}

BuildSummary build_from(EdgeSupply& edges, const BuildOptions& options, StoreWriter& writer, Budget& budget) {
  return Builder(edges, options, writer, budget).build();
}

}  // namespace millrace
