#include "millrace/core/nearest.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(Nearest, CountsChangedAddedMissingAndExchangedLetters) {
  EXPECT_EQ(edit_distance("pagerank", "pagerank", 3), 0);
  EXPECT_EQ(edit_distance("PageRank", "pagerank", 3), 0);
  EXPECT_EQ(edit_distance("pagernak", "pagerank", 3), 1);
  EXPECT_EQ(edit_distance("pagrank", "pagerank", 3), 1);
  EXPECT_EQ(edit_distance("pageerank", "pagerank", 3), 1);
  EXPECT_EQ(edit_distance("pagetank", "pagerank", 3), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3);
  EXPECT_EQ(edit_distance("", "abc", 5), 3);
  EXPECT_EQ(edit_distance("", "", 0), 0);
  EXPECT_EQ(edit_distance("abcdef", "uvwxyz", 2), 3) << "more than asked for";
}

TEST(Nearest, AsksForTheNearestWord) {
  EXPECT_EQ(did_you_mean("pagernak", {"ppr", "pagerank", "radius"}), "; did you mean pagerank?");
  EXPECT_EQ(did_you_mean("bsf", {"bc", "bfs", "sssp"}), "; did you mean bfs?");
  EXPECT_EQ(did_you_mean("sourc", {"--source", "sources", "source"}), "; did you mean source?");
  EXPECT_EQ(did_you_mean("neigh", {"bfs", "neighbourhood"}), "; did you mean neighbourhood?") << "only begun";
  EXPECT_EQ(did_you_mean("xyzzy", {"bfs", "pagerank"}), "");
  EXPECT_EQ(did_you_mean("x", {"y"}), "") << "one letter says nothing";
  EXPECT_EQ(did_you_mean("", {"y"}), "");
}

}  // namespace
}  // namespace millrace
