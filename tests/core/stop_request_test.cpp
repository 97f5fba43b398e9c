#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "millrace/core/crew.h"
#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"

namespace millrace::test {
namespace {

TEST(StopRequestTest, IsInForceWhereItWasPutInForce) {
  StopRequest request;
  EXPECT_EQ(StopRequest::current(), nullptr);
  {
    const StopRequest::InForce in_force(&request);
    EXPECT_EQ(StopRequest::current(), &request);
    EXPECT_FALSE(interrupted());
    request.stop();
    EXPECT_TRUE(interrupted());
    EXPECT_THROW(throw_if_interrupted(), InterruptedError);
    {
      const StopRequest::InForce nothing(nullptr);
      EXPECT_FALSE(interrupted());
    }
    EXPECT_TRUE(interrupted());
  }
  EXPECT_FALSE(interrupted());
  EXPECT_TRUE(interrupted(&request)) << "for threads of OpenMP, which know of it by its address";
}

TEST(StopRequestTest, StopsTheWorkOfOneThreadAlone) {
  StopRequest one, other;
  one.stop();
  std::atomic<int> done{0};
  std::thread beside([&] {
    const StopRequest::InForce in_force(&other);
    parallel_for_each(100, [&](std::uint64_t) { ++done; });
  });
  {
    const StopRequest::InForce in_force(&one);
    EXPECT_THROW(parallel_for_each(100, [](std::uint64_t) {}), InterruptedError);
  }
  beside.join();
  EXPECT_EQ(done, 100);
}

TEST(StopRequestTest, HoldsForThreadsThatWorkForIt) {
  StopRequest request;
  const StopRequest::InForce in_force(&request);
  std::atomic<int> knowing{0};
  on_threads(4, [&](const ThreadOf& thread) {
    knowing += StopRequest::current() == &request;
    thread.meet();
  });
  EXPECT_EQ(knowing, 4);
  knowing = 0;
  std::atomic<int> asked{0};
  Crew crew(3);
  crew.run([&] {
    ++asked;
    knowing += StopRequest::current() == &request;
  });
  EXPECT_EQ(knowing, asked.load());
}

}  // namespace
}  // namespace millrace::test
