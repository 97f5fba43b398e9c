#include "millrace/derive/hidden_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "support/temp_dir.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

// As if it had been made at this time.
void make_at(const fs::path& folder, std::time_t seconds) {
  const timespec times[2] = {{seconds, 0}, {seconds, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, folder.c_str(), times, 0), 0);
}
constexpr std::time_t years_ago = 1'000'000'000, years_ahead = 10'000'000'000;

TEST(HiddenFolder, IsRemovedWithAllThatIsInIt) {
  const TempDir parent;
  {
    const HiddenFolder folder(parent.path());
    fs::create_directory(folder.path() / "graph.store");
    std::ofstream(folder.path() / "graph.store/out.pages") << "pages";
  }
  EXPECT_TRUE(fs::is_empty(parent.path()));
}

TEST(HiddenFolder, OfAProcessThatWasKilledIsRemovedByTheNext) {
  const TempDir parent;
  const fs::path left = parent / "millrace-hidden-abcdef", fresh = parent / "millrace-hidden-fedcba",
                 foreign = parent / "millrace-thesis";
  for (const fs::path& folder : {left, fresh, foreign}) {
    fs::create_directory(folder);
    std::ofstream(folder / "lock") << "";
    std::ofstream(folder / "data") << "data";
  }
  make_at(left, years_ago);
  make_at(fresh, years_ahead);  // however long this test takes
  make_at(foreign, years_ago);
  fs::create_directory_symlink(foreign, parent / "millrace-hidden-link");
  const HiddenFolder held(parent.path());
  make_at(held.path(), years_ago);
  const HiddenFolder next(parent.path());
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(fresh / "data")) << "its lock may not be held yet";
  EXPECT_TRUE(fs::exists(foreign / "data"));
  EXPECT_TRUE(fs::exists(held.path())) << "it is in use";
  EXPECT_NE(held.path(), next.path());
}

}  // namespace
}  // namespace millrace::test
