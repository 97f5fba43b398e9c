// Directed stores written with the pages of one orientation.
#include <gtest/gtest.h>

#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "store/store_fixture.h"

namespace millrace::test {
namespace {

class StoreOrientation : public DirectoryTest {
 protected:
  Store write(const StoreParts& parts, Orientation kept, bool both_degrees) {
    StoreWriter writer(directory_ / "graph", true);
    const Csr& csr = kept == Orientation::out ? parts.out : parts.in;
    for (EncodedPage& page : encode_pages(csr, parts.pages)) writer.append_page(kept, std::move(page));
    for (const Orientation o : {Orientation::out, Orientation::in})
      if (o == kept || both_degrees)
        writer.write_degrees(o, o == Orientation::out ? parts.out_degrees : parts.in_degrees);
    writer.commit(parts.manifest, {kept});
    return Store::open(directory_ / "graph");
  }
};

TEST_F(StoreOrientation, OneIsEnough) {
  const StoreParts parts = example_parts();
  for (const Orientation kept : {Orientation::out, Orientation::in})
    for (const bool both_degrees : {false, true}) {
      const Orientation other = kept == Orientation::out ? Orientation::in : Orientation::out;
      const Store store = write(parts, kept, both_degrees);
      EXPECT_TRUE(store.has(kept));
      EXPECT_FALSE(store.has(other));
      EXPECT_EQ(verify_store(store).problems, std::vector<std::string>{});
      EXPECT_TRUE(load_csr(store, kept) == (kept == Orientation::out ? parts.out : parts.in));
      if (both_degrees)
        EXPECT_EQ(store.load_degrees(other, unlimited_budget()).size(), parts.out.vertex_count());
      else
        EXPECT_THROW(store.load_degrees(other, unlimited_budget()), BadInputError);
    }
}

TEST_F(StoreOrientation, OfAGraphWithoutEdgesIsStillOne) {
  const Store store = write(parts_of(make_csr({{}, {}}), {}), Orientation::in, true);
  EXPECT_FALSE(store.has(Orientation::out));
  EXPECT_EQ(verify_store(store).problems, std::vector<std::string>{});
}

}  // namespace
}  // namespace millrace::test
