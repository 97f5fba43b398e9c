#include "millrace/store/fleeting.h"

#include <gtest/gtest.h>

#include <thread>

namespace millrace::test {
namespace {

TEST(FleetingTest, HoldsForItsThreadWhileItLives) {
  EXPECT_FALSE(Fleeting::in_force());
  {
    const Fleeting outer;
    { const Fleeting inner; }
    EXPECT_TRUE(Fleeting::in_force());
    std::thread([] { EXPECT_FALSE(Fleeting::in_force()); }).join();
  }
  EXPECT_FALSE(Fleeting::in_force());
}

}  // namespace
}  // namespace millrace::test
