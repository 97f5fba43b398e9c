// Where the time of a superstep went: on one device, and on several that work at the same time.
#include "millrace/engine/superstep.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(Phases, OfResidentPagesAreComputation) {
  Superstep step;
  step.end(2, {});
  EXPECT_DOUBLE_EQ(step.seconds, 2);
  EXPECT_DOUBLE_EQ(step.phases.compute, 2);
  EXPECT_DOUBLE_EQ(step.phases.wait, 0);
}

TEST(Phases, OfStreamedPagesAddUpToTheSuperstep) {
  Superstep step;
  step.phases.exchange = 0.25;
  step.end(2, {.copy = 1.5, .disk = 1, .wait = 0.5});
  EXPECT_DOUBLE_EQ(step.phases.compute, 1.25);
  EXPECT_DOUBLE_EQ(step.phases.wait, 0.75);
  EXPECT_DOUBLE_EQ(step.phases.copy, 1.5);
  EXPECT_DOUBLE_EQ(step.phases.disk, 1);
  step.end(0.5, {.wait = 3});  // clocks differ
  EXPECT_DOUBLE_EQ(step.phases.compute, 0);
  EXPECT_DOUBLE_EQ(step.phases.wait, 0.5);
}

TEST(Phases, OfSeveralDevicesAreThoseOfTheBusiest) {
  Superstep one, other, step;
  one.end(3, {.copy = 2, .wait = 2});    // computes for 1 second
  other.end(2, {.copy = 1, .wait = 0});  // for 2
  step += one;
  step += other;
  step.end_together(5, 1.5);  // half a second before both
  EXPECT_DOUBLE_EQ(step.seconds, 5);
  EXPECT_DOUBLE_EQ(step.phases.copy, 2);
  EXPECT_DOUBLE_EQ(step.phases.compute, 2.5);
  EXPECT_DOUBLE_EQ(step.phases.exchange, 1.5);
  EXPECT_DOUBLE_EQ(step.phases.wait, 2.5);
}

TEST(Phases, AreComputationWhereNoDeviceToldMore) {
  Superstep step;
  step.end_together(5, 0);
  EXPECT_DOUBLE_EQ(step.phases.compute, 5);
  EXPECT_DOUBLE_EQ(step.phases.wait, 0);
}

}  // namespace
}  // namespace millrace
