// Names that prove which program made a file, and which files are removed because of them.
#include "millrace/core/aside.h"

#include <gtest/gtest.h>

#include <fstream>

#include "store/store_fixture.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

class AsideTest : public DirectoryTest {
 protected:
  fs::path place() const { return directory_ / "results"; }
};

TEST_F(AsideTest, NamesAreKnownForTheirPlaceAlone) {
  const std::string name = aside_name(place()).filename().string();
  EXPECT_EQ(aside_name(place()).parent_path(), directory_);
  EXPECT_NE(name, aside_name(place()).filename());
  EXPECT_TRUE(is_aside_name(name, "results"));
  EXPECT_FALSE(is_aside_name(name, "result"));
  EXPECT_FALSE(is_aside_name("other" + name.substr(7), "other"));
  // No digit can be replaced by another.
  for (std::size_t i = name.size() - 16; i < name.size(); ++i) {
    std::string changed = name;
    changed[i] = changed[i] == '0' ? '1' : '0';
    EXPECT_FALSE(is_aside_name(changed, "results")) << changed;
  }
  for (const char* other : {"results", "results.partial", "results.partial-", "results.partial-4711",
                            "results.partial-0000000000000000", "results.partial-zzzzzzzzzzzzzzzz"})
    EXPECT_FALSE(is_aside_name(other, "results")) << other;
  EXPECT_FALSE(is_aside_name(name + "0", "results"));
}

// The names are cut, so that the file system takes them; the checksum is over the whole name.
TEST_F(AsideTest, LongNamesAreKnownToo) {
  for (const std::size_t length : {230, 231, 247, 255}) {
    const std::string file(length, 'n');
    const fs::path place = directory_ / file;
    const std::string name = aside_name(place).filename().string();
    EXPECT_LE(name.size(), 255);
    EXPECT_TRUE(is_aside_name(name, file)) << name;
    EXPECT_FALSE(is_aside_name(name, file + "n")) << name;
    EXPECT_FALSE(is_aside_name(name, file.substr(1))) << name;
    { AsideFile aside(place); }
    std::ofstream{aside_name(place)};
    EXPECT_EQ(find_asides(place).size(), 1);
    remove_leftover_files(place);
    EXPECT_TRUE(fs::is_empty(directory_));
    const std::string other = file.substr(0, length - 1) + "o";  // with the same beginning
    if (length > 247) {
      EXPECT_NE(with_suffix(place, ".partial").filename(), with_suffix(directory_ / other, ".partial").filename());
    }
  }
}

TEST(EndSeparators, AreNoPartOfAName) {
  for (const char* const given : {"a/new", "a/new/", "a/new//", "a/new/.", "a/new/./", "a/new//././/"})
    EXPECT_EQ(without_end_separators(given), "a/new") << given;
  for (const char* const kept : {"", "/", ".", "..", "a/..", "a.", "a/.b", "a/b..", "/a"})
    EXPECT_EQ(without_end_separators(kept), kept) << kept;
  EXPECT_EQ(without_end_separators("//"), "/");
  EXPECT_EQ(without_end_separators("/."), "/");
  EXPECT_EQ(without_end_separators("./"), ".");
  EXPECT_EQ(with_suffix(without_end_separators("new/"), ".lock"), "new.lock");
}

TEST_F(AsideTest, LeftoversGoAndFilesInUseStay) {
  const fs::path left = aside_name(place());
  std::ofstream(left) << "half a file";
  const fs::path foreign = directory_ / "results.partial-4711", folder = aside_name(place()),
                 link = aside_name(place());
  std::ofstream(foreign) << "not ours";
  fs::create_directory(folder);
  fs::create_symlink(foreign, link);
  const AsideFile used(place());
  remove_leftover_files(place());
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(foreign));
  EXPECT_TRUE(fs::exists(folder));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(find_asides(place()).size(), 3);  // the third one is in use
}

TEST_F(AsideTest, AFileGoesUnlessItIsMoved) {
  { const AsideFile abandoned(place()); }
  EXPECT_TRUE(names_in_directory().empty());
  std::ofstream(place()) << "old";
  {
    AsideFile next(place());
    EXPECT_FALSE(next.move_exclusively(place()));
    EXPECT_EQ(fs::file_size(place()), 3);
    EXPECT_TRUE(next.replace(place()));
  }
  EXPECT_EQ(fs::file_size(place()), 0);
  EXPECT_EQ(names_in_directory().size(), 1);
}

}  // namespace
}  // namespace millrace::test
