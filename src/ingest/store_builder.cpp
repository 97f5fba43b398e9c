#include "millrace/ingest/store_builder.h"

#include <omp.h>

#include <optional>
#include <type_traits>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/core/text.h"
#include "millrace/ingest/cuda_page_writer.h"
#include "millrace/ingest/page_plan.h"
#include "millrace/ingest/page_sorter.h"
#include "millrace/ingest/spill.h"

namespace millrace {
namespace {

// Moves values[v] to place rank[v]; an empty rank leaves them where they are.
template <class T>
Array<T> permute(Array<T> values, std::span<const VertexId> rank, Budget& budget) {
  if (rank.empty() || values.empty()) return values;
  Array<T> moved(values.size(), budget, "vertex order");
#pragma omp parallel for schedule(static)
  for (std::uint64_t v = 0; v < values.size(); ++v) moved[rank[v]] = values[v];
  return moved;
}

void renumber(EdgeList& list, std::span<const VertexId> rank) {
  if (rank.empty()) return;
#pragma omp parallel for schedule(static)
  for (std::uint64_t i = 0; i < list.edges.size(); ++i)
    list.edges[i] = {rank[list.edges[i].source], rank[list.edges[i].target]};
}

// Planned with the weight type as read, so that the pages are the same for every way to merge parallel edges.
PagePlan plan_for(std::span<const std::uint32_t> degree, const SampledCost& cost, const BuildOptions& options,
                  WeightType weight_type) {
  const PageOptions pages{.page_bytes = options.page_bytes,
                          .weight_type = weight_type,
                          .keep_parallel_edges = options.duplicates == Duplicates::keep};
  const std::span<const VertexId> borders = options.parts ? options.parts->first_vertex : std::span<const VertexId>();
  return plan_pages_with_edges(degree, cost.bytes_per_entry, pages, borders);
}

PagesToSort pages_to_sort(const PagePlan& plan) {
  return {.entries = plan.before.back(),
          .largest = plan.largest_pages(static_cast<std::uint64_t>(omp_get_max_threads()))};
}

class Builder {
 public:
  Builder(EdgeSupply& edges, const BuildOptions& options, StoreWriter& writer, Budget& budget)
      : edges_(edges),
        options_(options),
        writer_(writer),
        budget_(budget),
        kept_(budget.used()),
        weight_type_(edges.weight_type()) {}

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
        if (by_degree) {  // a list already in its new order would stay in it
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
    summary_.order = choose_order(options_.order, edges_, degrees, options_.undirected, budget_);
    if (EdgeList* const list = edges_.list()) {
      renumber(*list, summary_.order.rank);
      writer_.write_names(list->names);
    }
    weight_type_ = first_weight_type();

    const std::vector<Orientation> orientations = orientations_of(options_);
    const bool one = !options_.undirected && orientations.size() == 1;
    std::uint64_t kept_loops = 0;
    for (const Orientation o : orientations) {
      Array<std::uint32_t> degree = std::move(o == Orientation::out ? degrees.out : degrees.in);
      if (one) degrees.out = {}, degrees.in = {};
      const Written written = write(o, std::move(degree), one);
      if (o == Orientation::in && !one && written.edges != summary_.num_edges)
        throw InternalError("{} edges outward but {} inward", summary_.num_edges, written.edges);
      summary_.num_edges = written.edges;
      kept_loops = written.self_loops;
    }
    const std::uint64_t offered = (edges_.num_edges() - degrees.self_loops) * (options_.undirected ? 2 : 1) +
                                  (options_.keep_self_loops ? degrees.self_loops : 0);
    summary_.merged_edges = offered - summary_.num_edges;
    summary_.weight_type = weight_type_;
    write_ids();
    writer_.commit(describe_build(options_, summary_, weight_type_, kept_loops), orientations);
    summary_.order.rank = {};  // charged to the budget, which may end before the summary
    return std::move(summary_);
  }

  void open_gpu() {
    if (options_.use_gpu == UseGpu::never || weight_type_ != WeightType::none) return;
    if (options_.use_gpu == UseGpu::where_worth && (edges_.num_edges() < worth_a_gpu || cuda_devices().empty())) return;
    gpu_.emplace(options_.gpu, budget_);
    summary_.device = gpu_->name();
  }

