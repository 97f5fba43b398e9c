#include "millrace/derive/store_supply.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "millrace/build/build_memory.h"
#include "millrace/build/items.h"
#include "millrace/build/store_builder.h"
#include "millrace/core/parallel.h"
#include "millrace/pages/page_view.h"

namespace millrace {
namespace {

constexpr std::uint64_t least_window = 1u << 16, most_window = 1u << 22;  // in edges; a window is whole pages

std::uint64_t largest_page(const PageTable& table) {
  std::uint64_t most = 0;
  for (const PageEntry& page : table) most = std::max<std::uint64_t>(most, page.bytes);
  return most;
}

}  // namespace

// Decodes pages for one thread, a whole slice at a time. Bound by the random reads of visit().
class PageEntries {
 public:
  explicit PageEntries(bool weighted)
      : neighbours_(most, unlimited_budget(), "a slice"),
        weights_(weighted ? most : 0, unlimited_budget(), "a slice") {}
  static std::uint64_t memory(bool weighted) {
    return most * (sizeof(VertexId) + (weighted ? sizeof(std::uint64_t) : 0));
  }

  // Calls visit(row, neighbour, bits of the weight), parallel edges in their order.
  template <class Visit>
  void for_each(const PageView& page, const Visit& visit) {
    const Decoder& decoder = chosen_decoder();
    for (std::uint32_t s = 0; s < page.header().slices; ++s) {
      open_slice(page, s, decoder, slice_);
      decoder.neighbours(slice_.walk, slice_.columns, neighbours_.data());
      if (!weights_.empty()) decode_weights(page, s, decoder, weights_.data());
      const auto show = [&](std::uint32_t lane, std::uint32_t column) {
        const std::size_t at = std::size_t{column} * lanes + lane;
        visit(slice_.vertex[lane], neighbours_[at], weights_.empty() ? std::uint64_t{0} : weights_[at]);
      };
      if (s < page.header().hub_slices) {  // the row goes on from lane to lane
        for (std::uint32_t l = 0; l < lanes; ++l)
          for (std::uint32_t c = 0; c < slice_.length[l]; ++c) show(l, c);
        continue;
      }
      std::uint32_t active = lanes;  // those with more columns come first
      for (std::uint32_t c = 0; c < slice_.columns; ++c) {
        while (active > 0 && slice_.length[active - 1] <= c) --active;
        for (std::uint32_t l = 0; l < active; ++l) show(l, c);
      }
    }
  }

 private:
  static constexpr std::uint64_t most = std::uint64_t{max_slice_columns} * lanes;
  Slice slice_;
  Array<std::uint32_t> neighbours_;  // a column after the other, as the decoder writes them
  Array<std::uint64_t> weights_;
};

// Adds up edges of a page that are parallel and near each other: of each pair of vertices the newest is in a small
// table, where another pair may take its place.
class PageSums {
 public:
  explicit PageSums(bool used) : slots_(used ? std::size_t{1} << slot_bits : 0) {}
  static constexpr std::uint64_t memory() { return sizeof(Slot) << slot_bits; }

  // Calls visit(source, target, sum) for those that leave.
  template <class Visit>
  void add(VertexId source, VertexId target, std::uint64_t weight, const Visit& visit) {
    const std::uint64_t key = std::uint64_t{source} << 32 | target;
    Slot& slot = slots_[key * 0x9e3779b97f4a7c15u >> (64 - slot_bits)];
    if (slot.used && slot.key == key && slot.sum + weight <= most) {
      slot.sum += weight;
      return;
    }
    leave(slot, visit);
    slot = {key, weight, true};
  }
  template <class Visit>
  void finish(const Visit& visit) {
    for (Slot& slot : slots_) leave(slot, visit);
  }

