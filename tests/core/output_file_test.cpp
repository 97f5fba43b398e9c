// Output files appear complete or not at all, in the right place.
#include "millrace/core/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "millrace/core/error.h"
#include "store/store_fixture.h"
#include "support/killed_child.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

std::string text_in(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_text(const fs::path& path, const std::string& text) {
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.close();
}

class OutputFileTest : public DirectoryTest {
 protected:
  fs::path path() const { return directory_ / "ranks.txt"; }
};

TEST_F(OutputFileTest, TheOldFileStandsUntilTheEnd) {
  std::ofstream(path()) << "old";
  fs::permissions(path(), fs::perms::owner_read | fs::perms::owner_write);
  { OutputFile(path()).write("new", 3); }
  EXPECT_EQ(text_in(path()), "old");
  EXPECT_EQ(names_in_directory(), Names{"ranks.txt"});
  write_text(path(), "new");
  EXPECT_EQ(text_in(path()), "new");
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(names_in_directory(), Names{"ranks.txt"});
}

TEST_F(OutputFileTest, AKillAtAnyMomentLeavesOldOrNewAndTheNextOneCleansUp) {
  for (int n = 1;; ++n) {
    std::ofstream(path()) << "old";
    const Child child = run_until_call(n, [&] { write_text(path(), "new"); });
    if (child == Child::cannot_be_traced) GTEST_SKIP() << "processes cannot be traced here";
    EXPECT_TRUE(text_in(path()) == "old" || text_in(path()) == "new") << n << ": " << text_in(path());
    write_text(path(), "next");
    EXPECT_EQ(text_in(path()), "next");
    ASSERT_EQ(names_in_directory(), Names{"ranks.txt"}) << n;
    if (child == Child::ended) {
      EXPECT_GT(n, 5);
      break;
    }
  }
}

TEST_F(OutputFileTest, LinksAreFollowed) {
  fs::create_directory(directory_ / "far");
  fs::create_symlink("far/../far/target", directory_ / "near");
  fs::create_symlink("near", path());
  for (const char* text : {"first", "second"}) {  // first the link leads to nothing, then to a file
    write_text(path(), text);
    EXPECT_TRUE(fs::is_symlink(path()));
    EXPECT_EQ(text_in(directory_ / "far" / "target"), text);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_ / "far"), {}), 1);
  fs::create_symlink("loop", directory_ / "loop");
  EXPECT_THROW(OutputFile(directory_ / "loop"), IoError);
}

TEST_F(OutputFileTest, DevicesAreWrittenToAndNotReplaced) {
  fs::create_symlink("/dev/full", path());
  const auto full = fs::status("/dev/full").type();
  EXPECT_THROW(write_text(path(), "more than a full disk takes"), IoError);
  EXPECT_TRUE(fs::is_symlink(path()));
  EXPECT_EQ(fs::status("/dev/full").type(), full);
}

TEST_F(OutputFileTest, AFifoIsReadWhileItIsWritten) {
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = text_in(path()); });
  write_text(path(), "through a pipe");
  reader.join();
  EXPECT_EQ(read, "through a pipe");
  EXPECT_TRUE(fs::is_fifo(path()));
  EXPECT_EQ(names_in_directory(), Names{"ranks.txt"});
}

// Like /dev/stdout if the shell appends to a file: the earlier content must stay.
TEST_F(OutputFileTest, DescriptorsGoOnWhereTheyAre) {
  std::ofstream(path()) << "before ";
  const Descriptor open_file(open(path().c_str(), O_WRONLY | O_APPEND));
  write_text(fs::path("/dev/fd") / std::to_string(open_file.number()), "after");
  EXPECT_EQ(text_in(path()), "before after");
  EXPECT_EQ(names_in_directory(), Names{"ranks.txt"});
}

TEST_F(OutputFileTest, DirectoriesAreRefusedAtOnce) {
  fs::create_directory(path());
  EXPECT_THROW(OutputFile{path()}, IoError);
  EXPECT_THROW(OutputFile{directory_ / "missing" / "file"}, IoError);
  EXPECT_EQ(names_in_directory(), Names{"ranks.txt"});
}

}  // namespace
}  // namespace millrace::test
