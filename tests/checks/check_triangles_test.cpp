// The verifier accepts right counts, from either orientation, and notices wrong ones.
#include "millrace/checks/check_triangles.h"

#include <gtest/gtest.h>

#include "support/triangles.h"

namespace millrace {
namespace {

using namespace test;

class CheckTriangles : public ShapeTest {};

TEST_P(CheckTriangles, AcceptsTheRightCounts) {
  const StoredGraph stored(shape(), {Order::natural, 4096});
  const ExpectedTriangles expected = expected_triangles(stored.graph());
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    EXPECT_EQ(check_triangles(stored.pages(o), o, expected.count, expected.triangles), std::nullopt);
    EXPECT_EQ(check_triangles(stored.pages(o), o, expected.count.size(), expected.triangles), std::nullopt);
    EXPECT_EQ(check_lcc(stored.pages(o), o, expected.coefficient), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, CheckTriangles, testing::ValuesIn(shape_names()), name_of);

TEST(CheckTrianglesNotices, AWrongTotal) {
  const StoredGraph stored(complete(6));
  const std::vector<std::uint64_t> count(6, 10);
  EXPECT_EQ(check_triangles(stored.pages(Orientation::out), Orientation::out, count, 20), std::nullopt);
  EXPECT_EQ(check_triangles(stored.pages(Orientation::out), Orientation::out, count, 19),
            "19 triangles have 57 corners, but vertices have 60");
  EXPECT_EQ(check_triangles(stored.pages(Orientation::out), Orientation::out, 6, 19),
            "19 triangles were found, but there are 20");
}

TEST(CheckTrianglesNotices, ATriangleAtTheWrongVertex) {
  const StoredGraph stored(complete(6));
  std::vector<std::uint64_t> count(6, 10);
  ++count[4], --count[2];
  EXPECT_NE(check_triangles(stored.pages(Orientation::out), Orientation::out, count, 20), std::nullopt);
}

TEST(CheckTrianglesNotices, AWrongCoefficient) {
  const StoredGraph stored(complete(6));
  std::vector<double> coefficient(6, 1.0);
  EXPECT_EQ(check_lcc(stored.pages(Orientation::in), Orientation::in, coefficient), std::nullopt);
  coefficient[3] = 0.999999;
  EXPECT_EQ(check_lcc(stored.pages(Orientation::in), Orientation::in, coefficient),
            "vertex 3 has the coefficient 0.999999, but 5 neighbours with 20 edges make 1");
}

// The edges of a hub are examined once, not once for each of its neighbours.
TEST(CheckTrianglesNotices, AFaultAnywhereOnAStarAfterFewLooks) {
  constexpr std::uint32_t leaves = 5000;
  for (const bool undirected : {false, true}) {
    Shape star = star_out(leaves);
    star.undirected = undirected;
    const StoredGraph stored(star);
    for (const VertexId v : {0u, 1u, leaves / 3, leaves / 2, leaves - 1, leaves}) {
      std::vector<double> coefficient(leaves + 1);
      coefficient[v] = 0.5;
      EXPECT_NE(check_lcc(stored.pages(Orientation::out), Orientation::out, coefficient, 100 * leaves), std::nullopt);
      std::vector<std::uint64_t> count(leaves + 1);
      count[v] = 3;
      EXPECT_NE(check_triangles(stored.pages(Orientation::out), Orientation::out, count, 1, 100 * leaves),
                std::nullopt);
    }
  }
}

TEST(CheckTrianglesNotices, NothingAfterEnoughLooks) {
  const StoredGraph stored(complete(6));
  const std::vector<double> coefficient(6, 0.5);
  EXPECT_EQ(check_lcc(stored.pages(Orientation::in), Orientation::in, coefficient, 0), std::nullopt);
}

}  // namespace
}  // namespace millrace
