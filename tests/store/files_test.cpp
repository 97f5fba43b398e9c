// Files, read past the system's cache and through it.
#include "millrace/store/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "millrace/core/error.h"

namespace millrace {
namespace {

bool past_the_cache(const File& file) { return (fcntl(file.descriptor(), F_GETFL) & O_DIRECT) != 0; }

// On disk, not in memory: the file system must support direct reads.
TEST(File, KnowsWhetherItIsDirect) {
  const auto path = std::filesystem::current_path() / ("files_test_" + std::to_string(getpid()));
  std::vector<std::byte> bytes(3 * file_alignment);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 251);
  write_file(path, bytes);
  File file = File::open_direct(path);
  EXPECT_EQ(file.direct(), past_the_cache(file));
  // Most file systems refuse a direct read that is not aligned; then it is done without O_DIRECT.
  std::array<std::byte, 1000> some;
  file.read(std::span(some).subspan(1), 7);
  EXPECT_TRUE(std::equal(some.begin() + 1, some.end(), bytes.begin() + 7));
  EXPECT_EQ(file.direct(), past_the_cache(file));

  EXPECT_THROW(File::create(path), IoError) << "it is there";
  std::filesystem::remove(path);
  File created = File::create(path);
  EXPECT_FALSE(created.direct());
  const bool went = created.go_direct();
  EXPECT_EQ(went, past_the_cache(created));
  EXPECT_EQ(created.direct(), past_the_cache(created));
  file = std::move(created);
  EXPECT_EQ(file.direct(), past_the_cache(file));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace millrace
