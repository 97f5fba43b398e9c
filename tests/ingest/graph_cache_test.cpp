#include "millrace/ingest/graph_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "millrace/core/error.h"
#include "millrace/core/temporary_folder.h"
#include "millrace/ingest/generate.h"
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
  GraphCache::Found find(const fs::path& file, const std::string& options = "") {
    return cache_.find(file, options, {}, [&](const fs::path& store) {
      ++made_;
      generate_store({.scale = 6, .edge_factor = 4}, store, {.replace = true});
    });
  }

  TemporaryFolder folder_{fs::temp_directory_path()};
  GraphCache cache_{folder_.path() / "cache"};
  int made_ = 0;
};

TEST_F(GraphCacheTest, MakesAStoreOnceForEachFileAndOptions) {
  const fs::path file = write("edges.txt", "1 2\n");
  const GraphCache::Found first = find(file);
  EXPECT_TRUE(first.made);
  EXPECT_EQ(Store::open(first.store).num_vertices(), 64);
  const GraphCache::Found again = find(file);
  EXPECT_FALSE(again.made);
  EXPECT_EQ(again.store, first.store);
  EXPECT_NE(find(file, "--undirected").store, first.store);
  EXPECT_EQ(made_, 2);
  EXPECT_EQ(cache_.entries().size(), 2);
}

TEST_F(GraphCacheTest, MakesItAgainOnceTheFileHasChanged) {
  const fs::path file = write("edges.txt", "1 2\n");
  const fs::path store = find(file).store;
  EXPECT_FALSE(cache_.entries()[0].stale);
  write("edges.txt", "1 2\n2 3\n");
  EXPECT_TRUE(cache_.entries()[0].stale);
  EXPECT_TRUE(find(file).made);
  fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(1));
  const GraphCache::Found third = find(file);
  EXPECT_TRUE(third.made) << "another time";
  EXPECT_EQ(third.store, store) << "the old one is replaced";
  EXPECT_EQ(cache_.entries().size(), 1);
}

TEST_F(GraphCacheTest, RemovesWhatWasNotUsedForLongest) {
  const fs::path a = write("a.txt", "1 2\n"), b = write("b.txt", "1 2\n"), c = write("c.txt", "1 2\n");
  find(a), find(b);
  const std::uint64_t bytes = cache_.entries()[0].bytes;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(find(a).made);  // used again: b is older now
  EXPECT_EQ(cache_.set_limit(2 * bytes + bytes / 2), 0);
  find(c);
  std::vector<fs::path> left;
  for (const GraphCache::Entry& entry : cache_.entries()) left.push_back(entry.source.filename());
  std::ranges::sort(left);
  EXPECT_EQ(left, (std::vector<fs::path>{"a.txt", "c.txt"}));
  EXPECT_EQ(GraphCache(cache_.folder()).limit(), 2 * bytes + bytes / 2) << "kept for later";
  EXPECT_EQ(cache_.set_limit(0), 2);
  EXPECT_TRUE(cache_.entries().empty());
  EXPECT_TRUE(find(a).too_large);
}

TEST_F(GraphCacheTest, KeepsNothingOfAnImportThatFails) {
  const fs::path file = write("edges.txt", "1 2\n");
  EXPECT_THROW(cache_.find(file, "", {}, [](const fs::path&) { throw BadInputError("no edges"); }), BadInputError);
  EXPECT_TRUE(cache_.entries().empty());
  EXPECT_TRUE(find(file).made);
}

TEST_F(GraphCacheTest, TakesDamagedEntriesForNone) {
  const fs::path file = write("edges.txt", "1 2\n");
  fs::path about = find(file).store;
  about += ".json";
  for (const char* const text :
       {"", "{", "[]", "{\"files\": [], \"options\": \"\"}", "{\"files\": [3], \"options\": \"\"}"}) {
    std::ofstream(about, std::ios::trunc) << text;
    EXPECT_TRUE(cache_.entries().empty()) << text;
    EXPECT_TRUE(find(file).made) << text;
  }
}

TEST_F(GraphCacheTest, RefusesWhatIsNoFile) {
  EXPECT_THROW(find(folder_.path()), UsageError);
  EXPECT_THROW(find("/dev/null"), UsageError);
}

TEST_F(GraphCacheTest, MakesAStoreOnceForTwoWhoAskAtTheSameTime) {
  const fs::path file = write("edges.txt", "1 2\n");
  std::atomic<int> made = 0;
  const auto ask = [&] {
    GraphCache cache(folder_.path() / "cache");
    cache.find(file, "", {}, [&](const fs::path& store) {
      ++made;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      generate_store({.scale = 4}, store, {.replace = true});
    });
  };
  std::thread other(ask);
  ask();
  other.join();
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace millrace
