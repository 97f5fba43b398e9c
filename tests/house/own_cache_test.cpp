#include "support/own_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/environment.h"
#include "support/temp_dir.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

struct OwnCacheTest : testing::Test {
  const Environment of_all_tests{"XDG_CACHE_HOME", "/proc/none"};
  const TempDir folder;
  static std::string cache() { return std::getenv("XDG_CACHE_HOME"); }
};

TEST_F(OwnCacheTest, IsAFolderThatIsThereAlready) {
  const fs::path given = folder.path() / "cache";
  fs::create_directories(given / "of before");
  {
    const OwnCache made(given.c_str());
    EXPECT_EQ(cache(), given.string());
    EXPECT_TRUE(fs::is_empty(given));
  }
  EXPECT_FALSE(fs::exists(given));
}

// No folder is removed by that name, so it is still there when it should be made.
TEST_F(OwnCacheTest, IsAFolderThatCannotBeRemoved) {
  const fs::path given = folder.path() / "cache";
  fs::create_directories(given);
  const OwnCache made((given / ".").c_str());
  EXPECT_TRUE(fs::is_directory(given));
  EXPECT_TRUE(fs::equivalent(cache(), given)) << cache();
}

TEST_F(OwnCacheTest, HasAnAbsolutePath) {
  const fs::path given = fs::relative(folder.path() / "cache");
  ASSERT_TRUE(given.is_relative());
  const OwnCache made(given.c_str());
  EXPECT_TRUE(fs::path(cache()).is_absolute()) << cache();
  EXPECT_TRUE(fs::equivalent(cache(), given)) << cache();
}

TEST_F(OwnCacheTest, IsTemporaryIfNoneIsGiven) {
  std::string path;
  {
    const OwnCache made(nullptr);
    path = cache();
    EXPECT_TRUE(fs::is_directory(path)) << path;
  }
  EXPECT_FALSE(fs::exists(path)) << path;
}

TEST_F(OwnCacheTest, IsNoOtherIfThereIsNoFolder) {
  EXPECT_THROW(OwnCache("/proc/none/cache"), fs::filesystem_error);
  std::ofstream(folder.path() / "file");
  EXPECT_THROW(OwnCache((folder.path() / "file" / "cache").c_str()), fs::filesystem_error);
}

}  // namespace
}  // namespace millrace::test
