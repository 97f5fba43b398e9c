#include "millrace/run/graph_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "millrace/build/generate.h"
#include "millrace/core/error.h"
#include "millrace/core/temporary_folder.h"
#include "millrace/read/source_state.h"
#include "millrace/store/store.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

class GraphCacheTest : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    return folder_.path() / name;
  }
  // Whether the store had to be made.
  bool find(const fs::path& file, const std::string& options = "") {
    const int before = made_;
    const GraphCache::Found found = cache_.find({file, options, files_of_graph(file, {}), [&](const fs::path& store) {
                                                   ++made_;
                                                   generate_store({.scale = 6, .edge_factor = 4}, store, {});
                                                 }});
    EXPECT_EQ(found.store.num_vertices(), 64);
    kept_ = found.kept;
    return made_ > before;
  }
  std::vector<fs::path> left_in_folder() const {
    std::vector<fs::path> left;
    for (const fs::directory_entry& entry : fs::directory_iterator(cache_.folder()))
      left.push_back(entry.path().filename());
    return left;
  }

  TemporaryFolder folder_{fs::temp_directory_path()};
  GraphCache cache_{folder_.path() / "cache"};
  int made_ = 0;
  bool kept_ = true;  // the last one
};

TEST_F(GraphCacheTest, MakesAStoreOnceForEachFileAndOptions) {
  const fs::path file = write("edges.txt", "1 2\n");
  EXPECT_TRUE(find(file));
  EXPECT_FALSE(find(file));
  fs::create_symlink(file, folder_.path() / "link.txt");
  EXPECT_FALSE(find(folder_.path() / "link.txt")) << "the same file";
  EXPECT_TRUE(find(file, "--undirected"));
  EXPECT_EQ(cache_.entries().size(), 2);
}

TEST_F(GraphCacheTest, MakesItAgainOnceTheFileHasChanged) {
  const fs::path file = write("edges.txt", "1 2\n");
  find(file);
  EXPECT_FALSE(cache_.entries()[0].stale);
  write("edges.txt", "1 2\n2 3\n");
  EXPECT_TRUE(cache_.entries()[0].stale);
  EXPECT_TRUE(find(file));
  EXPECT_EQ(cache_.entries().size(), 1) << "the old one is replaced";
}

TEST_F(GraphCacheTest, MakesItAgainOnceTheContentHasChangedThoughSizeAndTimeHaveNot) {
  const fs::path file = write("edges.txt", "1 2\n");
  const fs::file_time_type time = fs::last_write_time(file);
  find(file);
  write("edges.txt", "1 3\n");  // in place: the same number in the file system
  fs::last_write_time(file, time);
  EXPECT_TRUE(cache_.entries()[0].stale);
  EXPECT_TRUE(find(file));
  fs::rename(write("other.txt", "1 4\n"), file);
  fs::last_write_time(file, time);
  EXPECT_TRUE(find(file)) << "another file of that name";
  EXPECT_FALSE(find(file));
}

TEST_F(GraphCacheTest, KeepsItWhileTheContentIsTheSame) {
  const fs::path file = write("edges.txt", "1 2\n");
  find(file);
  fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(1));
  EXPECT_FALSE(find(file)) << "another time";
  fs::permissions(file, fs::perms::owner_read);
  EXPECT_FALSE(find(file)) << "other attributes";
  fs::rename(write("other.txt", "1 2\n"), file);
  EXPECT_FALSE(cache_.entries()[0].stale);
  EXPECT_FALSE(find(file)) << "another file with the same content";
  const std::string state = state_of_files({file});
  EXPECT_TRUE(find(file, state)) << "other options";
  EXPECT_EQ(same_files(state + "the rest", {file})->rest, "the rest");
  EXPECT_EQ(same_files(state, {file})->state, state);
  fs::resize_file(file, 3);
  EXPECT_FALSE(same_files(state, {file}));
}

TEST_F(GraphCacheTest, SeesAChangeThatFollowsAnotherAtOnce) {
  for (int turn = 0; turn < 20; ++turn) {
    const fs::path file = write("edges.txt", "1 2\n");
    const auto change = [&](const fs::path& store) {
      write("edges.txt", "1 3\n");
      generate_store({.scale = 4}, store, {});
    };
    EXPECT_THROW(cache_.find({file, "", files_of_graph(file, {}), change}), BadInputError);
  }
}

TEST_F(GraphCacheTest, DoesNotReadTheContentOfLargeFilesButMakesTheirStoresAgain) {
  const fs::path file = write("edges.txt", "1 2\n");
  fs::resize_file(file, (1u << 30) + 1);  // it takes no room on the disk
  find(file);
  EXPECT_FALSE(find(file));
  fs::permissions(file, fs::perms::owner_read);
  EXPECT_TRUE(find(file));
}

TEST_F(GraphCacheTest, HeedsAllFilesOfAGraph) {
  write("g.properties", "graph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\ngraph.g.directed = true\n");
  write("g.v", "1\n2\n");
  const fs::path edges = write("g.e", "1 2\n");
  EXPECT_EQ(files_of_graph(edges, {}).size(), 4) << "the edges twice, as given and as named";
  EXPECT_TRUE(find(edges));
  EXPECT_FALSE(find(edges));
  write("g.v", "1\n2\n3\n");
  EXPECT_TRUE(find(edges));
}

