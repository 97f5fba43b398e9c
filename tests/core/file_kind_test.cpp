// What endings of names say, and which outputs are refused because of them.
#include "millrace/core/file_kind.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"

namespace millrace::test {
namespace {

bool is_refused(const char* output, Compressed compressed) {
  try {
    require_own_ending(output, {".json"}, compressed, "this is written as JSON");
    return false;
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("this is written as JSON"), std::string::npos);
    return true;
  }
}

TEST(FileKind, IsKnownByItsName) {
  EXPECT_EQ(kind_by_name("a/g.mtx"), "a MatrixMarket file");
  EXPECT_EQ(kind_by_name("g.TSV.gz"), "a table with tabs");
  EXPECT_EQ(kind_by_name("g.parquet"), "a Parquet file");
  EXPECT_EQ(kind_by_name("g.html"), kind_by_name("g.htm"));
  for (const char* const name : {"g.csv", "g.sg", "g.wsg", "g.el", "g.wel", "g.graph", "g.metis", "g.gr", "g.graph500",
                                 "g.g500", "g.e", "g.v", "g.properties", "g.store", "g.json", "g.npy", "g.pdf"})
    EXPECT_FALSE(kind_by_name(name).empty()) << name;
  for (const char* const name : {"g", "-", "g.txt", "g.txt.gz", "mtx", "g.mtx.d", "g.ranks", "/dev/stdout"})
    EXPECT_EQ(kind_by_name(name), "") << name;
}

TEST(FileKind, OfAnOutputIsItsOwn) {
  for (const char* const name : {"a.json", "a.JSON", "a", "-", "a.txt", "a.figures", "/dev/null", "json"})
    EXPECT_FALSE(is_refused(name, Compressed::never)) << name;
  for (const char* const name : {"a.html", "a.csv", "a.mtx", "a.jsonl", "a.store", "a.parquet", "a.JPG.svg"})
    EXPECT_TRUE(is_refused(name, Compressed::by_name)) << name;
  for (const char* const name : {"a.json.gz", "a.json.zst", "a.gz"}) {
    EXPECT_TRUE(is_refused(name, Compressed::never)) << name;
    EXPECT_FALSE(is_refused(name, Compressed::by_name)) << name;
  }
}

}  // namespace
}  // namespace millrace::test
