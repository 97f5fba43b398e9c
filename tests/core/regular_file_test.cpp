// Only regular files are opened, and opening never waits.
#include "millrace/core/regular_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "millrace/core/error.h"
#include "support/temp_dir.h"

namespace millrace {
namespace {

TEST(RegularFile, IsOpened) {
  const test::TempDir directory;
  std::ofstream(directory / "file") << "text";
  std::filesystem::create_symlink("file", directory / "link");
  for (const char* const name : {"file", "link"}) {
    const int descriptor = open_regular(directory / name);
    ASSERT_GE(descriptor, 0);
    EXPECT_EQ(fcntl(descriptor, F_GETFL) & O_NONBLOCK, 0);
    EXPECT_NE(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, 0);
    close(descriptor);
  }
  EXPECT_EQ(open_regular(directory / "absent"), -1);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(open_regular(directory / "file" / "below"), -1);
  EXPECT_EQ(errno, ENOTDIR);
}

TEST(RegularFile, NothingElseIs) {
  const test::TempDir directory;
  ASSERT_EQ(mkfifo((directory / "fifo").c_str(), 0600), 0);
  EXPECT_THROW(open_regular(directory / "fifo"), BadInputError);  // and does not wait
  EXPECT_THROW(open_regular(directory.path()), BadInputError);
  EXPECT_THROW(open_regular("/dev/null"), BadInputError);
}

TEST(PathExists, OrNot) {
  const test::TempDir directory;
  EXPECT_TRUE(path_exists(directory.path()));
  EXPECT_FALSE(path_exists(directory / "absent"));
  EXPECT_THROW(path_exists(directory / std::string(5000, 'x')), IoError);  // too long a name for any file
}

}  // namespace
}  // namespace millrace
