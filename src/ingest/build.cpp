#include "millrace/ingest/build.h"

#include <chrono>
#include <type_traits>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"
#include "millrace/ingest/buckets.h"
#include "millrace/ingest/page_plan.h"
#include "millrace/ingest/radix_sort.h"
#include "millrace/pages/encode.h"
#include "millrace/store/writer.h"

namespace millrace {
namespace {

// An edge seen from its row: (row, neighbour) packed into one key, and its weight where there are weights.
struct WeightedItem {
  std::uint64_t key;
  std::uint64_t weight;
};
using PlainItem = std::uint64_t;

std::uint64_t key_of(const PlainItem& item) { return item; }
std::uint64_t key_of(const WeightedItem& item) { return item.key; }

std::uint64_t combine_weights(Duplicates policy, WeightType type, std::uint64_t a, std::uint64_t b) {
  const double x = weight_value(type, a), y = weight_value(type, b);
  switch (policy) {
    case Duplicates::min:
      return y < x ? b : a;
    case Duplicates::max:
      return y > x ? b : a;
    case Duplicates::sum: {
      if (type == WeightType::u32 && x + y > 0xffffffffu)
        throw DoesNotFitError(
            "weights {} and {} of parallel edges sum to more than u32 can hold; use --duplicates "
            "max or keep",
            x, y);
      return weight_bits(type, x + y);
    }
    default:
      return a;
  }
}

// What was written, after merging.
struct Written {
  std::uint64_t edges = 0;
  std::uint64_t self_loops = 0;
};

// One orientation of the graph on its way to pages.
template <class Item>
class OrientationBuilder {
 public:
  static constexpr bool weighted = std::is_same_v<Item, WeightedItem>;

  OrientationBuilder(const EdgeList& list, Orientation orientation, const BuildOptions& options)
      : list_(list),
        orientation_(orientation),
        options_(options),
        page_options_{.page_bytes = options.page_bytes,
                      .weight_type = list.weight_type,
                      .keep_parallel_edges = options.duplicates == Duplicates::keep},
        neighbour_bits_(static_cast<std::uint32_t>(std::bit_width(std::max<std::uint64_t>(list.num_vertices, 1) - 1))),
        degrees_(list.num_vertices, unlimited_budget(), "degrees") {}

  Written write(std::span<const VertexId> first_vertex, StoreWriter& writer) {
    Buckets<Item> buckets =
        scatter<Item>(list_.edges.size(), first_vertex, [this](std::uint64_t i, auto&& emit) { visit(i, emit); });
    const std::uint64_t num_buckets = first_vertex.size() - 1;
    Progress progress(fmt::format("encode {}", orientation_name(orientation_)), buckets.items.size());
    FirstException failed;
    Written written;
#pragma omp parallel
    {
      Worker worker(*this);
#pragma omp for ordered schedule(dynamic, 1)
      for (std::uint64_t b = 0; b < num_buckets; ++b) {
        if (!failed.thrown_before(b))
          failed.run(b, [&] { worker.encode(first_vertex[b], first_vertex[b + 1], buckets.bucket(b)); });
#pragma omp ordered
        if (!failed.thrown()) {
          failed.run(b, [&] {
            for (EncodedPage& page : worker.pages) {
              written.edges += page.entry.edges;
              writer.append_page(orientation_, std::move(page));
            }
            written.self_loops += worker.self_loops;
            progress.add(buckets.bucket(b).size());
          });
        }
      }
    }
    failed.rethrow();
    writer.write_degrees(orientation_, degrees_);
    return written;
  }

 private:
  // Hands out what edge i contributes to this orientation.
  template <class Emit>
  void visit(std::uint64_t i, Emit& emit) const {
    const auto [source, target] = list_.edges[i];
    if (source == target && !options_.keep_self_loops) return;
    const auto hand_out = [&](VertexId row, VertexId neighbour) {
      const std::uint64_t key = std::uint64_t{row} << neighbour_bits_ | neighbour;
      if constexpr (weighted)
        emit(row, WeightedItem{key, list_.weights[i]});
      else
        emit(row, key);
    };
    if (options_.undirected) {
      hand_out(source, target);
      if (source != target) hand_out(target, source);
    } else if (orientation_ == Orientation::out) {
      hand_out(source, target);
    } else {
      hand_out(target, source);
    }
  }