  // Sums may exceed the type of their terms; columns are as narrow as their values allow, so u32 costs no more than u8.
  WeightType first_weight_type() const {
    const WeightType read = edges_.weight_type();
    const bool sums = options_.duplicates == Duplicates::sum && options_.weight_type == WeightType::none;
    return sums && (read == WeightType::u8 || read == WeightType::u16) ? WeightType::u32 : read;
  }

  PageOptions page_options() const {
    return {.page_bytes = options_.page_bytes,
            .weight_type = weight_type_,
            .keep_parallel_edges = options_.duplicates == Duplicates::keep};
  }

  // `degree`, in the order of the vertices as read, counts the edges of each row before merging.
  Written write(Orientation orientation, Array<std::uint32_t> degree, bool count_others) {
    if (!gpu_) writer_.begin_pages(orientation);
    degree = permute(std::move(degree), summary_.order.rank, budget_);
    const PagePlan plan = plan_for(degree, summary_.order.cost(), options_, edges_.weight_type());
    degree = {};
    try {
      return write(orientation, plan, count_others);
    } catch (const SumNeedsF64&) {
      // The first orientation has all sums, so nothing else was written yet.
      weight_type_ = WeightType::f64;
      writer_.discard_pages(orientation);
      writer_.begin_pages(orientation);
      return write(orientation, plan, count_others);
    }
  }

  Written write(Orientation orientation, const PagePlan& plan, bool count_others) {
    Written written(edges_.num_vertices(), count_others, budget_);
    const ItemRules rules(orientation, options_, edges_.num_vertices());
    Progress progress(fmt::format("encode {}", orientation_name(orientation)), plan.before.back());
    if (gpu_)
      write_pages_on_gpu(rules, plan, progress, written);
    else if (weight_type_ == WeightType::none)
      write_pages<PlainItem>(rules, plan, progress, written);
    else
      write_pages<WeightedItem>(rules, plan, progress, written);
    written.write_degrees(orientation, writer_);
    return written;
  }

  template <class Item>
  void write_pages(const ItemRules& rules, const PagePlan& plan, Progress& progress, Written& written) {
    const WeightMerge merge{options_.duplicates, edges_.weight_type(), weight_type_, options_.weight_type};
    PageSorter<Item> sorter(rules, merge, page_options(), writer_, progress, written, budget_);
    const std::uint64_t left = budget_.limit() - budget_.used();
    if (const EdgeList* const list = edges_.list(); list && buffer_memory(plan.before.back() * sizeof(Item)) <= left) {
      sorter.write(plan.first_vertex, list->edges.size(), [&](std::uint64_t first, std::uint64_t last, auto&& emit) {
        hand_out<Item>({list->edges, list->weights}, rules, {}, first, last, emit);
      });
      return;
    }
    const SortingPlan sorting = plan_sorting(facts(sizeof(Item)), pages_to_sort(plan), left);
    if (sorting.needed > left)
      throw OverBudgetError("there is a page of {} edges: sorting needs {}", plan.largest_page(),
                            format_size(sorting.needed));
    sorter.use_threads(sorting.threads);
    const std::vector<std::size_t> cuts = plan.cut(sorting.most_in_bucket);
    const auto spill = make_spill<Item>(rules, plan.first_vertex, cuts, sorting.window_edges);
    auto coming = spill->load(0);
    for (std::size_t b = 0; b < spill->num_buckets(); ++b) {
      const PackedItems<Item> items = coming.get();
      if (b + 1 < spill->num_buckets()) coming = spill->load(b + 1);
      sorter.write(std::span(plan.first_vertex).subspan(cuts[b], cuts[b + 1] - cuts[b] + 1), items.count(),
                   [&](std::uint64_t first, std::uint64_t last, auto&& emit) {
                     items.visit(first, last, [&](const Item& item) { emit(rules.row(key_of(item)), item); });
                   });
    }
  }