 private:
  static constexpr int slot_bits = 12;
  static constexpr std::uint64_t most = ~std::uint32_t{0};
  struct Slot {
    std::uint64_t key = 0, sum = 0;
    bool used = false;
  };
  template <class Visit>
  void leave(Slot& slot, const Visit& visit) {
    if (slot.used) visit(static_cast<VertexId>(slot.key >> 32), static_cast<VertexId>(slot.key), slot.sum);
    slot.used = false;
  }
  std::vector<Slot> slots_;
};

// What a thread decodes pages with.
struct StoreSupply::Scratch {
  Scratch(bool weighted, bool sums) : entries(weighted), sums(sums) {}
  std::vector<std::byte> bytes;
  PageEntries entries;
  PageSums sums;
};

StoreSupply::StoreSupply(const Store& store, std::span<const VertexId> number, std::uint64_t count, bool drops,
                         Budget& budget)
    : store_(store),
      number_(number),
      count_(count),
      orientation_(store.has(Orientation::out) ? Orientation::out : Orientation::in),
      weighted_(store.manifest().weight_type != WeightType::none),
      budget_(&budget),
      first_page_{0} {
  const PageTable& table = store.table(orientation_);
  const std::uint64_t window =
      std::clamp(budget.limit() / 64 / (sizeof(Edge) + sizeof(std::uint64_t)), least_window, most_window);
  std::uint64_t edges = 0;
  for (std::uint32_t p = 0; p < table.size(); ++p) {
    if (edges > 0 && edges + table[p].edges > window) first_page_.push_back(p), edges = 0;
    edges += table[p].edges;
    largest_window_ = std::max(largest_window_, edges);
  }
  if (table.size() > 0) first_page_.push_back(table.size());
  const Manifest& manifest = store.manifest();
  num_edges_ = drops               ? count_edges(1)
               : manifest.directed ? manifest.num_edges
                                   : (manifest.num_edges + manifest.self_loops) / 2;
}

template <class Body>
void StoreSupply::for_each_page(std::uint64_t count, bool weighted, const Body& body) const {
  FirstException failed;
  Draw draw;
  on_threads(threads_for(count, 1, omp_get_max_threads()), [&](const ThreadOf&) {
    std::optional<Scratch> scratch;
    draw.for_each(count, [&](std::uint64_t i) {
      if (failed.thrown_before(i) || interrupted()) return;
      failed.run(i, [&] {
        if (!scratch) scratch.emplace(weighted, sums_);
        body(*scratch, i);
      });
    });
  });
  failed.rethrow();
  throw_if_interrupted();
}

template <class Visit>
void StoreSupply::for_each_edge(const PageReader& reader, std::uint32_t page, bool weighted, Scratch& scratch,
                                const Visit& visit) const {
  const PageEntry& entry = reader.table()[page];
  scratch.bytes.resize(weighted ? entry.bytes : entry.topology_bytes);
  reader.read(page, scratch.bytes);
  PageSums& sums = scratch.sums;
  const bool out = orientation_ == Orientation::out, directed = store_.manifest().directed;
  const auto number = [this](VertexId v) { return number_.empty() ? v : number_[v]; };
  scratch.entries.for_each(PageView(scratch.bytes.data()), [&](VertexId row, VertexId neighbour, std::uint64_t weight) {
    if (!directed && row > neighbour) return;  // taken from the other row
    const VertexId a = number(row), b = number(neighbour);
    if (a == no_vertex || b == no_vertex) return;
    if (!sums_) return visit(out ? a : b, out ? b : a, weight);
    // An undirected edge is one pair, whichever of its ends comes first.
    const bool turned = directed ? !out : a > b;
    sums.add(turned ? b : a, turned ? a : b, weighted_ ? weight : 1, visit);
  });
  if (sums_) sums.finish(visit);
}

bool StoreSupply::sum_up() {
  constexpr std::uint32_t samples = 8;
  constexpr std::uint64_t worthwhile = 2;  // so many times fewer edges
  const WeightType type = weight_type();
  if (type == WeightType::f32 || type == WeightType::f64) return false;
  const std::uint32_t step = store_.table(orientation_).size() / samples + 1;
  const std::uint64_t all = count_edges(step);
  sums_ = true;
  if (count_edges(step) * worthwhile > all)
    sums_ = false;
  else
    num_edges_ = count_edges(1);
  return sums_;
}

std::uint64_t StoreSupply::count_edges(std::uint32_t step) const {
  const Charge charge(scratch_memory(), *budget_, "pages on their way");
  const PageReader reader = store_.page_reader(orientation_);
  const bool weighted = weighted_ && sums_;  // sums that become too large are cut
  std::atomic<std::uint64_t> count = 0;
  for_each_page((reader.table().size() + step - 1) / step, weighted, [&](Scratch& scratch, std::uint64_t i) {
    std::uint64_t here = 0;
    for_each_edge(reader, static_cast<std::uint32_t>(i * step), weighted, scratch,
                  [&](VertexId, VertexId, std::uint64_t) { ++here; });
    count += here;
  });
  return count;
}

std::uint64_t StoreSupply::scratch_memory() const {
  const auto threads = static_cast<std::uint64_t>(omp_get_max_threads());
  const PageTable& table = store_.table(orientation_);
  return std::min<std::uint64_t>(threads, table.size()) *
         (largest_page(table) + PageEntries::memory(weighted_) + (sums_ ? PageSums::memory() : 0));
}

std::uint64_t StoreSupply::replay_memory() const {
  return 2 * buffer_memory(largest_window_ * edge_bytes()) + scratch_memory();
}

void StoreSupply::replay(const std::function<void(const Window&)>& visit) {
  const Charge charge(replay_memory(), *budget_, "edges on their way");
  const PageReader reader = store_.page_reader(orientation_);
  const PageTable& table = reader.table();
  std::vector<Edge> found(largest_window_), edges(largest_window_);
  const bool with_weights = has_weights();
  std::vector<std::uint64_t> found_weights(with_weights ? largest_window_ : 0), weights(found_weights.size());
  for (std::size_t w = 0; w < num_windows(); ++w) {
    const std::uint32_t first = first_page_[w], count = first_page_[w + 1] - first;
    // Each page has room for all its edges; what it does not use is closed up afterwards.
    std::vector<std::uint64_t> room(count + 1, 0), used(count + 1, 0);
    for (std::uint32_t i = 0; i < count; ++i) room[i + 1] = room[i] + table[first + i].edges;
    for_each_page(count, weighted_, [&](Scratch& scratch, std::uint64_t i) {
      std::uint64_t at = room[i];
      for_each_edge(reader, first + static_cast<std::uint32_t>(i), weighted_, scratch,
                    [&](VertexId source, VertexId target, std::uint64_t weight) {
                      found[at] = {source, target};
                      if (with_weights) found_weights[at] = weight;
                      ++at;
                    });
      used[i + 1] = at - room[i];
    });
    std::partial_sum(used.begin(), used.end(), used.begin());
    if (used == room) {
      visit({std::span(found).first(used.back()), std::span(found_weights).first(with_weights ? used.back() : 0)});
      continue;
    }
    parallel_for_each(count, [&](std::uint64_t i) {
      const std::uint64_t size = used[i + 1] - used[i];
      std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(room[i]), size,
                  edges.begin() + static_cast<std::ptrdiff_t>(used[i]));
      if (with_weights)
        std::copy_n(found_weights.begin() + static_cast<std::ptrdiff_t>(room[i]), size,
                    weights.begin() + static_cast<std::ptrdiff_t>(used[i]));
    });
    visit({std::span(edges).first(used.back()), std::span(weights).first(with_weights ? used.back() : 0)});
  }
}

