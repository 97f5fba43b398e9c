#include "millrace/core/progress.h"

#include <gtest/gtest.h>

#include <thread>

namespace millrace::test {
namespace {

TEST(ProgressWatchTest, SeesTheOutermostBarOfItsThread) {
  const auto watch = std::make_shared<ProgressWatch>();
  const ProgressWatch::InForce in_force(watch);
  EXPECT_FALSE(watch->look());
  {
    Progress outer("outer", 200);
    outer.add(50);
    Progress inner("inner", 0, Progress::Unit::bytes);
    std::thread([&] {
      Progress elsewhere("elsewhere", 10);
      const auto state = watch->look();
      ASSERT_TRUE(state);
      EXPECT_EQ(state->label, "outer");
      EXPECT_EQ(state->share, 0.25);
      EXPECT_TRUE(state->text.starts_with("50")) << state->text;
      EXPECT_TRUE(state->text.ends_with(" left")) << state->text;
    }).join();
  }
  EXPECT_FALSE(watch->look());
}

TEST(ProgressWatchTest, KnowsNoShareWithoutATotal) {
  const auto watch = std::make_shared<ProgressWatch>();
  const ProgressWatch::InForce in_force(watch);
  Progress progress("read", 0);
  progress.add(7);
  const auto state = watch->look();
  ASSERT_TRUE(state);
  EXPECT_FALSE(state->share);
  EXPECT_TRUE(state->text.starts_with("7")) << state->text;
}

TEST(ProgressWatchTest, MayEndBeforeABar) {
  auto watch = std::make_shared<ProgressWatch>();
  std::unique_ptr<Progress> progress;
  {
    const ProgressWatch::InForce in_force(watch);
    progress = std::make_unique<Progress>("long", 10);
  }
  watch.reset();
  progress->add(1);
}

TEST(ProgressWatchTest, SeesNothingWhereBarsAreSilenced) {
  const auto watch = std::make_shared<ProgressWatch>();
  const ProgressWatch::InForce in_force(watch);
  Progress::set_enabled(false);
  const Progress progress("silent", 10);
  Progress::set_enabled(true);
  EXPECT_FALSE(watch->look());
}

}  // namespace
}  // namespace millrace::test
