// The memory that runs have taken is stored with the store, if its directory can be written to.
#include "millrace/engine/learned_sizes.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/graphs.h"

namespace millrace::test {
namespace {

TEST(LearnedSizes, KeepTheLargestOfEachKindOfRun) {
  const TempDir store;
  EXPECT_EQ(LearnedSizes(store.path()).find("bfs"), std::nullopt);
  LearnedSizes(store.path()).note("bfs", 100);
  LearnedSizes(store.path()).note("wcc", 7);
  LearnedSizes(store.path()).note("bfs", 50);
  EXPECT_EQ(LearnedSizes(store.path()).find("bfs"), 100u);
  LearnedSizes(store.path()).note("bfs", 101);
  EXPECT_EQ(LearnedSizes(store.path()).find("bfs"), 101u);
  EXPECT_EQ(LearnedSizes(store.path()).find("wcc"), 7u);
}

TEST(LearnedSizes, BeginAnewWhereTheFileIsDamaged) {
  const TempDir store;
  for (const char* text : {"", "{", "[1]", "{\"bfs\": -1, \"wcc\": \"many\"}"}) {
    std::ofstream(store / "learned.json") << text;
    LearnedSizes sizes(store.path());
    EXPECT_EQ(sizes.find("bfs"), std::nullopt) << text;
    sizes.note("bfs", 5);
    EXPECT_EQ(LearnedSizes(store.path()).find("bfs"), 5u) << text;
  }
}

TEST(LearnedSizes, LearnNothingWhereTheyCannotWrite) {
  LearnedSizes sizes("/nonexistent/store");
  EXPECT_NO_THROW(sizes.note("bfs", 5));
  EXPECT_EQ(LearnedSizes("/nonexistent/store").find("bfs"), std::nullopt);
}

}  // namespace
}  // namespace millrace::test
