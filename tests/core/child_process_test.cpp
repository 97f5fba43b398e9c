// Child processes: the parent gets what they return and write, and learns how they ended.
#include "millrace/core/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "millrace/core/error.h"

namespace millrace {
namespace {

TEST(ChildProcess, ReturnsAndWrites) {
  const SharedMemory shared(sizeof(int));
  auto* const number = static_cast<int*>(shared.data());
  int own = 1;
  EXPECT_EQ(run_in_child([&] { return *number = ++own, 7; }), 7);
  EXPECT_EQ(*number, 2);
  EXPECT_EQ(own, 1) << "what is not shared is a copy";
  EXPECT_EQ(run_in_child([] { return 0; }), 0);
}

TEST(ChildProcess, ThatASignalEndedIsAnError) {
  EXPECT_THROW(run_in_child([] { return raise(SIGKILL); }), IoError);
}

}  // namespace
}  // namespace millrace