  // Sorts, merges and encodes one bucket after another; one per thread.
  class Worker {
   public:
    explicit Worker(OrientationBuilder& builder) : builder_(builder), encoder_(builder.page_options_) {}

    // Of the bucket encoded last.
    std::vector<EncodedPage> pages;
    std::uint64_t self_loops = 0;

    void encode(VertexId first, VertexId last, std::span<Item> items) {
      pages.clear();
      if (items.size() > ~std::uint32_t{0})
        throw DoesNotFitError("vertices {} to {} have {} edges as read; at most {} can be brought together", first,
                              last - 1, items.size(), ~std::uint32_t{0});
      const std::uint32_t shift = builder_.neighbour_bits_;
      const std::uint64_t base = std::uint64_t{first} << shift;
      const std::uint32_t bits = shift + static_cast<std::uint32_t>(std::bit_width(std::uint64_t{last} - first - 1));
      if (scratch_.size() < items.size()) scratch_.resize(items.size());
      const std::span<Item> sorted = radix_sort(items, std::span(scratch_).first(items.size()), bits,
                                                [base](const Item& item) { return key_of(item) - base; });
      merge(first, last, sorted);
      encoder_.encode({.first_vertex = first,
                       .offsets = offsets_,
                       .neighbours = neighbours_.data(),
                       .weights = weighted ? weights_.data() : nullptr},
                      pages);
    }

   private:
    void merge(VertexId first, VertexId last, std::span<const Item> sorted) {
      const bool keep = builder_.options_.duplicates == Duplicates::keep;
      const std::uint32_t shift = builder_.neighbour_bits_;
      const std::uint64_t mask = (std::uint64_t{1} << shift) - 1;
      offsets_.assign(std::size_t{last} - first + 1, 0);
      neighbours_.resize(sorted.size());
      if constexpr (weighted) weights_.resize(sorted.size());
      self_loops = 0;
      std::uint64_t out = 0;
      std::uint64_t previous = ~std::uint64_t{0};
      for (const Item& item : sorted) {
        const std::uint64_t key = key_of(item);
        if (key == previous && !keep) {
          if constexpr (weighted)
            weights_[out - 1] = combine_weights(builder_.options_.duplicates, builder_.list_.weight_type,
                                                weights_[out - 1], item.weight);
          continue;
        }
        previous = key;
        const std::uint64_t row = key >> shift, neighbour = key & mask;
        ++offsets_[row - first + 1];
        neighbours_[out] = static_cast<VertexId>(neighbour);
        self_loops += row == neighbour;
        if constexpr (weighted) weights_[out] = item.weight;
        ++out;
      }
      for (VertexId row = 0; row < last - first; ++row) {
        builder_.degrees_[first + row] = static_cast<std::uint32_t>(offsets_[row + 1]);
        offsets_[row + 1] += offsets_[row];
      }
    }

    OrientationBuilder& builder_;
    PageEncoder encoder_;
    std::vector<Item> scratch_;
    std::vector<std::uint64_t> offsets_;
    std::vector<VertexId> neighbours_;
    std::vector<std::uint64_t> weights_;
  };

