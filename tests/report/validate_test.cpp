// Validation by the benchmark's rules: what passes, what does not, and files that are no result files.
#include "millrace/report/validate.h"

#include <gtest/gtest.h>

#include <fstream>

#include "millrace/core/error.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

class Validate : public testing::Test {
 protected:
  Validation validate(const std::string& found, const std::string& expected, Match match) {
    std::ofstream(directory_ / "found") << found;
    std::ofstream(directory_ / "expected") << expected;
    return validate_results(directory_ / "found", directory_ / "expected", match);
  }
  void expect_mismatch(const Validation& result, std::uint64_t count, std::uint64_t vertex, const std::string& found,
                       const std::string& expected) {
    EXPECT_FALSE(result.passed());
    EXPECT_EQ(result.mismatches, count);
    ASSERT_TRUE(result.first);
    EXPECT_EQ(result.first->vertex, vertex);
    EXPECT_EQ(result.first->found, found);
    EXPECT_EQ(result.first->expected, expected);
  }
  TempDir directory_;
};

TEST_F(Validate, ExactlyTheSameNumbersPass) {
  const std::string levels = "1 0\n5 1\n9 9223372036854775807\n";
  EXPECT_TRUE(validate(levels, levels, Match::exact).passed());
  EXPECT_EQ(validate(levels, levels, Match::exact).vertices, 3u);
  // In any order, with any blanks, line ends and comments.
  EXPECT_TRUE(validate(levels, "# levels\r\n9\t9223372036854775807 \r\n\n1  0\n5 1", Match::exact).passed());
  expect_mismatch(validate(levels, "1 0\n5 2\n9 3\n", Match::exact), 2, 5, "1", "2");
  EXPECT_TRUE(validate("", "", Match::exact).passed());
}

TEST_F(Validate, MissingAndSurplusVerticesFail) {
  for (const Match match : {Match::exact, Match::equivalent, Match::epsilon}) {
    expect_mismatch(validate("1 0\n9 4\n", "1 0\n5 1\n9 4\n", match), 1, 5, "nothing", "1");
    expect_mismatch(validate("1 0\n5 1\n9 4\n", "1 0\n9 4\n", match), 1, 5, "1", "nothing");
    expect_mismatch(validate("1 0\n", "1 0\n18446744073709551615 2\n", match), 1, ~0ull, "nothing", "2");
    expect_mismatch(validate("18446744073709551615 2\n", "", match), 1, ~0ull, "2", "nothing");
  }
}

TEST_F(Validate, LabelsMayBeRenamed) {
  const std::string labels = "1 1\n2 1\n3 3\n4 1\n5 5\n";
  EXPECT_TRUE(validate(labels, "1 10\n2 10\n3 20\n4 10\n5 1\n", Match::equivalent).passed());
  EXPECT_FALSE(validate(labels, "1 10\n2 10\n3 20\n4 10\n5 1\n", Match::exact).passed());
  // Two components with one label, and one component with two.
  expect_mismatch(validate(labels, "1 10\n2 10\n3 20\n4 10\n5 20\n", Match::equivalent), 1, 5, "5", "3");
  expect_mismatch(validate(labels, "1 10\n2 10\n3 20\n4 30\n5 40\n", Match::equivalent), 1, 4, "1", "30");
}

TEST_F(Validate, NumbersMayDifferByOneInTenThousand) {
  const auto passes = [&](const std::string& found, const std::string& expected) {
    return validate("1 " + found + "\n", "1 " + expected + "\n", Match::epsilon).passed();
  };
  EXPECT_TRUE(passes("1.00009", "1"));
  EXPECT_TRUE(passes("0.99991", "1.0e+00"));
  EXPECT_FALSE(passes("1.00011", "1"));
  EXPECT_FALSE(passes("-1", "1"));
  EXPECT_TRUE(passes("-1.00001", "-1"));
  // Relative to the expected value: only 0 is near 0.
  EXPECT_TRUE(passes("0", "0.0"));
  EXPECT_FALSE(passes("1e-300", "0"));
  EXPECT_TRUE(passes("1e-300", "1.00001e-300"));
  EXPECT_TRUE(passes("infinity", "Infinity"));
  EXPECT_TRUE(passes("inf", "+infinity"));
  EXPECT_FALSE(passes("infinity", "-infinity"));
  EXPECT_FALSE(passes("infinity", "1e308"));
  EXPECT_FALSE(passes("1e308", "infinity"));
  EXPECT_FALSE(passes("nan", "nan"));
  EXPECT_FALSE(passes("1", "nan"));
  expect_mismatch(validate("7 infinity\n", "7 0.5\n", Match::epsilon), 1, 7, "infinity", "0.5");
}

TEST_F(Validate, FilesThatAreNoResultsAreRefusedByLine) {
  for (const Match match : {Match::exact, Match::equivalent, Match::epsilon})
    for (const char* const line : {"1", "1 ", "x 1", "1 x", "-1 1", "1 1 1", "1,1", "18446744073709551616 1", "1 1x"}) {
      try {
        validate("1 1\n", std::string("0 1\n") + line + "\n", match);
        FAIL() << line;
      } catch (const BadInputError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("expected, line 2"), std::string::npos) << text;
      }
    }
  // A level is a whole number of 64 bits.
  for (const char* const line : {"1 1.5\n", "1 18446744073709551616\n", "1 -1\n", "1 infinity\n"})
    EXPECT_THROW(validate("1 1\n", line, Match::exact), BadInputError) << line;
  EXPECT_THROW(validate("1 1\n", "1 1\n2 1\n1 1\n", Match::exact), BadInputError);
  EXPECT_THROW(validate("1 1e999\n", "1 1\n", Match::epsilon), BadInputError);
  EXPECT_THROW(validate_results(directory_ / "nowhere", directory_ / "expected", Match::exact), Error);
}

}  // namespace
}  // namespace millrace
