// The page table: finding pages, and refusing invalid tables.
#include "millrace/pages/page_table.h"

#include <gtest/gtest.h>

#include <cstring>

#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "support/pages.h"

namespace millrace::test {
namespace {

constexpr std::uint64_t num_vertices = 100;
constexpr std::uint64_t file_bytes[] = {8 * page_alignment, 8 * page_alignment};

// Vertices 0-9, no page for 10-19, vertex 20 in three large pages, 21-59, no page up to the end.
std::vector<PageEntry> example_entries() {
  PageEntry entry{};
  entry.bytes = entry.topology_bytes = 256;
  entry.edges = entry.rows = entry.slices = 1;
  std::vector<PageEntry> entries;
  const auto add = [&](VertexId first, std::uint32_t count, PageKind kind) {
    entry.first_vertex = first;
    entry.vertex_count = count;
    entry.kind = kind;
    entry.offset = entries.size() * page_alignment;
    entries.push_back(entry);
  };
  add(0, 10, PageKind::small);
  for (int i = 0; i < 3; ++i) add(20, 1, PageKind::large);
  add(21, 39, PageKind::small);
  return entries;
}

// The size of segments in the examples below.
constexpr std::uint64_t segment = 16;

// Blocked: of segment 0 vertices 0-9 and 20-29; none of segment 1; of segment 2 vertex 20 in two large pages, and
// 21-59; of segment 6, which is cut short by the end of the graph, vertices 0-9 and 20-29.
std::vector<PageEntry> blocked_entries() {
  std::vector<PageEntry> entries;
  const auto add = [&](std::uint32_t number, VertexId first, std::uint32_t count, PageKind kind, VertexId lowest,
                       VertexId highest) {
    PageEntry entry{};
    entry.bytes = entry.topology_bytes = 256;
    entry.edges = entry.rows = entry.slices = 1;
    entry.segment = number;
    entry.first_vertex = first;
    entry.vertex_count = count;
    entry.kind = kind;
    entry.min_neighbour = lowest;
    entry.max_neighbour = highest;
    entry.offset = entries.size() * page_alignment;
    entries.push_back(entry);
  };
  add(0, 0, 10, PageKind::small, 0, 15);
  add(0, 20, 10, PageKind::small, 3, 3);
  add(2, 20, 1, PageKind::large, 32, 40);
  add(2, 20, 1, PageKind::large, 41, 47);
  add(2, 21, 39, PageKind::small, 33, 46);
  add(6, 0, 10, PageKind::small, 96, 99);
  add(6, 20, 10, PageKind::small, 97, 97);
  return entries;
}

PageTable parse(std::span<const std::byte> bytes, std::uint64_t of_segment = 0) {
  return PageTable::parse(bytes, "x.table", num_vertices, file_bytes, of_segment);
}

// The error for a table of these entries with a right checksum, or "" if it is accepted.
std::string complaint(std::vector<PageEntry> entries, std::uint64_t of_segment = 0) {
  try {
    parse(PageTable(std::move(entries)).serialise(), of_segment);
  } catch (const BadInputError& error) {
    EXPECT_NE(std::string(error.what()).find("x.table"), std::string::npos) << error.what();
    return error.what();
  }
  return {};
}

TEST(PageTable, FindsThePageOfEveryVertex) {
  const PageTable table(example_entries());
  for (VertexId v = 0; v < num_vertices; ++v) {
    const std::uint32_t expected = v < 10 ? 0 : v == 20 ? 1 : v > 20 && v < 60 ? 4 : table.size();
    EXPECT_EQ(table.find(v), expected) << v;
  }
  EXPECT_EQ(table.find(no_vertex), table.size());
  EXPECT_EQ(PageTable().find(0), 0);
}

TEST(PageTable, FindsUpToTheLastVertexOfTheLargestGraph) {
  PageEntry last{};
  last.first_vertex = max_vertices - 2;
  last.vertex_count = 2;
  const PageTable table({last});
  EXPECT_EQ(table.find(max_vertices - 1), 0);
  EXPECT_EQ(table.find(max_vertices - 3), 1);
}

TEST(PageTable, AddsUp) {
  std::vector<PageEntry> entries = example_entries();
  for (PageEntry& entry : entries) entry.edges = ~0u, entry.bytes = 512;
  const PageTable table(entries);
  EXPECT_EQ(table.num_edges(), 5 * std::uint64_t{~0u});
  EXPECT_EQ(table.page_bytes(), 5 * 512);
  EXPECT_EQ(table.topology_bytes(), 5 * 256);
}

TEST(PageTable, ComesBackFromItsBytes) {
  for (const auto& entries : {example_entries(), std::vector<PageEntry>{}}) {
    const PageTable table = parse(PageTable(entries).serialise());
    ASSERT_EQ(table.size(), entries.size());
    for (std::uint32_t p = 0; p < table.size(); ++p)
      EXPECT_EQ(std::memcmp(&table[p], &entries[p], sizeof(PageEntry)), 0);
  }
}

TEST(PageTable, EveryChangedByteIsSeen) {
  const auto good = PageTable(example_entries()).serialise();
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    auto bytes = good;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    ASSERT_THROW(parse(bytes), BadInputError) << "bit " << bit;
  }
}

TEST(PageTable, EveryOtherLengthIsSeen) {
  auto bytes = PageTable(example_entries()).serialise();
  for (std::size_t length = 0; length < bytes.size(); ++length)
    ASSERT_THROW(parse(std::span(bytes).first(length)), BadInputError) << length;
  bytes.resize(bytes.size() + sizeof(PageEntry));
  EXPECT_THROW(parse(bytes), BadInputError);
}

// A count that would overflow when multiplied, with a right checksum.
TEST(PageTable, AnAbsurdCountIsSeen) {
  auto bytes = PageTable().serialise();
  const std::uint64_t count = std::uint64_t{1} << 58;
  std::memcpy(&bytes[8], &count, sizeof count);
  const std::uint32_t crc = crc32c(std::span(bytes).first(16));
  std::memcpy(&bytes[16], &crc, sizeof crc);
  EXPECT_THROW(parse(bytes), BadInputError);
}

struct Damage {
  const char* name;
  std::function<void(std::vector<PageEntry>&)> apply;
};

void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

class DamagedTable : public testing::TestWithParam<Damage> {};

// In each case the checksum is right and only the structure is wrong.
INSTANTIATE_TEST_SUITE_P(
    With, DamagedTable,
    testing::Values(Damage{"pages_out_of_order", [](auto& e) { std::swap(e[0].first_vertex, e[4].first_vertex); }},
                    Damage{"overlapping_vertices", [](auto& e) { e[0].vertex_count = 21; }},
                    Damage{"a_small_page_twice", [](auto& e) { e[4].first_vertex = 20; }},
                    Damage{"a_large_page_among_small_ones", [](auto& e) { e[2].kind = PageKind::small; }},
                    Damage{"a_large_page_of_two_vertices", [](auto& e) { e[3].vertex_count = 2, e.pop_back(); }},
                    Damage{"no_vertices", [](auto& e) { e[4].vertex_count = 0; }},
                    Damage{"vertices_past_the_end", [](auto& e) { e[4].vertex_count = 80; }},
                    Damage{"a_range_of_vertices_that_wraps", [](auto& e) { e[4].vertex_count = ~0u; }},
                    Damage{"overlapping_places", [](auto& e) { e[2].offset = e[1].offset; }},
                    Damage{"overlapping_places_of_stripes",
                           [](auto& e) { e[1].file = 1, e[1].offset = 0, e[2].offset = e[0].offset; }},
                    Damage{"a_place_past_the_file", [](auto& e) { e[4].offset = file_bytes[0]; }},
                    Damage{"a_place_that_wraps",
                           [](auto& e) {
                             e[4].bytes = e[4].topology_bytes = 2 * page_alignment;
                             e[4].offset = 0 - std::uint64_t{page_alignment};
                           }},
                    Damage{"a_page_longer_than_its_file", [](auto& e) { e[4].bytes = 4 * page_alignment + 64; }},
                    Damage{"an_odd_offset", [](auto& e) { e[4].offset += 64; }},
                    Damage{"an_odd_size", [](auto& e) { e[4].bytes += 4; }},
                    Damage{"an_odd_topology_size", [](auto& e) { e[4].topology_bytes -= 4; }},
                    Damage{"more_topology_than_page", [](auto& e) { e[4].topology_bytes += 64; }},
                    Damage{"no_bytes", [](auto& e) { e[4].bytes = e[4].topology_bytes = 0; }},
                    Damage{"too_many_bytes", [](auto& e) { e[4].bytes = max_page_bytes + 64; }},
                    Damage{"a_file_that_is_not_there", [](auto& e) { e[4].file = 2; }},
                    Damage{"an_unknown_kind", [](auto& e) { e[4].kind = static_cast<PageKind>(2); }},
                    Damage{"a_segment", [](auto& e) { e[4].segment = 1; }},
                    Damage{"more_hub_slices_than_slices", [](auto& e) { e[4].hub_slices = e[4].slices + 1; }}),
    [](const auto& damage) { return damage.param.name; });

TEST_P(DamagedTable, IsRefused) {
  std::vector<PageEntry> entries = example_entries();
  ASSERT_EQ(complaint(entries), "");
  GetParam().apply(entries);
  EXPECT_NE(complaint(entries), "");
}

TEST(PageTable, PagesMayBeStriped) {
  std::vector<PageEntry> entries = example_entries();
  for (std::size_t p = 0; p < entries.size(); ++p) entries[p].file = p % 2, entries[p].offset = p / 2 * page_alignment;
  EXPECT_EQ(complaint(entries), "");
}

TEST(BlockedPageTable, HasThePagesOfEachSegment) {
  const PageTable table(blocked_entries());
  ASSERT_EQ(table.num_segments(), 3u) << "those that have pages";
  const std::uint32_t first[] = {0, 2, 5, 7};
  for (std::uint32_t g = 0; g <= 3; ++g) EXPECT_EQ(table.first_page(g), first[g]);
  for (const PageTable& one : {PageTable(), PageTable(example_entries())}) {
    EXPECT_EQ(one.num_segments(), 1u);
    EXPECT_EQ(one.first_page(0), 0u);
    EXPECT_EQ(one.first_page(1), one.size());
  }
}

TEST(BlockedPageTable, FindsThePageOfEveryVertexInEachSegment) {
  const PageTable table(blocked_entries());
  for (VertexId v = 0; v < num_vertices; ++v) {
    const bool low = v < 10, middle = v >= 20 && v < 30;
    EXPECT_EQ(table.find(v), low ? 0 : middle ? 1 : table.size()) << v;
    EXPECT_EQ(table.find(v, 0), table.find(v)) << v;
    EXPECT_EQ(table.find(v, 1), v == 20 ? 2 : v > 20 && v < 60 ? 4 : table.size()) << v;
    EXPECT_EQ(table.find(v, 2), low ? 5 : middle ? 6 : table.size()) << v;
  }
}

TEST(BlockedPageTable, KnowsWhereARowGoesOn) {
  const PageTable table(example_entries());
  for (std::uint32_t p = 0; p < table.size(); ++p) EXPECT_EQ(table.goes_on(p), p == 2 || p == 3) << p;
  const PageTable blocked(blocked_entries());
  for (std::uint32_t p = 0; p < blocked.size(); ++p) EXPECT_EQ(blocked.goes_on(p), p == 3) << p;
}

TEST(BlockedPageTable, ComesBackFromItsBytes) {
  const std::vector<PageEntry> entries = blocked_entries();
  const PageTable table = parse(PageTable(entries).serialise(), segment);
  ASSERT_EQ(table.size(), entries.size());
  EXPECT_EQ(table.num_segments(), 3u);
  for (std::uint32_t p = 0; p < table.size(); ++p) EXPECT_EQ(std::memcmp(&table[p], &entries[p], sizeof(PageEntry)), 0);
  EXPECT_EQ(parse(PageTable().serialise(), segment).num_segments(), 1u);
}

class DamagedBlockedTable : public testing::TestWithParam<Damage> {};

INSTANTIATE_TEST_SUITE_P(
    With, DamagedBlockedTable,
    testing::Values(Damage{"another_segment", [](auto& e) { e[6].segment = 7; }},
                    Damage{"a_neighbour_before_its_segment", [](auto& e) { e[4].min_neighbour = 31; }},
                    Damage{"a_neighbour_after_its_segment", [](auto& e) { e[4].max_neighbour = 48; }},
                    Damage{"the_neighbours_of_another_segment",
                           [](auto& e) { e[1].min_neighbour = e[1].max_neighbour = 20; }},
                    Damage{"segments_out_of_order", [](auto& e) { std::rotate(&e[0], &e[2], &e[5]); }},
                    Damage{"vertices_out_of_order", [](auto& e) { std::swap(e[5], e[6]); }},
                    Damage{"overlapping_vertices", [](auto& e) { e[0].vertex_count = 21; }},
                    Damage{"a_small_page_twice", [](auto& e) { e[1].first_vertex = 0; }},
                    Damage{"a_large_page_among_small_ones", [](auto& e) { e[2].kind = PageKind::small; }}),
    [](const auto& damage) { return damage.param.name; });

TEST_P(DamagedBlockedTable, IsRefused) {
  std::vector<PageEntry> entries = blocked_entries();
  ASSERT_EQ(complaint(entries, segment), "");
  GetParam().apply(entries);
  // Only what is said above is wrong, not the places of pages.
  for (std::size_t p = 0; p < entries.size(); ++p) entries[p].offset = p * page_alignment;
  EXPECT_NE(complaint(entries, segment), "");
}

// The manifest says how large segments are, and the table has to agree.
TEST(BlockedPageTable, HasTheSegmentsOfItsManifest) {
  EXPECT_EQ(complaint(blocked_entries(), segment), "");
  EXPECT_NE(complaint(blocked_entries()).find("reserved bytes"), std::string::npos);
  for (const std::uint64_t other : {segment / 2, 2 * segment})
    EXPECT_NE(complaint(blocked_entries(), other).find("segment"), std::string::npos);
}

}  // namespace
}  // namespace millrace::test
