#include "millrace/build/orientation_writer.h"

#include <type_traits>

#include "millrace/build/cuda_page_writer.h"
#include "millrace/build/page_sorter.h"
#include "millrace/build/spill.h"
#include "millrace/build/store_builder.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

// What edges [first, last) of a window contribute.
template <class Item, class Emit>
void hand_out(const EdgeSupply::Window& window, const ItemRules& rules, std::span<const VertexId> rank,
              std::uint64_t first, std::uint64_t last, Emit& emit) {
  for (std::uint64_t i = first; i < last; ++i) {
    auto [source, target] = window.edges[i];
    if (!rank.empty()) source = rank[source], target = rank[target];
    rules.apply(source, target, [&](VertexId row, VertexId neighbour) {
      const std::uint64_t key = rules.key(row, neighbour);
      if constexpr (std::is_same_v<Item, WeightedItem>)
        emit(rules.row_key(key), WeightedItem{key, window.weights[i]});
      else
        emit(rules.row_key(key), key);
    });
  }
}

// Gives a GPU the keys of the row keys [first_row, last_row), of all that visit(first, last, emit) hands out for [0,
// count): a window of `most` at a time.
template <class Visit>
void add_keys(std::uint64_t first_row, std::uint64_t last_row, std::uint64_t count, Visit visit, std::uint64_t most,
              Buckets<PlainItem>& window, CudaPageBuilder& batch, Budget& budget) {
  const std::uint64_t rows[] = {first_row, last_row};
  const BucketFinder find(rows);
  for (std::uint64_t start = 0; start < count; start += most) {
    throw_if_interrupted();
    scatter<PlainItem>(
        std::min(most, count - start), find,
        [&](std::uint64_t first, std::uint64_t last, auto&& emit) {
          visit(start + first, start + last, [&](std::uint64_t row_key, PlainItem key) {
            if (row_key >= first_row && row_key < last_row) emit(row_key, key);
          });
        },
        window, budget);
    batch.add(window.bucket(0));
  }
}

}  // namespace

Written OrientationWriter::write(const ItemRules& rules, const PagePlan& plan, WeightType weight_type,
                                 bool count_others) {
  const Orientation orientation = rules.orientation;
  Written written(edges_.num_vertices(), count_others, budget_);
  const PageOptions pages{.page_bytes = options_.page_bytes,
                          .weight_type = weight_type,
                          .keep_parallel_edges = options_.duplicates == Duplicates::keep};
  Progress progress(fmt::format("encode {}", orientation_name(orientation)), plan.before.back());
  if (gpu_)
    write_pages_on_gpu(rules, plan, pages, progress, written);
  else if (edges_.weight_type() == WeightType::none)
    write_pages<PlainItem>(rules, plan, pages, progress, written);
  else
    write_pages<WeightedItem>(rules, plan, pages, progress, written);
  written.write_degrees(orientation, writer_);
  return written;
}

template <class Item>
void OrientationWriter::write_pages(const ItemRules& rules, const PagePlan& plan, const PageOptions& pages,
                                    Progress& progress, Written& written) {
  const WeightMerge merge{options_.duplicates, edges_.weight_type(), pages.weight_type, options_.weight_type};
  PageSorter<Item> sorter(rules, merge, pages, writer_, progress, written, budget_);
  const PagesToSort to_sort = pages_to_sort(plan);
  const std::uint64_t left = budget_.limit() - budget_.used(), items = buffer_memory(to_sort.entries * sizeof(Item));
  const std::uint64_t item_bytes = sorting_bytes(edges_, options_);
  const int in_memory = items <= left ? to_sort.threads_within(left - items, item_bytes) : 0;
  if (const EdgeList* const list = edges_.list(); list && in_memory > 0) {
    sorter.use_threads(in_memory);
    sorter.write(plan.first_row, list->edges.size(), [&](std::uint64_t first, std::uint64_t last, auto&& emit) {
      hand_out<Item>({list->edges, list->weights}, rules, {}, first, last, emit);
    });
    return;
  }
  const SortingPlan sorting = plan_sorting(facts(item_bytes), to_sort, left);
  if (sorting.needed > left)
    throw OverBudgetError("there is a page of {} edges: sorting needs {}", plan.largest_page(),
                          format_size(sorting.needed));
  sorter.use_threads(sorting.threads);
  const std::vector<std::size_t> cuts = plan.cut(sorting.most_in_bucket);
  const auto spill = make_spill<Item>(rules, plan.first_row, cuts, sorting.window_edges);
  auto coming = spill->load(0);
  for (std::size_t b = 0; b < spill->num_buckets(); ++b) {
    const PackedItems<Item> items = coming.get();
    if (b + 1 < spill->num_buckets()) coming = spill->load(b + 1);
    sorter.write(std::span(plan.first_row).subspan(cuts[b], cuts[b + 1] - cuts[b] + 1), items.count(),
                 [&](std::uint64_t first, std::uint64_t last, auto&& emit) {
                   items.visit(first, last, [&](const Item& item) { emit(rules.row_key(key_of(item)), item); });
                 });
  }
}

