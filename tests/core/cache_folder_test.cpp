// The cache is for its owner alone, and nothing in it leads elsewhere.
#include "millrace/core/cache_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "millrace/core/error.h"
#include "store/store_fixture.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

class CacheFolderTest : public DirectoryTest {
 protected:
  CacheFolderTest() : mask_(umask(0)) {}
  ~CacheFolderTest() override { umask(mask_); }
  fs::path cache() const { return directory_ / "cache" / "millrace"; }
  static fs::perms mode(const fs::path& path) { return fs::symlink_status(path).permissions(); }
  void write(const fs::path& file) {
    std::ofstream(file) << "text";
    fs::permissions(file, fs::perms(0666));
  }

 private:
  mode_t mask_;  // of the process
};

TEST_F(CacheFolderTest, IsPrivateWhateverTheUmask) {
  for (const mode_t mask : {0, 022, 0277}) {
    umask(mask);
    const fs::path folder = cache() / std::to_string(mask);
    make_private_folder(folder);
    EXPECT_EQ(mode(folder), fs::perms(0700)) << mask;
    write_cache_file(folder / "file", "text");
    EXPECT_EQ(mode(folder / "file"), fs::perms(0600)) << mask;
    umask(0);
  }
}

TEST_F(CacheFolderTest, TakesRightsAwayFromAnOlderOne) {
  fs::create_directories(cache() / "graphs" / "x.store");
  for (const fs::path& folder : {cache(), cache() / "graphs", cache() / "graphs" / "x.store"})
    fs::permissions(folder, fs::perms(0777));
  write(cache() / "last-run.json"), write(cache() / "graphs" / "x.store" / "ids");
  write(directory_ / "outside");
  fs::create_symlink(directory_ / "outside", cache() / "link");
  make_private_folder(cache());
  EXPECT_EQ(mode(cache()), fs::perms(0700));
  EXPECT_EQ(mode(cache() / "graphs" / "x.store"), fs::perms(0700));
  EXPECT_EQ(mode(cache() / "graphs" / "x.store" / "ids"), fs::perms(0600));
  EXPECT_EQ(mode(cache() / "last-run.json"), fs::perms(0600));
  EXPECT_EQ(mode(directory_ / "outside"), fs::perms(0666)) << "links are not followed";
}

TEST_F(CacheFolderTest, IsNoLinkNoFileAndNobodyElses) {
  fs::create_directories(directory_ / "real");
  fs::create_directories(cache().parent_path());
  fs::create_symlink(directory_ / "real", cache());
  EXPECT_THROW(make_private_folder(cache()), IoError);
  EXPECT_THROW(write_cache_file(cache() / "file", "text"), IoError);
  EXPECT_TRUE(fs::is_empty(directory_ / "real"));
  fs::remove(cache());
  write(cache());
  EXPECT_THROW(make_private_folder(cache()), IoError);
  fs::remove(cache());
  fs::create_directory(cache());
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ASSERT_EQ(chown(cache().c_str(), 65534, 65534), 0);
  fs::permissions(cache(), fs::perms(0777));
  EXPECT_THROW(make_private_folder(cache()), IoError);
  EXPECT_THROW(demand_own_folder(cache()), IoError);
  EXPECT_EQ(mode(cache()), fs::perms(0777));
}

TEST_F(CacheFolderTest, NothingIsWrittenThroughWhatIsInTheWay) {
  make_private_folder(cache());
  write(directory_ / "precious");
  const fs::path file = cache() / "last-run.json";
  fs::create_symlink(directory_ / "precious", file);
  const auto refuses = [&](const char* what) {
    try {
      write_cache_file(file, "report");
      ADD_FAILURE() << what;
    } catch (const IoError& error) {
      EXPECT_NE(std::string(error.what()).find("cache clear"), std::string::npos) << error.what();
    }
    EXPECT_TRUE(fs::remove(file)) << what;
  };
  refuses("a link to a file");
  fs::create_symlink("nowhere", file);
  refuses("a link to nothing");
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  refuses("a pipe, without waiting for a reader");
  fs::create_directory(file);
  refuses("a folder");
  EXPECT_EQ(fs::file_size(directory_ / "precious"), 4);
  write_cache_file(file, "report");
  EXPECT_EQ(fs::file_size(file), 6);
}

}  // namespace
}  // namespace millrace::test
