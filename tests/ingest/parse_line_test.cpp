// Numbers in lines of text.
#include "millrace/ingest/parse_line.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(ReadWeight, IsTheNearestDouble) {
  const std::pair<std::string, double> texts[] = {{"+5", 5},
                                                  {"+0.25", 0.25},
                                                  {"-3", -3},
                                                  {"1e-400", 0},
                                                  {"+1e-400", 0},
                                                  {"5e-324", 5e-324},
                                                  {"1.7976931348623157e308", 1.7976931348623157e308}};
  for (const auto& [text, expected] : texts) {
    ReadWeight weight;
    EXPECT_TRUE(parsing::read_weight(text, weight)) << text;
    EXPECT_EQ(weight.value, expected) << text;
    EXPECT_TRUE(weight.exact) << text;
  }
  ReadWeight weight;
  EXPECT_TRUE(parsing::read_weight("+9007199254740993", weight));
  EXPECT_FALSE(weight.exact);
  const std::string line = "0 1 +5\n";
  const char* p = line.c_str();
  OriginalId ids[2];
  EXPECT_EQ(parse_line<RowKind::weighted_edge>(p, ids, &weight), LineResult::row);
  EXPECT_EQ(weight.value, 5);
}

}  // namespace
}  // namespace millrace
