// When a prediction says enough to be shown and compared, and how people read it.
#include "millrace/report/prediction.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(PredictionTest, OfLessThanAMillisecondIsNoNumber) {
  const Prediction tiny{.seconds = 3e-7, .compute = 3e-7}, large{.seconds = 0.25, .compute = 0.2, .link = 0.25};
  EXPECT_EQ(tiny.text(" for 1 search"), "less than 1.00 ms for 1 search");
  EXPECT_EQ(large.text(" for 1 search"), "250.00 ms for 1 search, bound by link");
}

TEST(PredictionTest, IsComparedWhereBothTimesAreLongEnough) {
  const auto of = [](double seconds) { return Prediction{.seconds = seconds}; };
  EXPECT_FALSE(of(3e-7).says_enough(3e-5));
  EXPECT_FALSE(of(3e-7).says_enough(0.01));
  EXPECT_FALSE(of(2.84e-3).says_enough(3.9e-7));
  EXPECT_FALSE(of(2.84e-3).says_enough(0));
  EXPECT_TRUE(of(2.84e-3).says_enough());
  EXPECT_TRUE(of(0.02).says_enough(0.01));
  EXPECT_EQ(ratio_text(of(2.84e-3), 3.9e-7), "");
  EXPECT_EQ(ratio_text(of(0.02), 0.01, "x the time it took"), " (2.00 x the time it took)");
}

// PageRank on four vertices: samples of large graphs tell how long edges take, but not how long a superstep takes to
// start.
TEST(PredictionTest, OfSuperstepsThatMostlyStartSaysNothing) {
  const Prediction many{.seconds = 1.55e-3, .supersteps = 300'000};
  EXPECT_FALSE(many.says_enough());
  EXPECT_EQ(many.text(" for 300000 iterations"), "nothing: starting 300,000 supersteps takes most of the time");
  EXPECT_EQ(ratio_text(many, 0.155), "");
  const Prediction few{.seconds = 3e-7, .supersteps = 8};
  EXPECT_EQ(few.text(), "less than 1.00 ms") << "starting them takes no longer either";
  EXPECT_TRUE((Prediction{.seconds = 0.08, .supersteps = 8000}).says_enough()) << "a grid on a GPU: 10 us a level";
}

}  // namespace
}  // namespace millrace
