#include "millrace/core/team.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "millrace/core/error.h"

namespace millrace {
namespace {

TEST(Team, DoesEveryJobOnce) {
  Team team(4);
  std::vector<int> done(4);
  for (int job = 0; job < 1000; ++job) team.run([&](std::size_t i) { ++done[i]; });
  EXPECT_EQ(done, std::vector<int>(4, 1000));
}

std::uint64_t address_space_in_use() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(Team, SaysWhatHelpsWhereThereAreTooManyThreads) {
  const auto without_room = [] {
    // Room for messages, but not for the stacks of so many threads: the C library keeps 40 MiB of earlier ones.
    const std::uint64_t room = address_space_in_use() + (1u << 20);
    const rlimit none{.rlim_cur = room, .rlim_max = room};
    setrlimit(RLIMIT_AS, &none);
    try {
      Team team(64);
    } catch (const IoError& error) {
      std::_Exit(std::string(error.what()).find("cannot start a thread: ") == 0 ? 0 : 2);
    } catch (...) {
    }
    std::_Exit(1);
  };
  ASSERT_EXIT(without_room(), testing::ExitedWithCode(0), "");
}

TEST(Team, MeetsBeforeItGoesOn) {
  Team team(3);
  std::vector<int> written(3), seen(3);
  for (int round = 1; round <= 500; ++round) {
    team.run([&](std::size_t i) {
      written[i] = round;
      team.meet();
      seen[i] = written[0] + written[1] + written[2];
      team.meet();
    });
    ASSERT_EQ(seen, std::vector<int>(3, 3 * round));
  }
}

TEST(Team, ThrowsWhatTheFirstToFailThrew) {
  Team team(4);
  for (std::size_t failing = 0; failing < 4; ++failing) {
    std::atomic<int> passed = 0;
    EXPECT_THROW(team.run([&](std::size_t i) {
      if (i == failing) throw std::runtime_error("broken");
      team.meet();
      ++passed;
    }),
                 std::runtime_error);
    EXPECT_EQ(passed, 0) << "nobody goes on without the one that failed";
    int done = 0;
    team.run([&](std::size_t i) {
      if (i == 0) ++done;
    });
    EXPECT_EQ(done, 1) << "and the next job is done";
  }
}

TEST(Team, FailsAtASecondMeeting) {
  Team team(3);
  EXPECT_THROW(team.run([&](std::size_t i) {
    team.meet();
    if (i == 2) throw std::logic_error("late");
    team.meet();
  }),
               std::logic_error);
}

}  // namespace
}  // namespace millrace
