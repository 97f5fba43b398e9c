// Pages made from sorted keys have the rows of these keys.
#include "millrace/ingest/encode_keys.h"

#include <gtest/gtest.h>

#include "support/pages.h"

namespace millrace {
namespace {

TEST(EncodeKeys, GivesThePagesOfTheRows) {
  for (const std::uint32_t page_bytes : {4096u, default_page_bytes}) {
    test::Csr csr = test::random_csr(3000, 17);
    csr.first_vertex = 700;
    constexpr std::uint32_t bits = 12;
    std::vector<std::uint64_t> keys;
    for (std::uint32_t row = 0; row < csr.vertex_count(); ++row)
      for (std::uint64_t i = csr.offsets[row]; i < csr.offsets[row + 1]; ++i)
        keys.push_back(std::uint64_t{700 + row} << bits | csr.neighbours[i]);

    const PageOptions options{.page_bytes = page_bytes};
    const std::vector<EncodedPage> expected = test::encode_pages(csr, options);
    PageEncoder encoder(options);
    std::vector<EncodedPage> pages;
    encode_keys(keys, 700, 3700, bits, encoder, pages);
    ASSERT_EQ(pages.size(), expected.size());
    for (std::size_t p = 0; p < pages.size(); ++p) EXPECT_TRUE(pages[p].bytes == expected[p].bytes) << "page " << p;
  }
}

TEST(EncodeKeys, NoKeysGiveNoPages) {
  PageEncoder encoder({});
  std::vector<EncodedPage> pages;
  encode_keys({}, 3, 9, 5, encoder, pages);
  encode_keys({}, 3, 3, 0, encoder, pages);
  EXPECT_TRUE(pages.empty());
}

}  // namespace
}  // namespace millrace
