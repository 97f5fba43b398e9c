// Arrays written by hand and by NumPy's rules can be read, and others are refused with a reason.
#include "millrace/core/npy.h"

#include <gtest/gtest.h>

#include <fstream>

#include "millrace/core/error.h"
#include "support/temp_dir.h"

namespace millrace {
namespace {

class Npy : public testing::Test {
 protected:
  template <class T>
  std::filesystem::path write(const std::string& dtype, const std::vector<T>& values) {
    return write_bytes(npy_header(dtype, "(" + std::to_string(values.size()) + ",)") +
                       std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
  }
  std::filesystem::path write_bytes(const std::string& bytes) {
    std::ofstream(directory_ / "array.npy", std::ios::binary) << bytes;
    return directory_ / "array.npy";
  }
  template <class T>
  void expect_to_read(const std::string& dtype, const std::vector<T>& values) {
    NpyReader reader(write(dtype, values));
    EXPECT_EQ(reader.dtype(), dtype);
    ASSERT_EQ(reader.size(), values.size());
    std::vector<double> first(1), rest(values.size() - 1);
    reader.read(std::span(first));
    reader.read(std::span(rest));
    EXPECT_EQ(first[0], static_cast<double>(values[0]));
    for (std::size_t i = 0; i < rest.size(); ++i) ASSERT_EQ(rest[i], static_cast<double>(values[i + 1]));
    NpyReader again(write(dtype, values));
    std::vector<float> narrow(values.size());
    again.read(std::span(narrow));
    for (std::size_t i = 0; i < narrow.size(); ++i) ASSERT_EQ(narrow[i], static_cast<float>(values[i]));
  }
  void expect_refusal(const std::string& bytes, const std::string& reason) {
    try {
      NpyReader reader(write_bytes(bytes));
      ADD_FAILURE() << "was read: " << reason;
    } catch (const BadInputError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  }
  test::TempDir directory_;
};

TEST_F(Npy, NumbersOfEveryTypeAreRead) {
  expect_to_read<float>("<f4", {1.5f, -2, 1e30f});
  expect_to_read<double>("<f8", {1.5, -2, 1e300, 0.1});
  expect_to_read<std::int32_t>("<i4", {-1, 2, 1 << 30});
  expect_to_read<std::int64_t>("<i8", {-1, 2, std::int64_t{1} << 60});
  expect_to_read<std::uint32_t>("<u4", {1, 2, ~0u});
  expect_to_read<std::uint64_t>("<u8", {1, 2, std::uint64_t{1} << 63});
  std::vector<float> many(200'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i);
  expect_to_read("<f4", many);
}

TEST_F(Npy, OfNothingAreRead) { EXPECT_EQ(NpyReader(write<float>("<f4", {})).size(), 0u); }

// Version 2 has four bytes for the length of its header, whose keys may be in another order than ours.
TEST_F(Npy, OfALaterVersionAreRead) {
  const std::string header = "{'shape': (2,), 'fortran_order': False, 'descr': '<i4'}\n";
  std::string bytes("\x93NUMPY\x02\x00", 8);
  bytes += {static_cast<char>(header.size()), 0, 0, 0};
  bytes += header;
  bytes += std::string(8, '\1');
  NpyReader reader(write_bytes(bytes));
  std::vector<double> values(2);
  reader.read(std::span(values));
  EXPECT_EQ(values, (std::vector<double>{0x01010101, 0x01010101}));
}

TEST_F(Npy, ThatAreNoneAreRefused) {
  expect_refusal("", "too early");
  expect_refusal("1 2 3\n4 5 6\n7 8 9\n", "not a NumPy array");
  expect_refusal(npy_header("<f4", "(2,)").substr(0, 40), "too early");
  expect_refusal(npy_header("<f4", "(2,)") + std::string(7, '\0'), "should hold 2 elements of type <f4");
  expect_refusal(npy_header(">f8", "(2,)") + std::string(16, '\0'), "type >f8; <f4, <f8");
  expect_refusal(npy_header("<c8", "(2,)") + std::string(16, '\0'), "type <c8");
  expect_refusal(npy_header("<f4", "(2, 1)") + std::string(8, '\0'), "one dimension");
  expect_refusal(npy_header("<f4", "()") + std::string(8, '\0'), "one dimension");
  expect_refusal(npy_header("<f4", "(99999999999999999999,)"), "one dimension");
  expect_refusal(npy_header("<f8", "(2305843009213693952,)"), "should hold");
}

TEST_F(Npy, ThatAreNotThereAreIoErrors) { EXPECT_THROW(NpyReader(directory_ / "missing.npy"), IoError); }

}  // namespace
}  // namespace millrace
