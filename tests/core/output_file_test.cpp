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

void write_text(const fs::path& path, const std::string& text) { write_output(path, text); }

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
      EXPECT_GT(n, 3);
      break;
    }
  }
}

TEST_F(OutputFileTest, LinksToFilesAreRefused) {
  std::ofstream(directory_ / "target") << "years of work";
  for (const char* target : {"target", "nothing", "ranks.txt", "/tmp"}) {
    fs::remove(path());
    fs::create_symlink(target, path());
    for (const OutputKind kind : {OutputKind::named, OutputKind::own}) try {
        OutputFile file(path(), kind);
        ADD_FAILURE() << target;
      } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find(fmt::format("link to {}", target)), std::string::npos) << error.what();
      }
    EXPECT_THROW(demand_output(path()), UsageError);
    EXPECT_EQ(fs::read_symlink(path()), target);
  }
  EXPECT_EQ(text_in(directory_ / "target"), "years of work");
  EXPECT_EQ(names_in_directory(), (Names{"ranks.txt", "target"}));
}

TEST_F(OutputFileTest, ALinkThatComesMeanwhileIsNotReplaced) {
  OutputFile file(path());
  fs::create_symlink("elsewhere", path());
  EXPECT_THROW(file.close(), UsageError);
  EXPECT_TRUE(fs::is_symlink(path()));
}

TEST_F(OutputFileTest, FilesOfOurOwnAreForTheirOwnerAlone) {
  std::ofstream(path()) << "old";
  fs::permissions(path(), fs::perms(0644));
  for (const char* text : {"first", "second"}) {  // the old file is replaced, then there is none
    write_output(path(), text, OutputKind::own);
    EXPECT_EQ(fs::status(path()).permissions(), fs::perms(0600));
    EXPECT_EQ(text_in(path()), text);
    fs::remove(path());
  }
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_THROW(write_output(path(), "", OutputKind::own), IoError) << "and does not wait";
  fs::remove(path());
  fs::create_symlink("/dev/null", path());
  EXPECT_THROW(write_output(path(), "", OutputKind::own), UsageError);
}

TEST_F(OutputFileTest, TheLongestNamesCanBeWritten) {
  std::string name;
  while (name.size() + 4 <= 250) name += "\xf0\x9f\xa6\x80";  // characters of four bytes
  for (std::size_t more = 0; more <= 255 - 248; ++more) {
    const fs::path file = directory_ / (name + std::string(more, 'x'));
    write_text(file, "first");
    write_text(file, "second");
    EXPECT_EQ(text_in(file), "second");
    EXPECT_EQ(names_in_directory().size(), more + 1);
  }
  EXPECT_THROW(demand_output(directory_ / std::string(256, 'x')), IoError);
}

TEST_F(OutputFileTest, WhatIsDemandedLeavesNothing) {
  demand_output(path());
  std::ofstream(path()) << "old";
  demand_output(path());
  EXPECT_EQ(text_in(path()), "old");
  fs::remove(path());
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  demand_output(path());  // does not wait for a reader
  EXPECT_TRUE(is_stream(path()) && is_stream("-") && is_stream("/dev/null") && is_stream("/dev/stdout"));
  EXPECT_FALSE(is_stream(directory_ / "new") || is_stream(directory_));
  EXPECT_THROW(demand_output(""), UsageError);
  EXPECT_THROW(demand_output(directory_), IoError);
  EXPECT_THROW(demand_output(directory_ / "missing" / "file"), IoError);
  EXPECT_EQ(names_in_directory(), Names{"ranks.txt"});
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
