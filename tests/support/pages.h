// Graphs as plain arrays, and pages decoded in the plainest ways, for tests of pages and of code that uses them.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "millrace/pages/encode.h"
#include "millrace/pages/page_view.h"

namespace millrace::test {

// Rows in the form that the encoder takes, owned and comparable.
struct Csr {
  VertexId first_vertex = 0;
  std::vector<std::uint64_t> offsets{0};
  std::vector<VertexId> neighbours = {};
  std::vector<std::uint64_t> weights = {};  // empty if unweighted

  std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(offsets.size() - 1); }
  std::uint64_t num_edges() const { return neighbours.size(); }
  void add_row(const std::vector<VertexId>& row) {
    neighbours.insert(neighbours.end(), row.begin(), row.end());
    offsets.push_back(neighbours.size());
  }
  Rows rows() const {
    return {.first_vertex = first_vertex,
            .offsets = offsets,
            .neighbours = neighbours.data(),
            .weights = weights.empty() ? nullptr : weights.data()};
  }
  bool operator==(const Csr&) const = default;
};

inline Csr make_csr(const std::vector<std::vector<VertexId>>& rows, VertexId first_vertex = 0) {
  Csr csr{.first_vertex = first_vertex};
  for (const auto& row : rows) csr.add_row(row);
  return csr;
}

// `length` distinct ascending numbers below `bound`.
inline std::vector<VertexId> random_row(std::uint64_t length, std::uint64_t bound, std::mt19937_64& random) {
  std::set<VertexId> row;
  while (row.size() < std::min(length, bound)) row.insert(static_cast<VertexId>(random() % bound));
  return {row.begin(), row.end()};
}

// A skewed random graph: most rows are short or empty, a few are long.
inline Csr random_csr(std::uint32_t num_vertices, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Csr csr;
  for (std::uint32_t v = 0; v < num_vertices; ++v) {
    const std::uint64_t kind = random() % 64;
    const std::uint64_t length = kind == 0 ? random() % 1500 : kind < 16 ? 0 : random() % 24;
    csr.add_row(random_row(length, num_vertices, random));
  }
  return csr;
}

// First the values most likely to reveal faults, then any value of the type.
inline std::uint64_t random_weight(WeightType type, std::uint64_t i, std::mt19937_64& random) {
  static constexpr std::uint64_t f32_bits[] = {0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x7f7fffff};
  static constexpr std::uint64_t f64_bits[] = {0x8000000000000000, 0x7ff0000000000000, 0xfff0000000000000, 1,
                                               0x00000000ffffffff, 0xffffffff00000000, 0x7fefffffffffffff};
  const std::uint64_t most = type == WeightType::u8    ? 0xff
                             : type == WeightType::u16 ? 0xffff
                             : type == WeightType::f64 ? ~std::uint64_t{0}
                                                       : 0xffffffff;
  if (i % 8 == 0) return i % 16 == 0 ? 0 : most;
  if (type == WeightType::f32 && i % 8 == 1) return f32_bits[(i / 8) % std::size(f32_bits)];
  if (type == WeightType::f64 && i % 8 == 1) return f64_bits[(i / 8) % std::size(f64_bits)];
  return random() & most;
}

inline void add_weights(Csr& csr, WeightType type, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  csr.weights.resize(type == WeightType::none ? 0 : csr.num_edges());
  for (std::uint64_t i = 0; i < csr.weights.size(); ++i) csr.weights[i] = random_weight(type, i, random);
}

inline std::vector<EncodedPage> encode_pages(const Csr& csr, const PageOptions& options) {
  std::vector<EncodedPage> pages;
  PageEncoder(options).encode(csr.rows(), pages);
  return pages;
}

// One decoded lane of a slice. `weights` is empty if the page has none or none were requested.
struct LanePart {
  VertexId vertex = 0;
  std::vector<VertexId> neighbours = {};
  std::vector<std::uint64_t> weights = {};
  bool operator==(const LanePart&) const = default;
};
using SliceParts = std::array<LanePart, lanes>;
using PageParts = std::vector<SliceParts>;

namespace detail {

inline void take_weights(const PageView& page, std::uint32_t s, const Decoder& decoder, SliceParts& parts) {
  std::vector<std::uint64_t> weights(std::size_t{page.slices()[s].columns} * lanes);
  decode_weights(page, s, decoder, weights.data());
  for (std::uint32_t l = 0; l < lanes; ++l)
    for (std::size_t j = 0; j < parts[l].neighbours.size(); ++j) parts[l].weights.push_back(weights[j * lanes + l]);
}

}  // namespace detail

