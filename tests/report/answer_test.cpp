#include "millrace/report/answer.h"

#include <gtest/gtest.h>

#include <limits>

namespace millrace {
namespace {

TEST(Answer, CountsByPowersOfTwo) {
  std::vector<std::uint64_t> counts(65);
  counts[0] = 5, counts[1] = 4, counts[3] = 2, counts[64] = 1;
  const auto rows = rows_by_powers_of_two(counts);
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows[0].name, "0");
  EXPECT_EQ(rows[1].name, "1");
  EXPECT_EQ(rows[2].name, "4 to 7");
  EXPECT_EQ(rows[3].name, "9,223,372,036,854,775,808 to 18,446,744,073,709,551,615");
  EXPECT_TRUE(rows_by_powers_of_two({}).empty());
}

TEST(Answer, IsDrawnOnALogarithmicScaleWhereBarsWouldVanish) {
  const auto bars = [](std::vector<double> numbers) {
    std::vector<Answer::Row> rows;
    for (const double number : numbers) rows.push_back({"x", "n", number});
    return rows;
  };
  EXPECT_FALSE(chart_of("level", "vertices", bars({1, 20, 100})).log);
  EXPECT_TRUE(chart_of("level", "vertices", bars({1, 20, 100'000})).log);
  EXPECT_FALSE(chart_of("level", "vertices", bars({0, 0, 100'000})).log) << "nothing is nothing on any scale";
  EXPECT_FALSE(chart_of("level", "vertices", {}).log);
}

TEST(Answer, IsWrittenInColumns) {
  Answer answer;
  answer.tops.push_back({"highest rank", "rank", "vertex", {{"4037", "0.5", 0.5}, {"15", "0.25", 0.25}}});
  answer.charts.push_back(chart_of("level", "vertices", {{"0", "1", 1}, {"not reached", "1,000", 1000}}));
  EXPECT_EQ(answer_text(answer, false),
            "  highest rank\n"
            "     1  4037   0.5  ##############################\n"
            "     2  15    0.25  ###############\n"
            "  vertices by level (bars on a logarithmic scale)\n"
            "              0      1  ###\n"
            "    not reached  1,000  ##############################\n");
  EXPECT_NE(answer_text(answer, true).find("█"), std::string::npos);
}

TEST(Answer, DrawsWhatIsNotFinite) {
  Answer answer;
  const double infinite = std::numeric_limits<double>::infinity();
  answer.tops.push_back({"t", "v", "vertex", {{"a", "inf", infinite}, {"b", "2", 2}}});
  for (const bool blocks : {false, true}) EXPECT_NE(answer_text(answer, blocks).find("inf"), std::string::npos);
}

TEST(Answer, CannotSteerTheTerminal) {
  Answer answer;
  std::vector<Answer::Row> rows;
  rows.push_back({"a\033[2Jb\n", "1", 1});
  rows.push_back({std::string(100, 'x'), "0", 0});
  answer.tops.push_back({"t", "v", "vertex", rows});
  const std::string text = answer_text(answer, true);
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NE(text.find("a\\u001b[2Jb\\u000a"), std::string::npos);
  EXPECT_NE(text.find("xxx..."), std::string::npos);
  EXPECT_EQ(text.find(std::string(41, 'x')), std::string::npos);
}

}  // namespace
}  // namespace millrace