  const EdgeList& list_;
  Orientation orientation_;
  const BuildOptions& options_;
  PageOptions page_options_;
  std::uint32_t neighbour_bits_;
  Array<std::uint32_t> degrees_;
};

Written write_orientation(const EdgeList& list, Orientation orientation, const BuildOptions& options,
                          std::span<const VertexId> first_vertex, StoreWriter& writer) {
  if (list.weight_type == WeightType::none)
    return OrientationBuilder<PlainItem>(list, orientation, options).write(first_vertex, writer);
  return OrientationBuilder<WeightedItem>(list, orientation, options).write(first_vertex, writer);
}

// Moves values[v] to place rank[v]; an empty rank leaves them where they are.
template <class T>
Array<T> permute(Array<T> values, std::span<const VertexId> rank) {
  if (rank.empty() || values.empty()) return values;
  Array<T> moved(values.size(), unlimited_budget(), "vertex order");
#pragma omp parallel for schedule(static)
  for (std::uint64_t v = 0; v < values.size(); ++v) moved[rank[v]] = values[v];
  return moved;
}

void renumber(EdgeList& list, std::span<const VertexId> rank) {
  if (rank.empty()) return;
#pragma omp parallel for schedule(static)
  for (std::uint64_t i = 0; i < list.edges.size(); ++i)
    list.edges[i] = {rank[list.edges[i].source], rank[list.edges[i].target]};
  if (list.ids.empty()) {
    list.ids = Array<OriginalId>(list.num_vertices, unlimited_budget(), "ids");
    for (std::uint64_t v = 0; v < list.num_vertices; ++v) list.ids[v] = v;
  }
  list.ids = permute(std::move(list.ids), rank);
}

std::uint64_t count_self_loops(const EdgeList& list) {
  std::uint64_t loops = 0;
#pragma omp parallel for schedule(static) reduction(+ : loops)
  for (std::uint64_t i = 0; i < list.edges.size(); ++i) loops += list.edges[i].source == list.edges[i].target;
  return loops;
}

}  // namespace

BuildSummary build_store(EdgeList list, const std::filesystem::path& path, const BuildOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  PageEncoder({.page_bytes = options.page_bytes});  // refuses a bad page size before any thread is started
  StoreWriter writer(path, options.replace);        // first: a path that cannot be written should cost no waiting

  BuildSummary summary;
  summary.num_vertices = list.num_vertices;
  const std::uint64_t self_loops = count_self_loops(list);
  summary.dropped_self_loops = options.keep_self_loops ? 0 : self_loops;

  Degrees degrees = count_degrees(list, options.undirected);
  summary.order = choose_order(options.order, list, degrees, options.undirected);
  renumber(list, summary.order.rank);

  const PageOptions page_options{.page_bytes = options.page_bytes, .weight_type = list.weight_type};
  // Sums may outgrow the type of their terms; columns are as narrow as their values, so a wider type costs nothing.
  if (options.duplicates == Duplicates::sum &&
      (list.weight_type == WeightType::u8 || list.weight_type == WeightType::u16))
    list.weight_type = WeightType::u32;

  const auto write = [&](Orientation orientation, Array<std::uint32_t> degree) {
    degree = permute(std::move(degree), summary.order.rank);
    const auto first_vertex = plan_pages(degree, summary.order.cost().bytes_per_entry, page_options);
    return write_orientation(list, orientation, options, first_vertex, writer);
  };
  const Written out = write(Orientation::out, std::move(degrees.out));
  summary.num_edges = out.edges;
  if (!options.undirected) {
    const std::uint64_t in_edges = write(Orientation::in, std::move(degrees.in)).edges;
    if (in_edges != summary.num_edges)
      throw InternalError("{} edges outward but {} inward", summary.num_edges, in_edges);
  }
  const std::uint64_t offered =
      (list.edges.size() - self_loops) * (options.undirected ? 2 : 1) + (options.keep_self_loops ? self_loops : 0);
  summary.merged_edges = offered - summary.num_edges;

  writer.write_ids(list.ids);
  writer.write_names(list.names);
  writer.commit({.num_vertices = list.num_vertices,
                 .num_edges = summary.num_edges,
                 .directed = !options.undirected,
                 .keeps_parallel_edges = options.duplicates == Duplicates::keep,
                 .self_loops = out.self_loops,
                 .weight_type = list.weight_type,
                 .order = summary.order.order == Order::degree ? "degree" : "natural",
                 .source = options.source,
                 .page_bytes = options.page_bytes,
                 .orientations = {},
                 .degrees = {},
                 .ids = IdColumn::identity,
                 .id_column = {}});
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

}  // namespace millrace