void OrientationWriter::write_pages_on_gpu(const ItemRules& rules, const PagePlan& plan, const PageOptions& pages,
                                           Progress& progress, Written& written) {
  CudaPageWriter to(*gpu_, rules, pages, writer_, progress, written);
  const std::uint64_t left = budget_.limit() - budget_.used();
  const EdgeList* const list = edges_.list();
  // In memory: a window and blocks to disk. From disk: also a bucket, and the next, which is read meanwhile.
  const SortingPlan sorting = plan_sorting(facts(sizeof(PlainItem)), {}, left);
  const HostNeeds beside =
      list ? HostNeeds{.bytes = left / 4} : HostNeeds{sorting.beside + left / 4, 2 * sizeof(PlainItem)};
  const std::vector<std::size_t> cuts = to.cut(plan, beside);
  const auto spill = list ? nullptr : make_spill<PlainItem>(rules, plan.first_row, cuts, sorting.window_edges);
  std::future<PackedItems<PlainItem>> coming;
  if (spill) coming = spill->load(0);
  Buckets<PlainItem> window;
  for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
    const auto first_row = std::span(plan.first_row).subspan(cuts[b], cuts[b + 1] - cuts[b] + 1);
    const auto add = [&](std::uint64_t count, auto visit) {
      add_keys(first_row.front(), first_row.back(), count, visit, sorting.window_edges, window, to.batch(), budget_);
    };
    if (list) {
      add(list->edges.size(), [&](std::uint64_t first, std::uint64_t last, auto emit) {
        hand_out<PlainItem>({list->edges, list->weights}, rules, {}, first, last, emit);
      });
    } else {
      const PackedItems<PlainItem> items = coming.get();
      if (b + 1 < spill->num_buckets()) coming = spill->load(b + 1);
      add(items.count(), [&](std::uint64_t first, std::uint64_t last, auto emit) {
        items.visit(first, last, [&](PlainItem key) { emit(rules.row_key(key), key); });
      });
    }
    to.write(first_row);
  }
  to.finish();
}

BuildFacts OrientationWriter::facts(std::uint64_t item_bytes) const {
  return {.edges = edges_.num_edges(),
          .windows = edges_.num_windows(),
          .item_bytes = item_bytes,
          .undirected = options_.undirected,
          .replaying = edges_.replay_memory()};
}

template <class Item>
std::unique_ptr<Spill<Item>> OrientationWriter::make_spill(const ItemRules& rules,
                                                           std::span<const std::uint64_t> first_row,
                                                           std::span<const std::size_t> cuts, std::uint64_t most) {
  std::vector<std::uint64_t> bucket_row, first_keys;
  for (const std::size_t page : cuts) {
    bucket_row.push_back(first_row[page]);
    first_keys.push_back(rules.first_key(first_row[page]));
  }
  const std::filesystem::path file = scratch() / fmt::format("{}.items", orientation_name(rules.orientation));
  const std::uint64_t items = edges_.num_edges() * (rules.undirected ? 2 : 1);
  const std::uint32_t item_bytes = Spill<Item>::widths(first_keys, edges_.weight_type()).bytes();
  require_disk(file.parent_path(), items * item_bytes, "edges in buckets");

  auto spill = std::make_unique<Spill<Item>>(file, std::move(first_keys), edges_.weight_type(), budget_);
  const std::span<const VertexId> rank = edges_.list() ? std::span<const VertexId>() : rank_;
  Progress progress(fmt::format("partition {}", orientation_name(rules.orientation)), edges_.num_edges());
  Buckets<Item> buckets;
  const BucketFinder find(bucket_row);
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
  temporary_bytes_ += spill->disk_bytes();
  return spill;
}

const std::filesystem::path& OrientationWriter::scratch() {
  if (!scratch_) scratch_ = writer_.make_scratch(options_.temporary);
  return *scratch_;
}

}  // namespace millrace
