// Rows that are encoded and decoded stay the same: every shape, page size and weight type, with every decoder.
#include "millrace/pages/encode.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "millrace/core/error.h"
#include "millrace/pages/check.h"
#include "millrace/pages/crc32c.h"
#include "support/pages.h"

namespace millrace::test {
namespace {

constexpr std::uint32_t page_sizes[] = {min_page_bytes, 64u << 10, 1u << 20};

std::vector<VertexId> ascending(std::uint32_t count, VertexId first = 0, VertexId step = 1) {
  std::vector<VertexId> row(count);
  for (std::uint32_t i = 0; i < count; ++i) row[i] = first + i * step;
  return row;
}

Csr chain(std::uint32_t length) {
  Csr csr;
  for (VertexId v = 0; v < length; ++v) csr.add_row(v + 1 < length ? std::vector{v + 1} : std::vector<VertexId>{});
  return csr;
}

// A hub in the middle of short rows, its neighbours spread so that gaps differ.
Csr hub_among_others(std::uint32_t hub_length) {
  std::mt19937_64 random(hub_length);
  Csr csr;
  for (VertexId v = 0; v < 40; ++v) csr.add_row(random_row(v == 17 ? hub_length : v % 4, 3ull * hub_length, random));
  return csr;
}

Csr parallel_edges() {
  Csr csr;
  csr.add_row({5, 5, 5});
  csr.add_row({});
  csr.add_row({0, 0, 1, 3, 3});
  csr.add_row(std::vector<VertexId>(700, 9));  // a hub of parallel edges only
  csr.add_row(ascending(600));
  return csr;
}

Csr complete(std::uint32_t n) {
  Csr csr;
  for (VertexId v = 0; v < n; ++v) csr.add_row(ascending(n));
  return csr;
}

struct Shape {
  const char* name;
  Csr csr;
  bool parallel = false;
};

std::vector<Shape> shapes() {
  constexpr VertexId top = max_vertices - 1;
  std::vector<Shape> shapes;
  shapes.push_back({"one_edge", make_csr({{0}})});
  shapes.push_back({"chain", chain(1000)});
  shapes.push_back({"star", make_csr({ascending(300, 1), {0}, {0}, {0}})});
  shapes.push_back({"self_loops", make_csr({{0}, {1}, {1, 2}})});
  for (const std::uint32_t length : {511u, 512u, 513u})
    shapes.push_back({length == 511 ? "hub_511" : length == 512 ? "hub_512" : "hub_513", hub_among_others(length)});
  shapes.push_back({"hub_of_several_slices", hub_among_others(2 * 32 * 1024 + 1)});
  // Gaps of 19 bits: 2.4 bytes an edge make it larger than the largest page tried here.
  shapes.push_back({"hub_wider_than_a_page", make_csr({{7}, ascending(600'000, 3, 7000), {8}})});
  shapes.push_back({"few_rows_among_many_vertices", [] {
                      Csr csr;
                      for (VertexId v = 0; v < 100'000; ++v)
                        csr.add_row(v % 9973 == 11 ? std::vector{v, v + 1} : std::vector<VertexId>{});
                      return csr;
                    }()});
  shapes.push_back({"complete", complete(200)});
  shapes.push_back({"neighbours_at_the_top", make_csr({{0, top}, {top}, {top - 1, top}, {}, {1}})});
  shapes.push_back({"vertices_at_the_top", make_csr({{0, 5}, {}, {top}}, top - 2)});
  shapes.push_back({"hub_of_wide_gaps", make_csr({ascending(2000, 0, 2'000'000)})});
  shapes.push_back({"full_slices", make_csr(std::vector(64, ascending(3)))});
  shapes.push_back({"parallel_edges", parallel_edges(), true});
  shapes.push_back({"no_parallel_edges_but_kept", random_csr(300, 1), true});
  for (const std::uint32_t size : {33u, 400u, 3000u})
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
      shapes.push_back({size == 33 ? "random_33" : size == 400 ? "random_400" : "random_3000", random_csr(size, seed)});
  return shapes;
}

const std::vector<Shape>& all_shapes() {
  static const std::vector<Shape> all = shapes();
  return all;
}

template <class Check>
void for_every_shape_and_page_size(WeightType type, Check check) {
  for (const Shape& shape : all_shapes())
    for (const std::uint32_t page_bytes : page_sizes) {
      SCOPED_TRACE(testing::Message() << shape.name << ", pages of " << page_bytes << ", " << weight_type_name(type));
      Csr csr = shape.csr;
      add_weights(csr, type, 5);
      check(csr, PageOptions{.page_bytes = page_bytes, .weight_type = type, .keep_parallel_edges = shape.parallel});
    }
}

Csr decode_all(const std::vector<EncodedPage>& pages, const Csr& like, const std::function<PageParts(PageView)>& way) {
  std::vector<PageParts> parts;
  for (const EncodedPage& page : pages) parts.push_back(way(PageView(page.bytes.data())));
  return assemble(parts, like.first_vertex, like.vertex_count());
}

class EveryWeightType : public testing::TestWithParam<int> {
 protected:
  WeightType type() const { return static_cast<WeightType>(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Type, EveryWeightType, testing::Range(0, num_weight_types), [](const auto& type) {
  return std::string(weight_type_name(static_cast<WeightType>(type.param)));
});

TEST_P(EveryWeightType, RowsComeBackTheSame) {
  const bool weighted = type() != WeightType::none;
  for_every_shape_and_page_size(type(), [&](const Csr& csr, const PageOptions& options) {
    const auto pages = encode_pages(csr, options);
    // EXPECT_TRUE, because nobody could read two large printed graphs.
    EXPECT_TRUE(decode_all(pages, csr, [&](PageView p) { return decode_by_lanes(p, weighted); }) == csr);
    for (const Decoder* decoder : available_decoders())
      EXPECT_TRUE(decode_all(pages, csr, [&](PageView p) { return decode_by_columns(p, *decoder, weighted); }) == csr)
          << decoder->name;
  });
}

TEST_P(EveryWeightType, PagesKeepTheRules) {
  for_every_shape_and_page_size(type(), [&](const Csr& csr, const PageOptions& options) {
    const auto pages = encode_pages(csr, options);
    for (const EncodedPage& page : pages) {
      EXPECT_LE(page.bytes.size(), options.page_bytes);
      const auto problem = check_page(page.bytes, page.entry, max_vertices);
      EXPECT_FALSE(problem) << *problem;
    }
    const auto again = encode_pages(csr, options);
    EXPECT_TRUE(std::ranges::equal(pages, again, {}, &EncodedPage::bytes, &EncodedPage::bytes)) << "not deterministic";
  });
}

// A run without weights reads only the first topology_bytes; nothing in them may refer to later bytes.
TEST_P(EveryWeightType, TopologyStandsAlone) {
  Csr csr = random_csr(200, 4);
  add_weights(csr, type(), 5);
  const auto pages = encode_pages(csr, {.page_bytes = min_page_bytes, .weight_type = type()});
  std::vector<PageParts> parts;
  for (const EncodedPage& page : pages) {
    const std::vector<std::byte> topology(page.bytes.begin(), page.bytes.begin() + page.entry.topology_bytes);
    parts.push_back(decode_by_columns(PageView(topology.data()), chosen_decoder(), false));
  }
  csr.weights.clear();
  EXPECT_TRUE(assemble(parts, 0, csr.vertex_count()) == csr);
}

TEST(Encode, EntryDescribesItsPage) {
  Csr csr = hub_among_others(1000);
  csr.first_vertex = 100;
  add_weights(csr, WeightType::u16, 1);
  const auto pages = encode_pages(csr, {.weight_type = WeightType::u16});
  ASSERT_EQ(pages.size(), 1);
  const auto& [bytes, entry] = pages[0];
  EXPECT_EQ(entry.bytes, bytes.size());
  EXPECT_EQ(entry.topology_crc, crc32c(std::span(bytes).first(entry.topology_bytes)));
  EXPECT_EQ(entry.weight_crc, crc32c(std::span(bytes).subspan(entry.topology_bytes)));
  EXPECT_EQ(entry.first_vertex, 100);
  EXPECT_EQ(entry.vertex_count, 40);
  EXPECT_EQ(entry.rows, 30);  // every fourth is empty
  EXPECT_EQ(entry.edges, csr.num_edges());
  EXPECT_EQ(entry.slices, PageView(bytes.data()).header().slices);
  EXPECT_EQ(entry.min_neighbour, std::ranges::min(csr.neighbours));
  EXPECT_EQ(entry.max_neighbour, std::ranges::max(csr.neighbours));
  EXPECT_EQ(entry.kind, PageKind::small);
  EXPECT_EQ(entry.flags, 0);
  const PageEntry described = describe_page(bytes);
  EXPECT_EQ(std::memcmp(&described, &entry, sizeof entry), 0);
  EXPECT_EQ(encode_pages(parallel_edges(), {.keep_parallel_edges = true})[0].entry.flags, page_flag_parallel);
  EXPECT_EQ(encode_pages(chain(3), {})[0].entry.weight_crc, 0);
}

// The pages have every edge once, in order of vertices, and only a vertex too large for one page has several.
TEST(Encode, PagesComeInOrderOfVertices) {
  for_every_shape_and_page_size(WeightType::none, [&](const Csr& csr, const PageOptions& options) {
    std::uint64_t edges = 0, next = csr.first_vertex;
    for (const EncodedPage& page : encode_pages(csr, options)) {
      edges += page.entry.edges;
      if (page.entry.kind == PageKind::large) {
        EXPECT_EQ(page.entry.vertex_count, 1);
        EXPECT_GE(std::uint64_t{page.entry.first_vertex} + 1, next);
      } else {
        EXPECT_GE(page.entry.first_vertex, next);
      }
      next = std::uint64_t{page.entry.first_vertex} + page.entry.vertex_count;
    }
    EXPECT_EQ(edges, csr.num_edges());
  });
}

TEST(Encode, LargePagesContinueEachOther) {
  const auto pages = encode_pages(make_csr({ascending(50'000, 0, 90)}), {.page_bytes = min_page_bytes});
  ASSERT_GT(pages.size(), 2);
  for (std::size_t p = 0; p < pages.size(); ++p) {
    EXPECT_EQ(pages[p].entry.kind, PageKind::large);
    if (p == 0) continue;
    EXPECT_GT(pages[p].entry.min_neighbour, pages[p - 1].entry.max_neighbour);
  }
}

TEST(Encode, NoEdgesNoPages) {
  EXPECT_TRUE(encode_pages(Csr{}, {}).empty());
  EXPECT_TRUE(encode_pages(make_csr({{}, {}, {}}), {}).empty());
}

// An encoder keeps no state between calls.
TEST(Encode, EncodersAreReusable) {
  PageEncoder encoder({.page_bytes = min_page_bytes});
  for (const Shape& shape : all_shapes()) {
    if (shape.parallel) continue;
    std::vector<EncodedPage> pages;
    encoder.encode(shape.csr.rows(), pages);
    EXPECT_TRUE(std::ranges::equal(pages, encode_pages(shape.csr, {.page_bytes = min_page_bytes}), {},
                                   &EncodedPage::bytes, &EncodedPage::bytes))
        << shape.name;
  }
}

TEST(Encode, RefusesPageSizesOutsideOfTheFormat) {
  EXPECT_THROW(PageEncoder({.page_bytes = min_page_bytes - 1}), UsageError);
  EXPECT_THROW(PageEncoder({.page_bytes = max_page_bytes + 1}), UsageError);
}

}  // namespace
}  // namespace millrace::test