TEST_F(GraphCacheTest, RemovesWhatWasNotUsedForLongest) {
  const fs::path a = write("a.txt", "1 2\n"), b = write("b.txt", "1 2\n"), c = write("c.txt", "1 2\n");
  find(a), find(b);
  const std::uint64_t bytes = cache_.entries()[0].bytes;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(find(a));  // used again: b is older now
  EXPECT_EQ(cache_.set_limit(2 * bytes + bytes / 2).stores, 0);
  find(c);
  std::vector<fs::path> left;
  for (const GraphCache::Entry& entry : cache_.entries()) left.push_back(entry.source.filename());
  std::ranges::sort(left);
  EXPECT_EQ(left, (std::vector<fs::path>{"a.txt", "c.txt"}));
  EXPECT_EQ(GraphCache(cache_.folder()).limit(), 2 * bytes + bytes / 2) << "kept for later";
}

TEST_F(GraphCacheTest, KeepsTheOthersIfOneAloneExceedsTheLimit) {
  const fs::path a = write("a.txt", "1 2\n"), b = write("b.txt", "1 2\n");
  find(a);
  std::ofstream(cache_.folder() / "limit", std::ios::trunc) << "{\"bytes\": 100}";
  find(b);
  EXPECT_FALSE(kept_);
  ASSERT_EQ(cache_.entries().size(), 1);
  EXPECT_EQ(cache_.entries()[0].source.filename(), "a.txt");
  for (const char* const text : {"", "x", "{\"bytes\": -5}", "{\"bytes\": \"a\"}"}) {
    std::ofstream(cache_.folder() / "limit", std::ios::trunc) << text;
    EXPECT_EQ(cache_.limit(), GraphCache::default_limit) << text;
  }
}

TEST_F(GraphCacheTest, KeepsNothingOfAnImportThatFails) {
  const fs::path file = write("edges.txt", "1 2\n");
  const auto fail = [](const fs::path&) { throw BadInputError("no edges"); };
  EXPECT_THROW(cache_.find({file, "", files_of_graph(file, {}), fail}), BadInputError);
  EXPECT_TRUE(left_in_folder().empty());
  EXPECT_TRUE(find(file));
  write("edges.txt", "garbage\n");
  EXPECT_THROW(cache_.find({file, "", files_of_graph(file, {}), fail}), BadInputError);
  EXPECT_TRUE(left_in_folder().empty()) << "nor of the store that was there before";
}

TEST_F(GraphCacheTest, RefusesAFileThatChangesMeanwhile) {
  const fs::path file = write("edges.txt", "1 2\n");
  const auto change = [&](const fs::path& store) {
    write("edges.txt", "1 2\n2 3\n");
    generate_store({.scale = 4}, store, {});
  };
  EXPECT_THROW(cache_.find({file, "", files_of_graph(file, {}), change}), BadInputError);
  EXPECT_TRUE(left_in_folder().empty());
}

TEST_F(GraphCacheTest, MakesADamagedOneAgain) {
  const fs::path file = write("edges.txt", "1 2\n");
  find(file);
  const fs::path store = cache_.entries()[0].store;
  fs::path about = store;
  about += ".json";
  for (const char* const text :
       {"", "{", "[]", "{\"state\": 3}", R"({"state": "", "options": "", "files": ["%zz"]})"}) {
    std::ofstream(about, std::ios::trunc) << text;
    EXPECT_TRUE(cache_.entries().empty()) << text;
    EXPECT_TRUE(find(file)) << text;
  }
  std::ofstream(store / "manifest.json", std::ios::trunc) << "{}";
  EXPECT_TRUE(find(file));
  EXPECT_FALSE(find(file));
}

TEST_F(GraphCacheTest, ClearsWhatKilledImportsLeft) {
  find(write("edges.txt", "1 2\n"));
  const fs::path store = cache_.entries()[0].store;
  fs::path about = store;
  about += ".json";
  fs::remove(about);  // as if the process had ended before it was written
  EXPECT_TRUE(cache_.entries().empty());
  EXPECT_EQ(cache_.clear().stores, 0);
  EXPECT_TRUE(left_in_folder().empty());
}

TEST_F(GraphCacheTest, TakesAnyNameOfAFile) {
  for (const std::string name : {"\xe9t\xe9.txt", "a, b, file 3.txt", "100%41.txt", "line\nbreak.txt"}) {
    const fs::path file = write(name, "1 2\n");
    EXPECT_TRUE(find(file)) << name;
    EXPECT_FALSE(find(file)) << name;
    EXPECT_EQ(cache_.entries()[0].source, file);
    EXPECT_FALSE(cache_.entries()[0].stale) << name;
  }
}

TEST_F(GraphCacheTest, RefusesWhatIsNoFile) {
  EXPECT_THROW(find(folder_.path()), UsageError);
  EXPECT_THROW(find("/dev/null"), UsageError);
}

TEST_F(GraphCacheTest, MakesAStoreOnceForTwoWhoAskAtTheSameTime) {
  const fs::path file = write("edges.txt", "1 2\n");
  std::atomic<int> made = 0, waited = 0;
  const auto ask = [&] {
    GraphCache cache(folder_.path() / "cache");
    const auto make = [&](const fs::path& store) {
      ++made;
      // Until the other one waits; where it makes a store too, nobody waits for it.
      for (int i = 0; i < 30'000 && waited == 0 && made == 1; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      generate_store({.scale = 4}, store, {});
    };
    cache.find({file, "", files_of_graph(file, {}), make, [&] { ++waited; }});
  };
  std::thread other(ask);
  ask();
  other.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(waited, 1);
}

}  // namespace
}  // namespace millrace
