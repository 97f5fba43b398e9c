// Writing stores: nothing can be opened before it is finished, and nothing is left if it is not.
#include "millrace/store/writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

#include "millrace/core/error.h"
#include "store/store_fixture.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class WriterTest : public DirectoryTest {
 protected:
  fs::path path() const { return directory_ / "graph"; }
  std::uint64_t edges_at_path() const { return Store::open(path()).num_edges(); }
};

TEST_F(WriterTest, ThereIsNoStoreBeforeCommit) {
  const StoreParts parts = example_parts();
  StoreWriter writer(path(), false);
  write_into(writer, parts);
  EXPECT_THROW(Store::open(path()), BadInputError);
  writer.commit(parts.manifest);
  EXPECT_EQ(edges_at_path(), parts.out.num_edges());
  EXPECT_EQ(names_in_directory(), Names{"graph"});
  EXPECT_FALSE(fs::exists(path() / "lock"));
}

TEST_F(WriterTest, AnAbandonedWriterLeavesNothing) {
  {
    StoreWriter writer(path(), false);
    write_into(writer, example_parts());
  }
  EXPECT_EQ(names_in_directory(), Names{});
}

TEST_F(WriterTest, AnExceptionHalfwayLeavesNothing) {
  const auto fail = [&] {
    StoreWriter writer(path(), false);
    write_into(writer, example_parts());
    throw InternalError("halfway");
  };
  EXPECT_THROW(fail(), InternalError);
  EXPECT_EQ(names_in_directory(), Names{});
}

// While this lives, files may not grow past a limit: to the writer it looks like a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  void (*signal_)(int);
};

TEST_F(WriterTest, AFullDiskLeavesNothingNewAndTheOldStoreAlone) {
  const StoreParts old = example_parts(1), larger = example_parts(2);
  write_store(path(), old);
  // Each limit stops the writer at another file: pages, tables, degrees.
  for (const rlim_t limit : {9000, 500, 100}) {
    std::string message;
    try {
      const FileSizeLimit full(limit);
      write_store(path(), larger, true);
    } catch (const IoError& error) {
      message = error.what();
    }
    EXPECT_NE(message.find("cannot write " + path().string()), std::string::npos) << message;
    EXPECT_EQ(edges_at_path(), old.out.num_edges());
    EXPECT_EQ(names_in_directory(), Names{"graph"});
  }
}

