// CRC32C against published values, and its two implementations against each other.
#include "millrace/pages/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

namespace millrace {
namespace {

std::vector<std::byte> random_bytes(std::size_t size) {
  std::mt19937 random(7);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

std::uint32_t crc_of(std::string_view text) { return crc32c(std::as_bytes(std::span(text))); }

// RFC 3720, appendix B.4.
TEST(Crc32c, KnownValues) {
  EXPECT_EQ(crc_of(""), 0u);
  EXPECT_EQ(crc_of("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0})), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0xff})), 0x62a8ab43u);
  std::vector<std::byte> ascending(32);
  for (std::size_t i = 0; i < 32; ++i) ascending[i] = static_cast<std::byte>(i);
  EXPECT_EQ(crc32c(ascending), 0x46dd794eu);
}

TEST(Crc32c, ContinuesWhereItStopped) {
  const auto bytes = random_bytes(300);
  const std::span all(bytes);
  for (std::size_t cut = 0; cut <= all.size(); ++cut)
    ASSERT_EQ(crc32c(all.subspan(cut), crc32c(all.first(cut))), crc32c(all)) << "cut at " << cut;
}

TEST(Crc32c, CombinesThoseOfParts) {
  const auto bytes = random_bytes(300);
  const std::span all(bytes);
  for (std::size_t cut = 0; cut <= all.size(); ++cut)
    ASSERT_EQ(crc32c_combine(crc32c(all.first(cut)), crc32c(all.subspan(cut)), all.size() - cut), crc32c(all))
        << "cut at " << cut;
}

TEST(Crc32c, HardwareAgreesWithPortable) {
  if (!crc32c_hardware_available()) GTEST_SKIP() << "no SSE4.2";
  const auto bytes = random_bytes(400);
  for (std::size_t offset = 0; offset < 17; ++offset)
    for (std::size_t length = 0; offset + length <= bytes.size(); ++length) {
      const auto part = std::span(bytes).subspan(offset, length);
      ASSERT_EQ(crc32c_hardware(part, 0x12345678), crc32c_portable(part, 0x12345678)) << offset << '+' << length;
    }
}

// Long runs of bytes are cut into three parts.
TEST(Crc32c, HardwareAgreesWithPortableOnLongRuns) {
  if (!crc32c_hardware_available()) GTEST_SKIP() << "no SSE4.2";
  const auto bytes = random_bytes(200'000);
  for (const std::size_t length : {65'535u, 65'536u, 65'537u, 65'559u, 65'560u, 131'071u, 199'999u}) {
    const auto part = std::span(bytes).subspan(1, length);
    ASSERT_EQ(crc32c_hardware(part, 0x12345678), crc32c_portable(part, 0x12345678)) << length;
  }
}

}  // namespace
}  // namespace millrace
