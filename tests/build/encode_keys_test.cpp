// Pages made from sorted keys have the rows of these keys.
#include "millrace/build/encode_keys.h"

#include <gtest/gtest.h>

#include "support/pages.h"

namespace millrace {
namespace {

TEST(EncodeKeys, GivesThePagesOfTheRows) {
  for (const std::uint32_t page_bytes : {4096u, default_page_bytes}) {
    test::Csr csr = test::random_csr(3000, 17);
    csr.first_vertex = 700;
    const KeyBits bits(3700, 0);
    std::vector<std::uint64_t> keys;
    for (std::uint32_t row = 0; row < csr.vertex_count(); ++row)
      for (std::uint64_t i = csr.offsets[row]; i < csr.offsets[row + 1]; ++i)
        keys.push_back(bits.key(700 + row, csr.neighbours[i]));

    const PageOptions options{.page_bytes = page_bytes};
    const std::vector<EncodedPage> expected = test::encode_pages(csr, options);
    PageEncoder encoder(options);
    std::vector<EncodedPage> pages;
    encode_keys(keys, 700, 3700, bits, encoder, pages);
    ASSERT_EQ(pages.size(), expected.size());
    for (std::size_t p = 0; p < pages.size(); ++p) EXPECT_TRUE(pages[p].bytes == expected[p].bytes) << "page " << p;
  }
}

// The part of the rows that a segment has: the pages of rows with these neighbours alone.
TEST(EncodeKeys, GivesThePagesOfASegment) {
  const test::Csr csr = test::random_csr(3000, 5);
  const KeyBits bits(3000, 1024);
  ASSERT_EQ(bits.num_segments(), 3u);
  for (VertexId segment = 0; segment < 3; ++segment) {
    test::Csr part;
    std::vector<std::uint64_t> keys;
    for (VertexId row = 0; row < csr.vertex_count(); ++row) {
      std::vector<VertexId> neighbours(csr.neighbours.begin() + static_cast<std::ptrdiff_t>(csr.offsets[row]),
                                       csr.neighbours.begin() + static_cast<std::ptrdiff_t>(csr.offsets[row + 1]));
      std::erase_if(neighbours, [&](VertexId neighbour) { return neighbour / 1024 != segment; });
      part.add_row(neighbours);
      for (const VertexId neighbour : neighbours) keys.push_back(bits.key(row, neighbour));
    }
    ASSERT_TRUE(std::ranges::is_sorted(keys));
    const PageOptions options{.page_bytes = 4096};
    const std::vector<EncodedPage> expected = test::encode_pages(part, options);
    PageEncoder encoder(options);
    std::vector<EncodedPage> pages;
    encode_keys(keys, 0, 3000, bits, encoder, pages);
    ASSERT_EQ(pages.size(), expected.size());
    for (std::size_t p = 0; p < pages.size(); ++p) {
      EXPECT_TRUE(pages[p].bytes == expected[p].bytes) << "page " << p;
      EXPECT_EQ(pages[p].entry.min_neighbour / 1024, segment);
      EXPECT_EQ(pages[p].entry.max_neighbour / 1024, segment);
    }
  }
}

TEST(EncodeKeys, NoKeysGiveNoPages) {
  PageEncoder encoder({});
  std::vector<EncodedPage> pages;
  encode_keys({}, 3, 9, KeyBits(20, 0), encoder, pages);
  encode_keys({}, 3, 3, KeyBits(), encoder, pages);
  EXPECT_TRUE(pages.empty());
}

}  // namespace
}  // namespace millrace
