// Files of others in the way of a store, in every place where a store is written: errors name them, and they stay
// unchanged.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <map>

#include "millrace/core/error.h"
#include "millrace/store/own_files.h"
#include "store/store_fixture.h"
#include "support/killed_child.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

void write_text(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

std::string text_in(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class ForeignFiles : public DirectoryTest {
 protected:
  fs::path path() const { return directory_ / "graph"; }
  fs::path partial() const { return directory_ / "graph.partial"; }
  fs::path lock() const { return directory_ / "graph.lock"; }

  // Everything below the directory: the kind of each entry, and hashes of file contents.
  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
      std::string what = std::to_string(static_cast<int>(entry.symlink_status().type()));
      if (entry.is_symlink()) what += fs::read_symlink(entry).string();
      if (fs::is_regular_file(entry.symlink_status()))
        what += " " + std::to_string(std::hash<std::string>()(text_in(entry)));
      found[entry.path().string()] = what;
    }
    return found;
  }

  // A writer is refused with a message that has all `words`, and changes nothing.
  void expect_refusal(bool replace, const std::vector<std::string>& words, const WriterOptions& options = {}) {
    const auto before = everything();
    try {
      StoreWriter(path(), {.replace = replace, .stripes = options.stripes});
      ADD_FAILURE() << "was not refused: " << words.front();
    } catch (const UsageError& error) {
      for (const std::string& word : words)
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
    EXPECT_EQ(everything(), before);
  }

  void write_striped(bool replace) {
    const StoreParts parts = example_parts();
    StoreWriter writer(path(), {.replace = replace, .stripes = {directory_ / "disk"}});
    writer.make_scratch(directory_ / "temp");
    write_into(writer, parts);
    writer.commit(parts.manifest);
  }

  // A writer that is killed after it has written some of its files.
  void kill_writer() {
    const pid_t child = fork();
    if (child == 0) {
      StoreWriter writer(path(), false);
      write_into(writer, example_parts());
      raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(fs::exists(partial()));
    ASSERT_TRUE(fs::exists(lock()));
  }
};

TEST_F(ForeignFiles, UnderTheNameOfTheLock) {
  write_text(directory_ / "precious", "years of work");
  const std::vector<std::function<void()>> things = {
      [&] { fs::create_symlink(directory_ / "precious", lock()); },
      [&] { fs::create_symlink(directory_ / "nothing", lock()); },
      [&] { fs::create_directory(lock()); },
      [&] { mkfifo(lock().c_str(), 0600); },
      [&] { write_text(lock(), ""); },  // also the lock of a version that wrote nothing into it
      [&] { write_text(lock(), "{\"packages\": {}}\n"); },
      [&] { write_text(lock(), "Millrace: the lock of another\n"); },
      [&] { write_text(lock(), "Millrace: the lock of graph\nand more"); },
  };
  for (const auto& make : things) {
    make();
    expect_refusal(false, {lock().string(), "remove"});
    fs::remove_all(lock());
  }
  write_store(path(), example_parts());
  EXPECT_FALSE(fs::exists(lock()));
}

TEST_F(ForeignFiles, UnderTheNameOfThePartialStore) {
  write_text(directory_ / "precious" / "thesis.tex", "years of work");
  const std::vector<std::function<void()>> things = {
      [&] { write_text(partial(), "years of work"); },
      [&] { fs::create_symlink(directory_ / "precious", partial()); },
      [&] { fs::create_symlink(directory_ / "nothing", partial()); },
      [&] { fs::create_directory(partial()); },
      [&] { write_text(partial() / "thesis.tex", "years of work"); },
      [&] { write_text(partial() / "millrace-partial", "Millrace: a store in the making, another\n"); },
      [&] { write_text(partial() / "millrace-partial", ""); },
      [&] { write_store(partial(), example_parts()); },  // a store to which a user gave this name
  };
  for (const auto& make : things) {
    make();
    expect_refusal(false, {partial().string(), "remove"});
    fs::remove_all(partial());
  }
  write_store(path(), example_parts());
  EXPECT_FALSE(fs::exists(partial()));
}

TEST_F(ForeignFiles, InWhatAKilledWriterLeft) {
  kill_writer();
  fs::remove(lock());  // the next writer removes it, even if it is refused
  write_text(partial() / "thesis.tex", "years of work");
  fs::create_directory(partial() / "figures");
  expect_refusal(false, {"thesis.tex", "figures", "move them"});
  fs::remove_all(partial() / "figures");
  fs::remove(partial() / "thesis.tex");
  write_store(path(), example_parts());
  EXPECT_EQ(names_in_directory(), Names{"graph"});
}

TEST_F(ForeignFiles, WhatAKilledWriterLeftIsKnownInADirectoryThatWasRenamed) {
  fs::create_directory(directory_ / "before");
  const fs::path home = directory_;
  directory_ = home / "before";
  kill_writer();
  directory_ = home;
  fs::rename(home / "before", home / "after");
  write_store(home / "after" / "graph", example_parts());
  EXPECT_EQ(std::distance(fs::directory_iterator(home / "after"), {}), 1);
}

TEST_F(ForeignFiles, PutIntoAPartialStoreOutliveAWriterThatGivesUp) {
  {
    StoreWriter writer(path(), false);
    write_into(writer, example_parts());
    write_text(partial() / "thesis.tex", "years of work");
  }
  EXPECT_EQ(text_in(partial() / "thesis.tex"), "years of work");
  EXPECT_FALSE(fs::exists(partial() / "out.pages"));
  expect_refusal(false, {(partial() / "thesis.tex").string()});
}

TEST_F(ForeignFiles, FoldersThatAreNoStoresAreNotReplaced) {
  const std::vector<std::string> manifests = {
      R"({"name": "an extension", "version": 1})",
      R"({"format": "millrace-stores", "version": 1})",
      R"({"x": {"format": "millrace-store", "version": 1}})",
      R"([{"format": "millrace-store", "version": 1}])",
      R"({"format": "millrace-store"})",
      "",
      std::string(1 << 20, '['),
  };
  for (const std::string& manifest : manifests) {
    write_text(path() / "manifest.json", manifest);
    expect_refusal(true, {"not a store"});
  }
  write_text(path() / "manifest.json", R"({"format": "millrace-store", "version": 2, "vertices": 1})");
  expect_refusal(true, {"version 2", "remove it yourself"});
  fs::remove_all(path());
  write_text(path(), "a file");
  expect_refusal(true, {"not a store"});
}

TEST_F(ForeignFiles, InAStoreKeepItFromBeingReplaced) {
  write_store(path(), example_parts());
  write_text(path() / "learned.json", "{}");  // runs write this one
  const std::vector<std::function<void()>> things = {
      [&] { write_text(path() / "notes.txt", "mine"); },
      [&] { write_text(path() / "out.pages.old", "mine"); },
      [&] { write_text(path() / "edges", "mine"); },
      [&] { write_text(path() / "scratch" / "edges", "mine"); },
      [&] { fs::create_symlink(directory_, path() / "names"); },
      [&] { write_text(path() / "names", "of a name that stores may use, but not this one"); },
  };
  for (const auto& make : things) {
    make();
    expect_refusal(true, {"move them elsewhere"});
    fs::remove_all(path() / "names");
    for (const fs::path& foreign : foreign_files(path(), Folder::store)) fs::remove_all(foreign);
  }
  for (int i = 0; i < 9; ++i) write_text(path() / ("note" + std::to_string(i)), "mine");
  expect_refusal(true, {(path() / "note0").string(), (path() / "note2").string(), "and 6 more"});
  for (int i = 0; i < 9; ++i) fs::remove(path() / ("note" + std::to_string(i)));
  write_store(path(), example_parts(2), true);
  EXPECT_EQ(names_in_directory(), Names{"graph"});
  EXPECT_FALSE(fs::exists(path() / "learned.json"));
}

TEST_F(ForeignFiles, InAStripeKeepItFromBeingReplaced) {
  write_striped(false);
  const fs::path stripe = fs::directory_iterator(directory_ / "disk")->path();
  write_text(stripe / "notes.txt", "mine");
  expect_refusal(true, {(stripe / "notes.txt").string()});
  fs::remove(stripe / "notes.txt");
  write_striped(true);
  EXPECT_FALSE(fs::exists(stripe));
}

TEST_F(ForeignFiles, DamagedStoresCanBeReplaced) {
  write_store(path(), example_parts());
  std::string manifest = text_in(path() / "manifest.json");
  write_text(path() / "manifest.json", manifest.substr(0, manifest.size() / 2));
  fs::remove(path() / "out.table");
  write_store(path(), example_parts(2), true);
  EXPECT_NO_THROW(Store::open(path()));
}

TEST_F(ForeignFiles, LinksToStoresAreNotReplaced) {
  write_store(directory_ / "real", example_parts());
  fs::create_symlink("real", path());
  expect_refusal(true, {"is a link to real"});
  expect_refusal(false, {"exists already"});
  fs::remove(path());
  fs::create_symlink("nothing", path());
  expect_refusal(true, {"is a link to nothing"});
  expect_refusal(false, {"exists already"});
}

TEST_F(ForeignFiles, PutIntoAStoreWhileItIsReplacedGoToTheNewOne) {
  write_store(path(), example_parts());
  const StoreParts next = example_parts(2);
  StoreWriter writer(path(), true);
  write_into(writer, next);
  write_text(path() / "notes.txt", "mine");
  writer.commit(next.manifest);
  EXPECT_EQ(Store::open(path()).num_edges(), next.out.num_edges());
  EXPECT_EQ(text_in(path() / "notes.txt"), "mine");
  EXPECT_EQ(names_in_directory(), Names{"graph"});
}

TEST_F(ForeignFiles, AStoreThatBecomesSomethingElseMeanwhileIsNotReplaced) {
  write_store(path(), example_parts());
  {
    StoreWriter writer(path(), true);
    write_into(writer, example_parts());
    fs::remove_all(path());
    write_text(path() / "thesis.tex", "years of work");
    EXPECT_THROW(writer.commit(example_parts().manifest), UsageError);
  }
  EXPECT_EQ(text_in(path() / "thesis.tex"), "years of work");
  EXPECT_EQ(names_in_directory(), Names{"graph"});
}

// After a kill at any system call there is the old store, the new one or none, and nothing that a user must remove.
TEST_F(ForeignFiles, AreNotWhatAWriterLeavesThatIsKilledAtAnyMoment) {
  write_text(directory_ / "temp" / "thesis.tex", "years of work");
  for (const bool replace : {false, true})
    for (int n = 1;; ++n) {
      if (replace) write_striped(fs::exists(path()));
      const Child child = run_until_call(n, [&] { write_striped(replace); });
      if (child == Child::cannot_be_traced) GTEST_SKIP() << "processes cannot be traced here";
      if (replace || fs::exists(path())) {
        ASSERT_NO_THROW(Store::open(path())) << n;
      }
      ASSERT_NO_THROW(write_striped(fs::exists(path()))) << n;
      ASSERT_EQ(std::ranges::count_if(names_in_directory(), [](auto& name) { return name.starts_with("graph"); }), 1)
          << n;
      ASSERT_EQ(std::distance(fs::directory_iterator(directory_ / "disk"), {}), 1) << n;
      ASSERT_EQ(std::distance(fs::directory_iterator(directory_ / "temp"), {}), 1) << n;
      if (!replace) fs::remove_all(path()), fs::remove_all(directory_ / "disk");
      if (child == Child::ended) {
        EXPECT_GT(n, 50);
        break;
      }
    }
  EXPECT_EQ(text_in(directory_ / "temp" / "thesis.tex"), "years of work");
}

#ifdef __x86_64__
// A disk fails once, at any call: either there is the new store, or there is an error and all is as it was.
TEST_F(ForeignFiles, AreNotWhatAWriterLeavesWhoseDiskFails) {
  const auto write = [&](bool replace) {
    try {
      write_store(path(), example_parts(replace ? 2 : 1), replace);
      return 0;
    } catch (const std::exception&) {
      return 1;
    }
  };
  for (const bool replace : {false, true})
    for (int n = 1;; ++n) {
      if (replace && !fs::exists(path())) write(false);
      const auto before = everything();
      const std::optional<Failed> failed = run_with_failing_call(n, [&] { return write(replace); });
      if (!failed) GTEST_SKIP() << "processes cannot be traced here";
      const std::string where = fmt::format("call {}, number {}", n, failed->call);
      ASSERT_TRUE(failed->exit == 0 || failed->exit == 1) << where;
      if (failed->exit == 1) {
        ASSERT_EQ(everything(), before) << where;
      } else {
        EXPECT_NO_THROW(Store::open(path())) << where;
        ASSERT_EQ(write(true), 0) << where << ": the next writer";  // it removes what could not be removed
        ASSERT_EQ(names_in_directory(), Names{"graph"}) << where;
        fs::remove_all(path());
      }
      if (failed->call < 0) {
        EXPECT_GT(n, 30);
        break;
      }
    }
}
#endif

}  // namespace
}  // namespace millrace::test
