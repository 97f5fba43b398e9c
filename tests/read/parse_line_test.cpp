// Numbers in lines of text.
#include "millrace/read/parse_line.h"

#include <gtest/gtest.h>

#include <clocale>

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

// A program that uses this library may have set another locale, in which the point is a comma.
TEST(ReadWeight, IsTheSameInOtherLocales) {
  const char* found = nullptr;
  for (const char* const name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8", "es_ES.UTF-8"})
    if (!found) found = std::setlocale(LC_NUMERIC, name);
  if (!found) GTEST_SKIP() << "no locale with a comma is installed";
  ReadWeight weight;
  const bool read = parsing::read_weight("1.5e-320", weight);
  std::setlocale(LC_NUMERIC, "C");
  EXPECT_TRUE(read);
  EXPECT_EQ(weight.value, 1.5e-320);
}

template <RowKind kind>
LineResult result_of(std::string line) {
  line += '\n';
  const char* p = line.c_str();
  OriginalId ids[2];
  ReadWeight weight;
  return parse_line<kind>(p, ids, &weight);
}

// A comma between digits is a separator only where blanks are none.
TEST(ParseLine, RefusesACommaThatMayBePartOfANumber) {
  for (const char* const line : {"1,000 2,000", "1,2 3", "0 1,5", "0\t1,5", "0 1,5 2"})
    EXPECT_EQ(result_of<RowKind::edge>(line), LineResult::malformed) << line;
  for (const char* const line : {"1,2", "1,2,3", "1, 2, 3", "1 ,2 ,3", "1 , 2 3", "1 2 3,4", "1 2", "1,2 ", "1,2 # 3",
                                 "1,2 x", "1,2,2020-01-01 12:00", "1 2,", "1 2, 3", "1 2,x", "1,2\r", "1 2 x,5"})
    EXPECT_EQ(result_of<RowKind::edge>(line), LineResult::row) << line;
  for (const char* const line : {"0 1 1,5", "0 1 1,50 2", "0,1 5 6", "0 1 -1,5", "0, 1 1,5", "0 1 1e3,5"})
    EXPECT_EQ(result_of<RowKind::weighted_edge>(line), LineResult::malformed) << line;
  for (const char* const line :
       {"0 1 1.5", "0,1 5", "0 1,5", "0,1,1", "0,1,1,5", "0, 1, 1", "0 1 1, 5", "0 1 1 1,5", "0 1 1.5 # 1,5"})
    EXPECT_EQ(result_of<RowKind::weighted_edge>(line), LineResult::row) << line;
  EXPECT_EQ(result_of<RowKind::vertex>("1,000"), LineResult::row);  // a list of ids with a second column
}

}  // namespace
}  // namespace millrace
