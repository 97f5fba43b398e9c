#include "millrace/checks/check_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <bit>

#include "millrace/core/parallel.h"

namespace millrace {
namespace {

std::size_t part_of(const Parts& parts, VertexId v) {
  const auto after = std::upper_bound(parts.first_vertex.begin(), parts.first_vertex.end(), v);
  return static_cast<std::size_t>(after - parts.first_vertex.begin()) - 1;
}

std::optional<std::string> check_pages(const Store& store, const Parts& parts, Orientation orientation) {
  const PageTable& table = store.table(orientation);
  for (std::uint32_t p = 0; p < table.size(); ++p)
    if (part_of(parts, table[p].first_vertex) !=
        part_of(parts, table[p].first_vertex + static_cast<VertexId>(table[p].vertex_count) - 1))
      return fmt::format("{} page {} has vertices of two parts", orientation_name(orientation), p);
  return std::nullopt;
}

// A set of pairs of vertex and part, as a bitmap.
class Known {
 public:
  Known(std::uint64_t num_vertices, std::uint64_t num_parts, Budget& budget)
      : words_((num_parts + 63) / 64), bits_(num_vertices * words_, budget, "the parts of neighbours") {}
  void add(std::uint64_t v, std::size_t part) {
    std::atomic_ref(bits_[v * words_ + part / 64]).fetch_or(std::uint64_t{1} << (part % 64), std::memory_order_relaxed);
  }
  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : bits_) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
  }

 private:
  std::uint64_t words_;
  Array<std::uint64_t> bits_;
};

// Counts the edges between parts, and adds to `known` the parts of the neighbours of each vertex.
std::uint64_t count_cut(const Store& store, const Parts& parts, Known& known) {
  const Orientation orientation = store.has(Orientation::out) ? Orientation::out : Orientation::in;
  std::atomic<std::uint64_t> cut = 0;
  parallel_for_each(store.table(orientation).size(), [&](std::uint64_t p) {
    const std::vector<std::byte> bytes = store.read_page(orientation, static_cast<std::uint32_t>(p));
    const PageView page(bytes.data());
    std::vector<VertexId> neighbours(max_slice_columns);
    Slice slice;
    std::uint64_t between = 0;
    for (std::uint32_t s = 0; s < page.header().slices; ++s) {
      open_slice(page, s, *available_decoders()[0], slice);
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t length = decode_lane(page, s, lane, neighbours.data());
        if (length == 0) continue;
        const VertexId row = slice.vertex[lane];
        const std::size_t here = part_of(parts, row);
        for (std::uint32_t j = 0; j < length; ++j) {
          const std::size_t there = part_of(parts, neighbours[j]);
          known.add(row, there);
          known.add(neighbours[j], here);
          between += here != there;
        }
      }
    }
    cut += between;
  });
  return cut;
}

}  // namespace

std::optional<std::string> check_part_pages(const Store& store) {
  if (!store.manifest().parts) return std::nullopt;
  for (const Orientation o : {Orientation::out, Orientation::in})
    if (store.has(o))
      if (auto problem = check_pages(store, *store.manifest().parts, o)) return problem;
  return std::nullopt;
}

std::optional<std::string> check_part_figures(const Store& store, Budget& budget) {
  if (!store.manifest().parts) return std::nullopt;
  const Parts& parts = *store.manifest().parts;
  Known known(store.num_vertices(), parts.first_vertex.size(), budget);
  for (std::uint64_t v = 0; v < store.num_vertices(); ++v) known.add(v, part_of(parts, static_cast<VertexId>(v)));
  const std::uint64_t cut = count_cut(store, parts, known);
  if (cut != parts.cut_edges)
    return fmt::format("{} edges lie between parts, but the manifest says {}", cut, parts.cut_edges);
  if (known.size() != parts.replicas)
    return fmt::format("{} replicas of vertices, but the manifest says {}", known.size(), parts.replicas);
  return std::nullopt;
}

std::optional<std::string> check_parts(const Store& store) {
  auto problem = check_part_pages(store);
  return problem ? problem : check_part_figures(store);
}

}  // namespace millrace