Array<OriginalId> StoreSupply::take_ids(Budget& budget) {
  if (!keeps_ids_) return {};
  const IdMap ids = store_.load_ids(budget);
  if (ids.identity() && number_.empty()) return {};
  Array<OriginalId> moved(count_, budget, "ids");
  parallel_for(ids.size(), [&](std::uint64_t i) {
    const auto v = static_cast<VertexId>(i);
    const VertexId to = number_.empty() ? v : number_[v];
    if (to != no_vertex) moved[to] = ids.original(v);
  });
  return moved;
}

std::uint64_t StoreSupply::id_memory() const { return keeps_ids_ ? store_.id_memory() + buffer_memory(8 * count_) : 0; }

EdgeList StoreSupply::collect(Budget& budget) {
  EdgeList list;
  list.num_vertices = num_vertices();
  list.weight_type = weight_type();
  list.edges = Array<Edge>(num_edges(), budget, "edges");
  if (has_weights()) list.weights = Array<std::uint64_t>(num_edges(), budget, "weights");
  std::uint64_t at = 0;
  replay([&](const Window& window) {
    parallel_for(window.edges.size(), [&](std::uint64_t i) {
      list.edges[at + i] = window.edges[i];
      if (has_weights()) list.weights[at + i] = window.weights[i];
    });
    at += window.edges.size();
  });
  list.ids = take_ids(budget);
  return list;
}

namespace {

// Whether a list of the edges leaves a build enough memory; half of the memory is left for vertices.
bool would_fit_listed(const StoreSupply& edges, const BuildOptions& options, const Budget& budget) {
  if (budget.limit() == Budget::unlimited) return true;
  const BuildFacts facts{.vertices = edges.num_vertices(),
                         .edges = edges.num_edges(),
                         .item_bytes = sorting_bytes(edges, options),
                         .undirected = options.undirected,
                         .one_of_two = !options.undirected && options.orientations != Orientations::both,
                         .ids = buffer_memory(8 * edges.num_vertices()),
                         .page_files = std::max<std::uint64_t>(options.stripes.size(), 1)};
  const std::uint64_t left = budget.limit() - budget.used();
  return facts.edges <= left / 2 / (facts.item_bytes * (options.undirected ? 3 : 2)) &&
         budget.has_room(list_memory(facts) + edges.id_memory() + edges.replay_memory()) && fits_in_memory(facts, left);
}

}  // namespace

BuildSummary build_from(StoreSupply& edges, const BuildOptions& options, StoreWriter& writer, Budget& budget) {
  if (!would_fit_listed(edges, options, budget))
    return build_from(static_cast<EdgeSupply&>(edges), options, writer, budget);
  ListSupply list(edges.collect(budget));
  return build_from(static_cast<EdgeSupply&>(list), options, writer, budget);
}

}  // namespace millrace