  // The same on a GPU. Edges in memory are visited again for each bucket, so that none of them goes to disk.
  void write_pages_on_gpu(const ItemRules& rules, const PagePlan& plan, Progress& progress, Written& written) {
    CudaPageWriter pages(*gpu_, rules, page_options(), writer_, progress, written);
    const std::uint64_t left = budget_.limit() - budget_.used();
    const EdgeList* const list = edges_.list();
    // Edges in memory: a window and output blocks. Edges on disk: also a bucket, and the next one, which is being read.
    const SortingPlan sorting = plan_sorting(facts(sizeof(PlainItem)), {}, left);
    const HostNeeds beside =
        list ? HostNeeds{.bytes = left / 4} : HostNeeds{sorting.beside + left / 4, 2 * sizeof(PlainItem)};
    const std::vector<std::size_t> cuts = pages.cut(plan, beside);
    const auto spill = list ? nullptr : make_spill<PlainItem>(rules, plan.first_vertex, cuts, sorting.window_edges);
    std::future<PackedItems<PlainItem>> coming;
    if (spill) coming = spill->load(0);
    Buckets<PlainItem> window;
    for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
      const auto first_vertex = std::span(plan.first_vertex).subspan(cuts[b], cuts[b + 1] - cuts[b] + 1);
      const auto add = [&](std::uint64_t count, auto visit) {
        add_keys(first_vertex.front(), first_vertex.back(), count, visit, sorting.window_edges, window, pages.batch());
      };
      if (list) {
        add(list->edges.size(), [&](std::uint64_t first, std::uint64_t last, auto emit) {
          hand_out<PlainItem>({list->edges, list->weights}, rules, {}, first, last, emit);
        });
      } else {
        const PackedItems<PlainItem> items = coming.get();
        if (b + 1 < spill->num_buckets()) coming = spill->load(b + 1);
        add(items.count(), [&](std::uint64_t first, std::uint64_t last, auto emit) {
          items.visit(first, last, [&](PlainItem key) { emit(rules.row(key), key); });
        });
      }
      pages.write(first_vertex);
    }
    pages.finish();
  }

  // Gives a GPU the keys of rows [first_row, last_row) among all that visit(first, last, emit) emits for [0, count):
  // `most` at a time.
  template <class Visit>
  void add_keys(VertexId first_row, VertexId last_row, std::uint64_t count, Visit visit, std::uint64_t most,
                Buckets<PlainItem>& window, CudaPageBuilder& batch) {
    const VertexId rows[] = {first_row, last_row};
    const BucketFinder find(rows);
    for (std::uint64_t start = 0; start < count; start += most) {
      throw_if_interrupted();
      scatter<PlainItem>(
          std::min(most, count - start), find,
          [&](std::uint64_t first, std::uint64_t last, auto&& emit) {
            visit(start + first, start + last, [&](VertexId row, PlainItem key) {
              if (row >= first_row && row < last_row) emit(row, key);
            });
          },
          window, budget_);
      batch.add(window.bucket(0));
    }
  }

  // Emits the items of edges [first, last) of a window.
  template <class Item, class Emit>
  static void hand_out(const EdgeSupply::Window& window, const ItemRules& rules, std::span<const VertexId> rank,
                       std::uint64_t first, std::uint64_t last, Emit& emit) {
    for (std::uint64_t i = first; i < last; ++i) {
      auto [source, target] = window.edges[i];
      if (!rank.empty()) source = rank[source], target = rank[target];
      rules.apply(source, target, [&](VertexId row, VertexId neighbour) {
        if constexpr (std::is_same_v<Item, WeightedItem>)
          emit(row, WeightedItem{rules.key(row, neighbour), window.weights[i]});
        else
          emit(row, rules.key(row, neighbour));
      });
    }
  }

  // The facts that plan_sorting needs.
  BuildFacts facts(std::uint64_t item_bytes) const {
    return {.edges = edges_.num_edges(),
            .windows = edges_.num_windows(),
            .item_bytes = item_bytes,
            .undirected = options_.undirected,
            .replaying = edges_.replay_memory()};
  }

