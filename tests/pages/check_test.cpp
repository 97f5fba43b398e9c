// The structural check: pages of the encoder pass, and every change to one is noticed.
#include "millrace/pages/check.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "fuzz/page_fuzz.h"
#include "support/pages.h"

namespace millrace::test {
namespace {

struct Sample {
  std::string name;
  std::uint64_t num_vertices;
  EncodedPage page;
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

Sample sample(const char* name, Csr csr, PageOptions options, std::size_t page = 0) {
  add_weights(csr, options.weight_type, 9);
  const VertexId highest = *std::ranges::max_element(csr.neighbours);
  const std::uint64_t end = std::uint64_t{csr.first_vertex} + csr.vertex_count();
  return {name, std::max<std::uint64_t>(end, std::uint64_t{highest} + 1), encode_pages(csr, options).at(page)};
}

// Small pages that together have every part of the format.
std::vector<Sample> samples() {
  std::mt19937_64 random(1);
  Csr few, many, hub;
  for (const std::uint64_t length : {3, 0, 1, 5, 5, 2}) few.add_row(random_row(length, 40, random));
  for (int v = 0; v < 80; ++v) many.add_row(random_row(random() % 6, 5000, random));
  for (const std::uint64_t length : {2, 512, 1, 0, 530}) hub.add_row(random_row(length, 1200, random));
  std::vector<VertexId> wide(3000);
  for (VertexId i = 0; i < 3000; ++i) wide[i] = 5000 * i;
  return {sample("one_edge", make_csr({{0}}), {}),
          sample("few_rows", few, {}),
          sample("few_rows_parallel", few, {.keep_parallel_edges = true}),
          sample("copies", make_csr({{1, 1, 1}, {0, 1, 1}}), {.keep_parallel_edges = true}),
          sample("several_slices", many, {}),
          sample("hubs", hub, {}),
          sample("u8", few, {.weight_type = WeightType::u8}),
          sample("u16", few, {.weight_type = WeightType::u16}),
          sample("f32", few, {.weight_type = WeightType::f32}),
          sample("f64_several_slices", make_csr(std::vector(33, std::vector<VertexId>{9})),
                 {.weight_type = WeightType::f64}),
          sample("large", make_csr({wide}), {.page_bytes = min_page_bytes}, 1)};
}

class PageCheck : public testing::TestWithParam<Sample> {
 protected:
  const std::vector<std::byte>& bytes() const { return GetParam().page.bytes; }
  const PageEntry& entry() const { return GetParam().page.entry; }
  std::uint64_t num_vertices() const { return GetParam().num_vertices; }
};

INSTANTIATE_TEST_SUITE_P(Page, PageCheck, testing::ValuesIn(samples()),
                         [](const auto& sample) { return sample.param.name; });

// The bytes in which a change always makes the page invalid: sizes and counts, which must match the contents, and
// padding. A change elsewhere can give another valid page: another neighbour, another weight, rows of another vertex.
std::vector<bool> bytes_without_choice(std::span<const std::byte> page) {
  const PageView view(page.data());
  const PageHeader& header = view.header();
  std::vector<bool> fixed(page.size(), false);
  const auto set = [&](std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) fixed[i] = true;
  };
  set(offsetof(PageHeader, magic), 6);  // and version
  set(offsetof(PageHeader, rows), 12);  // rows, edges, slices
  set(offsetof(PageHeader, min_neighbour), 24);
  set(offsetof(PageHeader, reserved), 7);
  for (std::size_t s = 0; s < header.slices; ++s) {
    const std::size_t at = sizeof(PageHeader) + s * sizeof(SliceHeader);
    set(at + offsetof(SliceHeader, word), 4);
    set(at + offsetof(SliceHeader, columns), 4);  // and the bits of slots and lengths
    const std::size_t words = sizeof(PageHeader) + header.slices * sizeof(SliceHeader);
    set(words + view.slices()[s].word * 4, width_words(view.slices()[s].columns) * 4);
  }
  const std::size_t topology_end = sizeof(PageHeader) + header.slices * sizeof(SliceHeader) + header.words * 4;
  set(topology_end, header.topology_bytes - topology_end);
  if (header.weight_type != WeightType::none) {
    set(header.topology_bytes, header.slices * 4);
    const std::size_t end = header.topology_bytes + (header.slices + header.weight_words) * 4;
    set(end, page.size() - end);
  }
  return fixed;
}

TEST_P(PageCheck, SoundPagesPass) {
  EXPECT_EQ(check_page(bytes(), num_vertices()), std::nullopt);
  EXPECT_EQ(check_page(bytes(), entry(), num_vertices()), std::nullopt);
}

TEST_P(PageCheck, NoFlippedBitGoesUnseen) {
  const std::vector<bool> fixed = bytes_without_choice(bytes());
  std::vector<std::byte> page = bytes();
  for (std::size_t bit = 0; bit < page.size() * 8; ++bit) {
    page[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    ASSERT_TRUE(check_page(page, entry(), num_vertices())) << "bit " << bit;
    // Without the table entry, a page that passes must still be valid.
    const Examination result = examine_page(page, num_vertices());
    ASSERT_FALSE(result.broken) << *result.broken << ", bit " << bit;
    ASSERT_FALSE(result.passed && fixed[bit / 8]) << "bit " << bit;
    page[bit / 8] = bytes()[bit / 8];
  }
}

TEST_P(PageCheck, EveryFieldOfTheEntryCounts) {
  for (std::size_t bit = 0; bit < sizeof(PageEntry) * 8; ++bit) {
    PageEntry changed = entry();
    reinterpret_cast<std::byte*>(&changed)[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    // A page does not contain its own place.
    if (changed.offset != entry().offset || changed.file != entry().file || changed.segment != entry().segment)
      continue;
    EXPECT_TRUE(check_page(bytes(), changed, num_vertices())) << "bit " << bit;
  }
}

TEST_P(PageCheck, NoOtherLengthPasses) {
  const std::span all(bytes());
  for (std::size_t length = 0; length < all.size(); ++length)
    ASSERT_TRUE(check_page(std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length)), num_vertices()))
        << length;
  for (const std::size_t more : {1, 4, 64, 4096}) {
    std::vector<std::byte> longer = bytes();
    longer.resize(longer.size() + more);
    EXPECT_TRUE(check_page(longer, num_vertices()));
    // Not even if the header is changed to match.
    const auto size = static_cast<std::uint32_t>(longer.size());
    std::memcpy(&longer[offsetof(PageHeader, bytes)], &size, sizeof size);
    EXPECT_TRUE(check_page(longer, num_vertices()));
    std::memcpy(&longer[offsetof(PageHeader, topology_bytes)], &size, sizeof size);
    EXPECT_TRUE(check_page(longer, num_vertices()));
  }
}

TEST_P(PageCheck, AGraphTooSmallIsSeen) {
  const PageHeader header = PageView(bytes().data()).header();
  const std::uint64_t needed =
      std::max(std::uint64_t{header.first_vertex} + header.vertex_count, std::uint64_t{header.max_neighbour} + 1);
  EXPECT_FALSE(check_page(bytes(), needed));
  EXPECT_TRUE(check_page(bytes(), needed - 1));
  EXPECT_TRUE(check_page(bytes(), 0));
}

TEST_P(PageCheck, SlicesHaveOneOrder) {
  const std::uint32_t slices = PageView(bytes().data()).header().slices;
  for (std::uint32_t a = 0; a < slices; ++a)
    for (std::uint32_t b = a + 1; b < slices; ++b) {
      std::vector<std::byte> page = bytes();
      const auto header = [&](std::uint32_t s) { return page.begin() + sizeof(PageHeader) + s * sizeof(SliceHeader); };
      std::swap_ranges(header(a), header(a + 1), header(b));
      EXPECT_TRUE(check_page(page, num_vertices())) << a << " and " << b;
    }
}

// Lanes packed in ways that an encoder must not use: the builder does not object, so the check must.
class BadLanes : public testing::Test {
 protected:
  using Lane = PageBuilder::Lane;
  void add(std::vector<Lane> lane) {
    lane.resize(lanes);
    builder_.add_slice(csr_.rows(), lane);
  }
  std::optional<std::string> check(std::uint32_t rows, std::uint32_t hub_slices, PageKind kind = PageKind::small) {
    return check_page(builder_.finish(kind, csr_.rows(), rows, hub_slices).bytes, 100);
  }
  Csr csr_ = make_csr({{1, 2, 3}, {4, 5}, {0, 6}, {7}});
  PageBuilder builder_{PageOptions{}};
};

TEST_F(BadLanes, TheSamePagePassesDoneRight) {
  add({{0, 0, 3}, {1, 3, 2}, {2, 5, 2}, {3, 7, 1}});
  EXPECT_EQ(check(4, 0), std::nullopt);
}

TEST_F(BadLanes, RowsOutOfOrder) {
  add({{0, 0, 3}, {2, 5, 2}, {1, 3, 2}, {3, 7, 1}});
  EXPECT_TRUE(check(4, 0));
}

TEST_F(BadLanes, ShortRowsFirst) {
  add({{1, 3, 2}});
  add({{0, 0, 3}});
  EXPECT_TRUE(check(2, 0));
}

TEST_F(BadLanes, RoomLeftInASliceBeforeTheLast) {
  add({{0, 0, 3}});
  add({{1, 3, 2}});
  EXPECT_TRUE(check(2, 0));
}

TEST_F(BadLanes, AVertexWithTwoRows) {
  add({{0, 0, 3}, {1, 3, 2}, {1, 7, 1}});
  EXPECT_TRUE(check(3, 0));
}

TEST_F(BadLanes, AHubWithAnotherRow) {
  add({{0, 0, 1}, {0, 1, 1}, {0, 2, 1}});
  add({{0, 7, 1}});
  EXPECT_TRUE(check(2, 1));
}

TEST_F(BadLanes, AHubOfTwoVertices) {
  add({{0, 0, 2}, {1, 3, 2}});
  EXPECT_TRUE(check(1, 1));
  EXPECT_TRUE(check(2, 1));
}

TEST_F(BadLanes, AHubCutUnevenly) {
  add({{0, 0, 2}, {0, 2, 1}, {0, 3, 1}});
  EXPECT_TRUE(check(1, 1));
}

TEST_F(BadLanes, AHubWhoseSegmentsOverlap) {
  add({{0, 0, 2}, {0, 1, 2}});
  EXPECT_TRUE(check(1, 1));
}

TEST_F(BadLanes, AHubWhoseSlicesOverlap) {
  add({{0, 3, 1}, {0, 4, 1}});
  add({{0, 0, 1}, {0, 1, 1}});
  EXPECT_TRUE(check(1, 2));
}

TEST_F(BadLanes, HubsOutOfOrder) {
  add({{1, 3, 2}});
  add({{0, 0, 3}});
  EXPECT_TRUE(check(2, 2));
}

TEST_F(BadLanes, ALargePageOfSeveralVertices) {
  add({{0, 0, 3}});
  EXPECT_TRUE(check(1, 1, PageKind::large));
}

TEST_F(BadLanes, TooManyColumns) {
  csr_ = Csr{};
  std::vector<VertexId> row(max_slice_columns + 1);
  for (VertexId i = 0; i < row.size(); ++i) row[i] = i;
  csr_.add_row(row);
  add({{0, 0, max_slice_columns + 1}});
  EXPECT_TRUE(check_page(builder_.finish(PageKind::small, csr_.rows(), 1, 0).bytes, 10'000));
}

}  // namespace
}  // namespace millrace::test
