#include "millrace/core/progress_line.h"

#include <gtest/gtest.h>

namespace millrace::test {
namespace {

const std::vector<ProgressPart> all_parts{
    {"1,024", 1}, {"3.5 M/s", 3}, {"superstep 7, 1,024 active", 2}, {"3.0 s left", 0}};

TEST(ProgressLineTest, HasEverythingWhereThereIsRoom) {
  EXPECT_EQ(fit_progress("pagerank", 0.5, all_parts, 200),
            "pagerank           [###############...............]  50%  1,024  3.5 M/s  superstep 7, 1,024 active  "
            "3.0 s left");
}

TEST(ProgressLineTest, IsNeverWiderThanTheTerminal) {
  for (std::size_t width = 0; width < 200; ++width)
    for (const std::optional<double> share : {std::optional<double>(), std::optional(0.0), std::optional(1.0)}) {
      EXPECT_LE(fit_progress("a label of many words", share, all_parts, width).size(), width);
      EXPECT_LE(fit_progress("load", share, {}, width).size(), width);
    }
}

TEST(ProgressLineTest, LeavesOutWhatMattersLeast) {
  EXPECT_EQ(fit_progress("pagerank", 0.5, all_parts, 80),
            "pagerank         [#####.....]  50%  1,024  superstep 7, 1,024 active  3.0 s left");
  EXPECT_EQ(fit_progress("pagerank", 0.5, all_parts, 40), "pagerank   [#####.....]  50%  3.0 s left");
  EXPECT_EQ(fit_progress("pagerank", 0.5, all_parts, 26), "pagerank   50%  3.0 s left");
  EXPECT_EQ(fit_progress("pagerank", 0.5, all_parts, 20), "pagerank  50%  1,024");
  EXPECT_EQ(fit_progress("pagerank", 0.5, all_parts, 10), "pager  50%");
}

TEST(ProgressLineTest, ShowsCountsWhereTheTotalIsNotKnown) {
  EXPECT_EQ(fit_progress("read", {}, {{"7", 1}, {"0.2 s", 0}}, 79), "read                7  0.2 s");
}

TEST(FormatDurationTest, TakesTheUnitsThatPeopleUse) {
  EXPECT_EQ(format_duration(0.04), "0.0 s");
  EXPECT_EQ(format_duration(4.21), "4.2 s");
  EXPECT_EQ(format_duration(9.97), "10 s");
  EXPECT_EQ(format_duration(59.4), "59 s");
  EXPECT_EQ(format_duration(59.6), "1 m 0 s");
  EXPECT_EQ(format_duration(130), "2 m 10 s");
  EXPECT_EQ(format_duration(20000), "5 h 33 m");
  EXPECT_EQ(format_duration(327413.09), "3 d 18 h");
  EXPECT_EQ(format_duration(1e300), "years");
}

}  // namespace
}  // namespace millrace::test
