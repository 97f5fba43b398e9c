// What the cpu gathers beside a GPU, compared with what rows of plain lists would.
#include <gtest/gtest.h>

#include <numeric>

#include "millrace/operators/help_cpu.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

std::vector<std::uint64_t> bits_of(std::uint64_t n, const std::function<bool(VertexId)>& has) {
  std::vector<std::uint64_t> bits(bitmap_words(n) + 1);
  for (VertexId v = 0; v < n; ++v)
    if (has(v)) bits[v / 64] |= std::uint64_t{1} << (v % 64);
  return bits;
}

// All small pages, by three threads; rows on large pages are for the GPU.
std::vector<std::uint32_t> small_pages(const PageTable& table) {
  std::vector<std::uint32_t> pages;
  for (std::uint32_t p = 0; p < table.size(); ++p)
    if (table[p].kind == PageKind::small) pages.push_back(p);
  return pages;
}
bool is_small(const PageTable& table, VertexId v) {
  for (const PageEntry& entry : table)
    if (v - entry.first_vertex < entry.vertex_count) return entry.kind == PageKind::small;
  return false;
}

class HelpOf : public ShapeTest {};

TEST_P(HelpOf, AddsWhatRowsGet) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  const PageSet pages = stored.pages(Orientation::in);
  const std::uint64_t n = stored.graph().num_vertices();
  std::vector<std::uint64_t> sent(n), got(n, 7), found(bitmap_words(n) + 1);
  std::vector<float> sent_floats(n), got_floats(n);
  for (VertexId v = 0; v < n; ++v) sent[v] = v + 1, sent_floats[v] = 1;
  Crew crew(3);
  PagePool pool(small_pages(pages.table())), again(small_pages(pages.table()));
  const PassCounts counts = help_pull(pages, pool, HelpToAll<std::uint64_t, Sum>{sent.data(), nullptr, got.data()},
                                      AllActive{}, found.data(), crew);
  help_pull(pages, again, HelpToAll<float, Sum>{sent_floats.data(), nullptr, got_floats.data()}, AllActive{},
            found.data(), crew);
  std::uint64_t edges = 0;
  for (VertexId v = 0; v < n; ++v) {
    const auto& row = stored.graph().in[v];
    const bool here = !row.empty() && is_small(pages.table(), v);
    EXPECT_EQ(test_bit(found.data(), v), here) << "vertex " << v;
    if (!here) continue;
    std::uint64_t sum = 0;
    for (const VertexId source : row) sum += source + 1;
    EXPECT_EQ(got[v], sum) << "vertex " << v;
    EXPECT_EQ(got_floats[v], static_cast<float>(row.size())) << "vertex " << v;
    edges += row.size();
  }
  EXPECT_EQ(counts.edges, edges);
}

TEST_P(HelpOf, FindsTheFirstActiveSourceOfRowsThatWantOne) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  const PageSet pages = stored.pages(Orientation::in);
  const std::uint64_t n = stored.graph().num_vertices();
  const auto is_active = [](VertexId v) { return v % 3 == 1; };
  const auto is_wanted = [](VertexId v) { return v % 4 != 2; };
  const auto active = bits_of(n, is_active), wanted = bits_of(n, is_wanted);
  std::vector<std::uint64_t> found(bitmap_words(n) + 1);
  std::vector<VertexId> got(n, no_vertex);
  Crew crew(3);
  PagePool pool(small_pages(pages.table()));
  help_pull(pages, pool, HelpToAll<VertexId, First>{nullptr, wanted.data(), got.data()}, BitmapActive{active.data()},
            found.data(), crew);
  for (VertexId v = 0; v < n; ++v) {
    VertexId first = no_vertex;
    if (is_wanted(v) && is_small(pages.table(), v))
      for (const VertexId source : stored.graph().in[v])
        if (is_active(source)) first = std::min(first, source);
    EXPECT_EQ(got[v], first) << "vertex " << v;
    EXPECT_EQ(test_bit(found.data(), v), first != no_vertex) << "vertex " << v;
  }
}

TEST_P(HelpOf, SendsAlongActiveRows) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  const PageSet pages = stored.pages(Orientation::out);
  const std::uint64_t n = stored.graph().num_vertices();
  const auto is_active = [](VertexId v) { return v % 3 != 1; };
  const auto active = bits_of(n, is_active);
  std::vector<std::uint64_t> sent(n), sums(n), found(bitmap_words(n) + 1), found_first(bitmap_words(n) + 1);
  std::vector<VertexId> lowest(n, no_vertex);
  for (VertexId v = 0; v < n; ++v) sent[v] = v + 1;
  Crew crew(3);
  PagePool pool(small_pages(pages.table())), again(small_pages(pages.table()));
  const PassCounts counts = help_push(pages, pool, HelpToAll<std::uint64_t, Sum>{sent.data(), nullptr, nullptr},
                                      BitmapActive{active.data()}, sums.data(), found.data(), n, crew);
  help_push(pages, again, HelpToAll<VertexId, First>{}, BitmapActive{active.data()}, lowest.data(), found_first.data(),
            n, crew);
  std::vector<std::uint64_t> expected(n);
  std::vector<VertexId> expected_lowest(n, no_vertex);
  std::uint64_t edges = 0;
  for (VertexId source = 0; source < n; ++source) {
    if (!is_active(source) || !is_small(pages.table(), source)) continue;
    for (const VertexId target : stored.graph().out[source]) {
      expected[target] += source + 1;
      expected_lowest[target] = std::min(expected_lowest[target], source);
      ++edges;
    }
  }
  EXPECT_EQ(counts.edges, edges);
  EXPECT_EQ(sums, expected);
  EXPECT_EQ(lowest, expected_lowest);
  for (VertexId v = 0; v < n; ++v) {
    EXPECT_EQ(test_bit(found.data(), v), expected[v] > 0) << "vertex " << v;
    EXPECT_EQ(test_bit(found_first.data(), v), expected[v] > 0) << "vertex " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, HelpOf, testing::ValuesIn(shape_names()), name_of);

}  // namespace
}  // namespace millrace
