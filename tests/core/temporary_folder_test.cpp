// What is left of a temporary folder: nothing, and nothing is removed that is elsewhere.
#include "millrace/core/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>

#include "store/store_fixture.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

class TemporaryFolderTest : public DirectoryTest {};

TEST_F(TemporaryFolderTest, GoesWithAllThatIsInIt) {
  std::optional<TemporaryFolder> folder(std::in_place, directory_);
  const fs::path path = folder->path();
  fs::create_directories(path / "graph.store" / "scratch");
  for (const char* const name : {"a", "graph.store/manifest.json", "graph.store/scratch/b"}) std::ofstream(path / name);
  folder.reset();
  EXPECT_TRUE(names_in_directory().empty());
}

TEST_F(TemporaryFolderTest, LeavesWhatLinksInItLeadTo) {
  fs::create_directory(directory_ / "mine");
  std::ofstream(directory_ / "mine" / "thesis.tex") << "years of work";
  {
    const TemporaryFolder folder(directory_);
    fs::create_directory_symlink(directory_ / "mine", folder.path() / "link");
    fs::create_symlink("nowhere", folder.path() / "dangling");
  }
  EXPECT_EQ(names_in_directory(), std::vector<std::string>{"mine"});
  EXPECT_TRUE(fs::exists(directory_ / "mine" / "thesis.tex"));
}

TEST_F(TemporaryFolderTest, MayBeGoneAlready) {
  const TemporaryFolder folder(directory_);
  fs::remove_all(folder.path());
}

}  // namespace
}  // namespace millrace::test
