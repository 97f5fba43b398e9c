// Stores of graphs whose ids were strings.
#include <gtest/gtest.h>

#include "millrace/store/store.h"
#include "support/shapes.h"
#include "support/temp_dir.h"

namespace millrace {
namespace {

using namespace test;

// Names belong to ids, and stay with them in every order of vertices.
TEST(BuildStore, KeepsNames) {
  for (const Order order : {Order::natural, Order::degree}) {
    const TempDir directory;
    EdgeList list = edge_list(star_in(3));
    list.names = {.bytes = {'h', 'u', 'b', 'a', 'b', 'c'}, .offsets = {0, 3, 4, 5, 6}};
    build_store(std::move(list), directory / "named.store", {.order = order});
    const Store store = Store::open(directory / "named.store");
    const CountedNames names = store.load_names(unlimited_budget());
    ASSERT_EQ(names.size(), 4u);
    EXPECT_EQ(names[0], "hub");
    EXPECT_EQ(names[3], "c");
    const VertexId hub = store.load_ids(unlimited_budget()).find(0).value();
    EXPECT_EQ(store.load_degrees(Orientation::in, unlimited_budget())[hub], 3u);
  }
}

}  // namespace
}  // namespace millrace