  template <class Item>
  std::unique_ptr<Spill<Item>> make_spill(const ItemRules& rules, std::span<const VertexId> first_vertex,
                                          std::span<const std::size_t> cuts, std::uint64_t most) {
    std::vector<VertexId> bucket_vertex;
    std::vector<std::uint64_t> first_keys;
    for (const std::size_t page : cuts) {
      bucket_vertex.push_back(first_vertex[page]);
      first_keys.push_back(std::uint64_t{first_vertex[page]} << rules.neighbour_bits);
    }
    const std::filesystem::path file = scratch() / fmt::format("{}.items", orientation_name(rules.orientation));
    const std::uint64_t items = edges_.num_edges() * (rules.undirected ? 2 : 1);
    const std::uint32_t item_bytes = Spill<Item>::widths(first_keys, edges_.weight_type()).bytes();
    require_disk(file.parent_path(), items * item_bytes, "edges in buckets");

    auto spill = std::make_unique<Spill<Item>>(file, std::move(first_keys), edges_.weight_type(), budget_);
    const std::span<const VertexId> rank = edges_.list() ? std::span<const VertexId>() : summary_.order.rank;
    Progress progress(fmt::format("partition {}", orientation_name(rules.orientation)), edges_.num_edges());
    Buckets<Item> buckets;
    const BucketFinder find(bucket_vertex);
    edges_.replay([&](const EdgeSupply::Window& window) {
      for (std::uint64_t start = 0; start < window.edges.size(); start += most) {
        const std::uint64_t count = std::min<std::uint64_t>(most, window.edges.size() - start);
        scatter<Item>(
            count, find,
            [&](std::uint64_t first, std::uint64_t last, auto&& emit) {
              hand_out<Item>(window, rules, rank, start + first, start + last, emit);
            },
            buckets, budget_);
        spill->add(buckets);
        progress.add(count);
      }
    });
    spill->finish();
    summary_.temporary_bytes += spill->disk_bytes();
    return spill;
  }

  const std::filesystem::path& scratch() {
    if (!scratch_) scratch_ = writer_.make_scratch(options_.temporary);
    return *scratch_;
  }

  void write_ids() {
    Array<OriginalId> ids = edges_.take_ids(budget_);
    const std::span<const VertexId> rank = summary_.order.rank;
    if (!ids.empty()) return writer_.write_ids(permute(std::move(ids), rank, budget_));
    Array<std::uint32_t> vertex_at(rank.size(), budget_, "ids");
#pragma omp parallel for schedule(static)
    for (std::uint64_t v = 0; v < rank.size(); ++v) vertex_at[rank[v]] = static_cast<std::uint32_t>(v);
    writer_.write_ids(std::span<const std::uint32_t>(vertex_at));
  }

  EdgeSupply& edges_;
  const BuildOptions& options_;
  StoreWriter& writer_;
  Budget& budget_;
  std::uint64_t kept_;  // memory in use before the build
  WeightType weight_type_;
  std::optional<CudaDevice> gpu_;  // if a GPU sorts and encodes
  std::optional<std::filesystem::path> scratch_;
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
          .orientations = {},
          .degrees = {},
          .ids = IdColumn::identity,
          .id_column = {},
          .names = {},
          .parts = options.parts};
}

BuildFacts count_build_memory(EdgeSupply& edges, const BuildOptions& options, const StoreWriter& writer,
                              std::uint64_t kept, std::uint64_t before) {
  edges.stop_counting();
  const std::vector<Orientation> orientations = orientations_of(options);
  BuildFacts facts{.vertices = edges.num_vertices(),
                   .edges = edges.num_edges(),
                   .windows = edges.num_windows(),
                   .item_bytes = edges.weight_type() == WeightType::none ? sizeof(PlainItem) : sizeof(WeightedItem),
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
  const ChosenOrder order = choose_order(options.order, edges, degrees, options.undirected, aside);
  facts.ordering = aside.peak() - counted;
  facts.by_degree = order.order == Order::degree;
  for (const Orientation o : orientations) {
    const Array<std::uint32_t> degree =
        permute(std::move(o == Orientation::out ? degrees.out : degrees.in), order.rank, aside);
    facts.pages.push_back(pages_to_sort(plan_for(degree, order.cost(), options, edges.weight_type())));
  }
  // Ids are in memory, and then also a copy in the new order or, in natural order, narrowed.
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