// Decodes like an operator: whole columns by `decoder`, `step` columns in each call.
inline PageParts decode_by_columns(const PageView& page, const Decoder& decoder, bool with_weights,
                                   std::uint32_t step = max_slice_columns) {
  struct alignas(64) Column {
    std::uint32_t values[lanes];
  };
  PageParts parts(page.header().slices);
  Slice slice;
  for (std::uint32_t s = 0; s < page.header().slices; ++s) {
    open_slice(page, s, decoder, slice);
    std::vector<Column> tile(slice.columns);
    for (std::uint32_t j = 0; j < slice.columns; j += step)
      decoder.neighbours(slice.walk, std::min(step, slice.columns - j), tile[j].values);
    for (std::uint32_t l = 0; l < lanes; ++l) {
      parts[s][l].vertex = slice.length[l] > 0 ? slice.vertex[l] : 0;
      for (std::uint32_t j = 0; j < slice.length[l]; ++j) parts[s][l].neighbours.push_back(tile[j].values[l]);
    }
    if (with_weights) detail::take_weights(page, s, decoder, parts[s]);
  }
  return parts;
}

// Decodes like a verifier: one lane at a time.
inline PageParts decode_by_lanes(const PageView& page, bool with_weights) {
  const Decoder& portable = *available_decoders()[0];
  PageParts parts(page.header().slices);
  Slice slice;
  for (std::uint32_t s = 0; s < page.header().slices; ++s) {
    open_slice(page, s, portable, slice);
    for (std::uint32_t l = 0; l < lanes; ++l) {
      std::vector<VertexId> neighbours(page.slices()[s].columns);
      neighbours.resize(decode_lane(page, s, l, neighbours.data()));
      parts[s][l] = {neighbours.empty() ? 0 : slice.vertex[l], neighbours, {}};
    }
    if (with_weights) detail::take_weights(page, s, portable, parts[s]);
  }
  return parts;
}

// The rows of [first_vertex, first_vertex + vertex_count), joined from the parts of all pages in page order.
inline Csr assemble(const std::vector<PageParts>& pages, VertexId first_vertex, std::uint32_t vertex_count) {
  std::vector<LanePart> rows(vertex_count);
  for (const PageParts& page : pages)
    for (const SliceParts& slice : page)
      for (const LanePart& part : slice) {
        if (part.neighbours.empty()) continue;
        LanePart& row = rows.at(part.vertex - first_vertex);
        row.neighbours.insert(row.neighbours.end(), part.neighbours.begin(), part.neighbours.end());
        row.weights.insert(row.weights.end(), part.weights.begin(), part.weights.end());
      }
  Csr csr{.first_vertex = first_vertex};
  for (const LanePart& row : rows) {
    csr.add_row(row.neighbours);
    csr.weights.insert(csr.weights.end(), row.weights.begin(), row.weights.end());
  }
  return csr;
}

// Packs the same lanes again. There is only one way to pack them, so a valid page stays the same byte for byte.
inline std::vector<std::byte> rebuild_page(const PageHeader& header, const PageParts& parts) {
  PageBuilder builder({.page_bytes = max_page_bytes,
                       .weight_type = header.weight_type,
                       .keep_parallel_edges = (header.flags & page_flag_parallel) != 0});
  std::vector<VertexId> neighbours;
  std::vector<std::uint64_t> weights;
  for (const SliceParts& slice : parts)
    for (const LanePart& part : slice) {
      neighbours.insert(neighbours.end(), part.neighbours.begin(), part.neighbours.end());
      weights.insert(weights.end(), part.weights.begin(), part.weights.end());
    }
  const std::vector<std::uint64_t> offsets(std::size_t{header.vertex_count} + 1);
  const Rows rows{.first_vertex = header.first_vertex,
                  .offsets = offsets,
                  .neighbours = neighbours.data(),
                  .weights = weights.empty() ? nullptr : weights.data()};
  std::uint64_t next = 0;
  for (const SliceParts& slice : parts) {
    std::array<PageBuilder::Lane, lanes> lane;
    for (std::uint32_t l = 0; l < lanes; ++l) {
      const auto length = static_cast<std::uint32_t>(slice[l].neighbours.size());
      lane[l] = {.slot = length > 0 ? slice[l].vertex - header.first_vertex : 0,
                 .first = std::exchange(next, next + length),
                 .length = length};
    }
    builder.add_slice(rows, lane);
  }
  return builder.finish(header.kind, rows, header.rows, header.hub_slices).bytes;
}

}  // namespace millrace::test
