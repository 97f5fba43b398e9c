// Exports in the format of the GAP benchmark suite, byte by byte.
#include "millrace/export/write_gap.h"

#include <gtest/gtest.h>
#include <omp.h>

#include "export/export_fixture.h"
#include "millrace/core/error.h"

namespace millrace {
namespace {

using namespace test;

std::string exported(const Store& store, const std::string& name, Budget& budget = unlimited_budget()) {
  const TempDir directory;
  export_graph(store, directory / name, export_kind(name, ""), budget);
  return read_whole(directory / name);
}

void expect_rows(ByteReader& bytes, const std::vector<std::vector<VertexId>>& rows) {
  std::int64_t end = 0;
  ASSERT_EQ(bytes.take<std::int64_t>(), 0);
  for (const auto& row : rows) ASSERT_EQ(bytes.take<std::int64_t>(), end += static_cast<std::int64_t>(row.size()));
  for (const auto& row : rows)
    for (const VertexId neighbour : row) ASSERT_EQ(bytes.take<std::int32_t>(), static_cast<std::int32_t>(neighbour));
}

class GapExport : public ShapeTest {};

TEST_P(GapExport, HoldsTheRowsOfEveryStore) {
  for_each_store_and_blocked(shape(), [](const Store& store) {
    ByteReader bytes(exported(store, "graph.sg"));
    EXPECT_EQ(bytes.take<char>(), store.manifest().directed);
    EXPECT_EQ(bytes.take<std::int64_t>(), static_cast<std::int64_t>(store.num_edges()));
    EXPECT_EQ(bytes.take<std::int64_t>(), static_cast<std::int64_t>(store.num_vertices()));
    expect_rows(bytes, rows_of(shape()));
    if (store.manifest().directed) expect_rows(bytes, rows_of(shape(), true));
    EXPECT_TRUE(bytes.at_end());
  });
}

INSTANTIATE_TEST_SUITE_P(EveryShape, GapExport, testing::ValuesIn(shape_names()), name_of);

// Less memory takes more passes and gives the same bytes; too little is refused with what would be enough.
TEST(GapExport, NeedsLittleMemory) {
  omp_set_num_threads(2);
  for (const Orientation kept : {Orientation::out, Orientation::in})
    for (const Order order : {Order::natural, Order::degree}) {
      const OneOrientation graph(rmat(13), {order, 4096}, kept);
      const std::string whole = exported(graph.store(), "graph.sg");
      int fitted = 0;
      for (std::uint64_t limit = 1 << 20; limit > 1 << 10; limit = limit * 9 / 10) {
        Budget budget(limit);
        try {
          EXPECT_TRUE(exported(graph.store(), "graph.sg", budget) == whole) << limit;
          EXPECT_LE(budget.peak(), limit);
          EXPECT_EQ(budget.used(), 0u);
          ++fitted;
        } catch (const DoesNotFitError& error) {
          EXPECT_NE(std::string(error.what()).find("allow at least"), std::string::npos);
        }
      }
      EXPECT_GT(fitted, 2) << "several windows were tried";
      EXPECT_LT(fitted, 40) << "some limit was too small";
    }
}

EdgeList weighted_triangle(WeightType type, std::vector<double> weights) {
  EdgeList list = edge_list(cycle(3));
  list.weight_type = type;
  list.weights = Array<std::uint64_t>(3, unlimited_budget(), "weights");
  for (int i = 0; i < 3; ++i) list.weights[i] = weight_bits(type, weights[i]);
  return list;
}

TEST(GapExport, HasWeightsBesideNeighbours) {
  const TempDir directory;
  build_store(weighted_triangle(WeightType::f32, {7, -2, 2147483000}), directory / "graph.store", {});
  ByteReader bytes(exported(Store::open(directory / "graph.store"), "graph.wsg"));
  EXPECT_EQ(bytes.take<char>(), 1);
  const std::int64_t heads[] = {3, 3, 0, 1, 2, 3};
  for (const std::int64_t head : heads) EXPECT_EQ(bytes.take<std::int64_t>(), head);
  const std::int32_t out[] = {1, 7, 2, -2, 0, static_cast<std::int32_t>(2147483000.0f)};
  for (const std::int32_t number : out) EXPECT_EQ(bytes.take<std::int32_t>(), number);
  for (const std::int64_t offset : {0, 1, 2, 3}) EXPECT_EQ(bytes.take<std::int64_t>(), offset);
  const std::int32_t in[] = {2, static_cast<std::int32_t>(2147483000.0f), 0, 7, 1, -2};
  for (const std::int32_t number : in) EXPECT_EQ(bytes.take<std::int32_t>(), number);
  EXPECT_TRUE(bytes.at_end());
}

TEST(GapExport, RefusesWeightsThatDoNotFit) {
  for (const auto& [type, weight] :
       {std::pair{WeightType::f64, 0.5}, {WeightType::u32, 2147483648.0}, {WeightType::f32, 1e30}}) {
    const TempDir directory;
    build_store(weighted_triangle(type, {1, 2, weight}), directory / "graph.store", {});
    const Store store = Store::open(directory / "graph.store");
    EXPECT_THROW(export_graph(store, directory / "graph.wsg", export_kind("graph.wsg", ""), unlimited_budget()),
                 BadInputError);
    EXPECT_FALSE(std::filesystem::exists(directory / "graph.wsg"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1) << "nothing is left aside";
    EXPECT_NO_THROW(exported(store, "graph.sg")) << "which has no weights";
  }
  const StoredGraph plain(cycle(3));
  EXPECT_THROW(exported(plain.store(), "graph.wsg"), UsageError);
}

// There are no stored degrees from which to compute offsets.
TEST(GapExport, CountsDegreesThatAreNotStored) {
  const OneOrientation graph(hub(1500, 600), {Order::degree, 4096}, Orientation::in);
  const std::string expected = exported(graph.store(), "graph.sg");
  Manifest manifest = Manifest::load(graph.store().path() / "manifest.json");
  manifest.degrees = {};
  manifest.save(graph.store().path() / "manifest.json");
  EXPECT_TRUE(exported(Store::open(graph.store().path()), "graph.sg") == expected);
}

TEST(GapExport, FindsDegreesThatAreWrong) {
  const StoredGraph stored(chain(50));
  Manifest manifest = Manifest::load(stored.path() / "manifest.json");
  std::swap(manifest.degrees[0], manifest.degrees[1]);
  manifest.save(stored.path() / "manifest.json");
  EXPECT_THROW(exported(Store::open(stored.path()), "graph.sg"), BadInputError);
}

}  // namespace
}  // namespace millrace