TEST_F(WriterTest, LeftoversOfAKilledWriterAreRemovedByTheNext) {
  const StoreParts parts = example_parts();
  const pid_t child = fork();
  if (child == 0) {
    StoreWriter writer(path(), false);
    write_into(writer, parts);
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_FALSE(names_in_directory().empty());
  EXPECT_THROW(Store::open(path()), BadInputError);

  write_store(path(), parts);
  EXPECT_EQ(edges_at_path(), parts.out.num_edges());
  EXPECT_EQ(names_in_directory(), Names{"graph"});
}

TEST_F(WriterTest, ASecondWriterIsRefusedAndTheFirstUnharmed) {
  const StoreParts parts = example_parts();
  StoreWriter first(path(), false);
  write_into(first, parts);
  for (const bool replace : {false, true}) EXPECT_THROW(StoreWriter(path(), replace), UsageError);
  first.commit(parts.manifest);
  EXPECT_EQ(edges_at_path(), parts.out.num_edges());
}

// Whichever writer wins, there is one complete store at the path, and no writer fails because of another's files.
TEST_F(WriterTest, WritersThatRaceLeaveOneWholeStore) {
  const StoreParts parts = parts_of(make_csr({{1, 2}, {0}, {0}}), {}, false);
  write_store(path(), parts);
  std::atomic<int> committed = 0;
  std::vector<std::string> surprises(3);
  const auto write_often = [&](std::string& surprise) {
    for (int round = 0; round < 500'000 && committed < 600 && surprise.empty(); ++round) {
      try {
        write_store(path(), parts, true);
        ++committed;
      } catch (const UsageError&) {  // another writer was first
        std::this_thread::yield();
      } catch (const std::exception& error) {
        surprise = error.what();
      }
    }
  };
  std::vector<std::thread> writers;
  for (std::string& surprise : surprises) writers.emplace_back(write_often, std::ref(surprise));
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(surprises, std::vector<std::string>(3));
  EXPECT_GE(committed, 600);
  EXPECT_EQ(names_in_directory(), Names{"graph"});
  EXPECT_TRUE(load_csr(Store::open(path()), Orientation::out) == parts.out);
}

TEST_F(WriterTest, AnExistingPathIsReplacedOnlyOnDemand) {
  const StoreParts old = example_parts(1), next = example_parts(2);
  ASSERT_NE(old.out.num_edges(), next.out.num_edges());
  write_store(path(), old);
  EXPECT_THROW(StoreWriter(path(), false), UsageError);
  EXPECT_EQ(edges_at_path(), old.out.num_edges());
  {
    StoreWriter writer(path(), true);
    write_into(writer, next);
    EXPECT_EQ(edges_at_path(), old.out.num_edges());  // the old store can be used until the end
  }
  EXPECT_EQ(edges_at_path(), old.out.num_edges());  // and after a writer has failed
  write_store(path(), next, true);
  EXPECT_EQ(edges_at_path(), next.out.num_edges());
  EXPECT_EQ(names_in_directory(), Names{"graph"});
}

TEST_F(WriterTest, WhatIsNotAStoreIsNeverReplaced) {
  fs::create_directories(path());
  std::ofstream(path() / "thesis.tex") << "years of work";
  EXPECT_THROW(StoreWriter(path(), true), UsageError);
  EXPECT_TRUE(fs::exists(path() / "thesis.tex"));
  EXPECT_EQ(names_in_directory(), Names{"graph"});
}

// Another process puts something at the path while the store is being written.
TEST_F(WriterTest, APathTakenMeanwhileIsNotOverwritten) {
  const StoreParts parts = example_parts();
  {
    StoreWriter writer(path(), false);
    write_into(writer, parts);
    fs::create_directories(path());
    std::ofstream(path() / "thesis.tex") << "years of work";
    EXPECT_THROW(writer.commit(parts.manifest), IoError);
  }
  EXPECT_TRUE(fs::exists(path() / "thesis.tex"));
  EXPECT_EQ(names_in_directory(), Names{"graph"});
}

TEST_F(WriterTest, PathsThatCannotBeWrittenAreRefusedAtOnce) {
  EXPECT_THROW(StoreWriter("", false), UsageError);
  std::ofstream(directory_ / "file") << "x";
  EXPECT_THROW(StoreWriter(directory_ / "file" / "graph", false), IoError);
  EXPECT_EQ(names_in_directory(), Names{"file"});
}

TEST_F(WriterTest, ATrailingSlashMeansTheSamePath) {
  write_store(path() / "", example_parts());
  EXPECT_EQ(names_in_directory(), Names{"graph"});
  EXPECT_NO_THROW(Store::open(path()));
}

TEST_F(WriterTest, DirectoriesOnTheWayAreMade) {
  write_store(directory_ / "a" / "b" / "graph", example_parts());
  EXPECT_NO_THROW(Store::open(directory_ / "a" / "b" / "graph"));
}

// Ids take four bytes if they fit.
TEST_F(WriterTest, IdsTakeAsFewBytesAsTheyNeed) {
  StoreParts parts = parts_of(make_csr({{1}, {0}}), {});
  parts.ids = {};
  write_store(path(), parts, true);
  EXPECT_EQ(Store::open(path()).manifest().ids, IdColumn::identity);
  EXPECT_FALSE(fs::exists(path() / "ids"));
  parts.ids = {7, 0xffff'ffff};
  write_store(path(), parts, true);
  EXPECT_EQ(fs::file_size(path() / "ids"), 8);
  EXPECT_EQ(Store::open(path()).load_ids(unlimited_budget()).original(1), 0xffff'ffff);
  parts.ids = {7, 0x1'0000'0000};
  write_store(path(), parts, true);
  EXPECT_EQ(fs::file_size(path() / "ids"), 16);
  EXPECT_EQ(Store::open(path()).load_ids(unlimited_budget()).original(1), 0x1'0000'0000);
}

}  // namespace
}  // namespace millrace::test
