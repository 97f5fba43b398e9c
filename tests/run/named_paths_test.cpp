// Paths of stores as people and shells write them.
#include "millrace/run/named_paths.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "store/store_fixture.h"

namespace millrace::test {
namespace {

class NamedPathsTest : public DirectoryTest {
 protected:
  const Option store_ = {.name = "store", .field = {}, .value = {}, .help = {}, .use = PathUse::store};
};

TEST_F(NamedPathsTest, AStoreIsKnownWithoutSeparatorsAtItsEnd) {
  for (const char* const end : {"", "/", "//", "/.", "/./"}) {
    const std::vector<NamedPath> paths = paths_of(store_, "--store", directory_ / (std::string("new") + end));
    ASSERT_EQ(paths.size(), 3u);
    EXPECT_EQ(paths[0].used.path, directory_ / "new");
    EXPECT_EQ(paths[1].used.path, directory_ / "new.lock");
    EXPECT_EQ(paths[2].used.path, directory_ / "new.partial");
    EXPECT_NO_THROW(demand_apart(paths)) << end;
  }
}

TEST_F(NamedPathsTest, ALinkToAStoreIsALinkWithASeparatorToo) {
  std::filesystem::create_directory(directory_ / "real");
  std::filesystem::create_directory_symlink("real", directory_ / "link");
  EXPECT_NO_THROW(demand_apart(paths_of(store_, "--store", directory_ / "real/")));
  for (const char* const name : {"link", "link/", "link/."})
    EXPECT_THROW(demand_apart(paths_of(store_, "--store", directory_ / name)), UsageError) << name;
}

}  // namespace
}  // namespace millrace::test
