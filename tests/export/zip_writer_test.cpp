// Zip archives, parsed field by field.
#include "millrace/export/zip_writer.h"

#include <gtest/gtest.h>

#include "export/export_fixture.h"
#include "millrace/core/error.h"

namespace millrace {
namespace {

using namespace test;

// What the directory of an archive says about its members, and their content.
struct Found {
  std::string name, content;
  std::uint32_t crc;
  bool operator==(const Found&) const = default;
};

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  return ByteReader(bytes.substr(at)).take<T>();
}

// A value of the directory, or the next of its zip64 extra field.
std::uint64_t field(const std::string& bytes, std::size_t at, std::size_t& extra) {
  const auto value = number_at<std::uint32_t>(bytes, at);
  if (value != 0xffff'ffffu) return value;
  return number_at<std::uint64_t>(bytes, std::exchange(extra, extra + 8));
}

std::vector<Found> read_zip(const std::string& bytes) {
  const std::size_t end = bytes.size() - 22;
  EXPECT_EQ(number_at<std::uint32_t>(bytes, end), 0x06054b50u);
  std::uint64_t at = number_at<std::uint32_t>(bytes, end + 16);
  std::uint64_t count = number_at<std::uint16_t>(bytes, end + 10);
  if (at == 0xffff'ffffu) {
    EXPECT_EQ(number_at<std::uint32_t>(bytes, end - 20), 0x07064b50u);
    const auto record = number_at<std::uint64_t>(bytes, end - 20 + 8);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, record), 0x06064b50u);
    count = number_at<std::uint64_t>(bytes, record + 32);
    at = number_at<std::uint64_t>(bytes, record + 48);
  }
  std::vector<Found> found;
  for (; count > 0; --count) {
    EXPECT_EQ(number_at<std::uint32_t>(bytes, at), 0x02014b50u);
    const auto name = number_at<std::uint16_t>(bytes, at + 28), extra_size = number_at<std::uint16_t>(bytes, at + 30);
    std::size_t extra = at + 46 + name + 4;
    const std::uint64_t size = field(bytes, at + 24, extra);
    if (number_at<std::uint32_t>(bytes, at + 20) == 0xffff'ffffu) extra += 8;
    const std::uint64_t place = field(bytes, at + 42, extra);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, place), 0x04034b50u);
    const auto crc = number_at<std::uint32_t>(bytes, at + 16);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, place + 14), crc) << "both places have the checksum";
    const std::uint64_t data = place + 30 + name + number_at<std::uint16_t>(bytes, place + 28);
    found.push_back({bytes.substr(at + 46, name), bytes.substr(data, size), crc});
    at += 46u + name + extra_size;
  }
  return found;
}

std::string make_zip(std::uint64_t zip64_from) {
  const TempDir directory;
  OutputFile file(directory / "a.zip");
  ZipWriter zip(file, zip64_from);
  zip.begin("digits", 9);
  zip.write(std::string("1234"));
  zip.write(std::string("56789"));
  zip.begin("none", 0);
  zip.begin("letters", 26);
  zip.write(std::string("abcdefghijklmnopqrstuvwxyz"));
  zip.finish();
  file.close();
  return read_whole(directory / "a.zip");
}

TEST(ZipWriter, KeepsMembers) {
  const std::vector<Found> expected{
      {"digits", "123456789", 0xcbf43926u}, {"none", "", 0}, {"letters", "abcdefghijklmnopqrstuvwxyz", 0x4c2750bdu}};
  EXPECT_EQ(read_zip(make_zip(0xffff'ffffu)), expected);
  // Sizes, offsets, and both become large in turn.
  for (const std::uint64_t zip64_from : {100, 20, 5, 0})
    EXPECT_EQ(read_zip(make_zip(zip64_from)), expected) << zip64_from;
}

TEST(ZipWriter, HoldsTheCallerToTheSize) {
  const TempDir directory;
  OutputFile file(directory / "a.zip");
  ZipWriter zip(file);
  zip.begin("short", 2);
  zip.write(std::string("1"));
  EXPECT_THROW(zip.finish(), InternalError);
}

}  // namespace
}  // namespace millrace
