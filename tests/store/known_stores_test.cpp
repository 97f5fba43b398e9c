// Known stores: those that this user's Millrace made or checked, as long as no file of them changes.
#include "millrace/store/known_stores.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "millrace/store/fleeting.h"
#include "millrace/store/store_files.h"
#include "store/store_fixture.h"
#include "support/environment.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

class KnownStores : public DirectoryTest {
 protected:
  void SetUp() override {
    DirectoryTest::SetUp();
    cache_.emplace("XDG_CACHE_HOME", (directory_ / "cache").string());
    write_store(path(), example_parts());
  }
  fs::path path() const { return directory_ / "graph"; }
  static bool known(const fs::path& path) { return is_known(Store::open(path).files()); }
  static bool remember_now(const fs::path& path) {
    const Store store = Store::open(path);
    return remember(store.files(), identity_of(store.files()));
  }
  // The only record.
  fs::path record() const { return fs::directory_iterator(known_stores_folder())->path(); }

  std::optional<Environment> cache_;
};

// Writes the same bytes again. The clock of file systems may be coarse.
void write_again(const fs::path& file) {
  const auto before = fs::last_write_time(file);
  while (fs::last_write_time(file) == before) write_file(file, read_file(file));
}

TEST_F(KnownStores, AreThoseThatWereMadeHere) {
  EXPECT_TRUE(known(path()));
  EXPECT_EQ(fs::status(known_stores_folder()).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(record()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(KnownStores, MayMoveAndBeReplaced) {
  fs::rename(path(), directory_ / "moved");
  EXPECT_TRUE(known(directory_ / "moved"));
  write_store(path(), example_parts(2));
  write_store(path(), example_parts(3), true);
  EXPECT_TRUE(known(path()));
  EXPECT_TRUE(known(directory_ / "moved"));
}

TEST_F(KnownStores, AreNoCopies) {
  fs::copy(path(), directory_ / "copy", fs::copy_options::recursive);
  for (const auto& file : fs::directory_iterator(path()))
    fs::last_write_time(directory_ / "copy" / file.path().filename(), fs::last_write_time(file.path()));
  EXPECT_FALSE(known(directory_ / "copy"));
  EXPECT_TRUE(remember_now(directory_ / "copy"));
  EXPECT_TRUE(known(directory_ / "copy"));
  EXPECT_TRUE(known(path()));
}

TEST_F(KnownStores, AreUnknownOnceAFileWasWritten) {
  for (const auto& file : fs::directory_iterator(path())) {
    SCOPED_TRACE(file.path().filename());
    ASSERT_TRUE(remember_now(path()));
    ASSERT_TRUE(known(path()));
    write_again(file.path());
    EXPECT_FALSE(known(path()));
  }
}

TEST_F(KnownStores, AreUnknownEvenIfTheTimeOfAFileWasSetBack) {
  const auto before = fs::last_write_time(path() / "ids");
  write_again(path() / "ids");
  fs::last_write_time(path() / "ids", before);
  EXPECT_FALSE(known(path()));
}

TEST_F(KnownStores, AreUnknownIfAFileBecomesAnother) {
  fs::copy(path() / "out.pages", directory_ / "pages");
  fs::rename(directory_ / "pages", path() / "out.pages");
  EXPECT_FALSE(known(path()));
}

TEST_F(KnownStores, AreNotRememberedIfTheyChangedMeanwhile) {
  const std::string identity = identity_of(Store::open(path()).files());
  write_again(path() / "in.pages");
  const Store store = Store::open(path());
  EXPECT_FALSE(remember(store.files(), identity));
  EXPECT_FALSE(is_known(store.files()));
}

TEST_F(KnownStores, AreNotWhatOthersCouldHaveWritten) {
  fs::permissions(record(), fs::perms::group_write, fs::perm_options::add);
  EXPECT_FALSE(known(path()));
  fs::permissions(record(), fs::perms::group_write, fs::perm_options::remove);
  EXPECT_TRUE(known(path()));
  const fs::path name = record(), elsewhere = directory_ / "elsewhere";
  fs::rename(name, elsewhere);
  fs::create_symlink(elsewhere, name);
  EXPECT_FALSE(known(path()));
  fs::remove(name);
  ASSERT_EQ(mkfifo(name.c_str(), 0600), 0);  // a reader must not wait for its writer
  EXPECT_FALSE(known(path()));
}

TEST_F(KnownStores, AreRememberedWithoutFollowingLinks) {
  const fs::path name = record(), precious = directory_ / "precious";
  write_file(precious, {});
  fs::remove(name);
  fs::create_symlink(precious, name);
  EXPECT_TRUE(remember_now(path()));
  EXPECT_EQ(fs::file_size(precious), 0u);
  EXPECT_FALSE(fs::is_symlink(name));
}

TEST_F(KnownStores, AreUnknownByAPartOfARecord) {
  std::ifstream in(record());
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  std::ofstream(record()) << whole.substr(0, whole.size() - 1);
  EXPECT_FALSE(known(path()));
  std::ofstream(record()) << whole << "x";
  EXPECT_FALSE(known(path()));
  EXPECT_TRUE(remember_now(path()));
  EXPECT_TRUE(known(path()));
}

TEST_F(KnownStores, AreNoneWithoutAFolder) {
  const Environment no_cache("XDG_CACHE_HOME", ""), no_home("HOME", "");
  EXPECT_FALSE(known(path()));
  EXPECT_FALSE(remember_now(path()));
}

TEST_F(KnownStores, AreNoneIfTheFolderCannotBeWritten) {
  const Environment no_cache("XDG_CACHE_HOME", "/proc/none");
  EXPECT_FALSE(remember_now(path()));
  EXPECT_FALSE(known(path()));
  write_store(directory_ / "other", example_parts());  // which is made all the same
  EXPECT_FALSE(known(directory_ / "other"));
}

TEST_F(KnownStores, ThatEndWithTheProcessAreNotRemembered) {
  const Fleeting fleeting;
  write_store(directory_ / "other", example_parts());
  EXPECT_FALSE(known(directory_ / "other"));
}

TEST_F(KnownStores, AreForgottenWhenTheyAreVeryMany) {
  const auto number = [] {
    return std::distance(fs::directory_iterator(known_stores_folder()), fs::directory_iterator());
  };
  for (int i = 0; number() <= 1024; ++i) {
    const fs::path other = known_stores_folder() / ("0-" + std::to_string(i) + ".known");
    write_file(other, {});
    fs::last_write_time(other, fs::last_write_time(other) - std::chrono::hours(1));
  }
  EXPECT_TRUE(remember_now(path()));
  EXPECT_LT(number(), 1024);
  EXPECT_GT(number(), 512);
  EXPECT_TRUE(known(path()));
}

}  // namespace
}  // namespace millrace::test
