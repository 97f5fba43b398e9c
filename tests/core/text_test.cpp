// Sizes and counts, read and written.
#include "millrace/core/text.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"

namespace millrace {
namespace {

TEST(Text, ParsesSizes) {
  EXPECT_EQ(parse_size("0"), 0u);
  EXPECT_EQ(parse_size("512"), 512u);
  EXPECT_EQ(parse_size("512B"), 512u);
  EXPECT_EQ(parse_size("1K"), 1u << 10);
  EXPECT_EQ(parse_size("16G"), std::uint64_t{16} << 30);
  EXPECT_EQ(parse_size("16GiB"), std::uint64_t{16} << 30);
  EXPECT_EQ(parse_size("16GB"), std::uint64_t{16} << 30);
  EXPECT_EQ(parse_size("64m"), 64u << 20);
  EXPECT_EQ(parse_size("1.5T"), std::uint64_t{3} << 39);
  EXPECT_EQ(parse_size("0.5K"), 512u);
}

TEST(Text, RefusesWhatIsNoSize) {
  for (const char* text : {"",    " ",    "G",    "x",    "-1", "-1G", "1X",  "1  G", " 1G",      "1G ",   "1GG", "1Gi",
                           "1BB", "1BiB", "0x10", "1,5G", "1e", "nan", "inf", "1e30", "9000000T", "1..5G", "1G5"})
    EXPECT_THROW(parse_size(text), UsageError) << '"' << text << '"';
}

TEST(Text, AnErrorNamesTheText) {
  try {
    parse_size("12 parsecs");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("12 parsecs"), std::string::npos);
  }
}

TEST(Text, CountsOneOfAThing) {
  EXPECT_EQ(format_counted(1, "self-loop"), "1 self-loop");
  EXPECT_EQ(format_counted(0, "edge"), "0 edges");
  EXPECT_EQ(format_counted(1234, "edge"), "1,234 edges");
  EXPECT_EQ(format_counted(1, "vertex"), "1 vertex");
  EXPECT_EQ(format_counted(1234, "vertex"), "1,234 vertices");
  EXPECT_EQ(format_counted(0, "isolated vertex"), "0 isolated vertices");
  EXPECT_EQ(format_counted(2, "entry"), "2 entries");
}

TEST(Text, EqualLetters) {
  EXPECT_TRUE(equal_letters("CSV", "csv"));
  EXPECT_FALSE(equal_letters("csv", "csv "));
}

TEST(Text, FormatsSizes) {
  EXPECT_EQ(format_size(0), "0 B");
  EXPECT_EQ(format_size(1023), "1023 B");
  EXPECT_EQ(format_size(1024), "1.0 KiB");
  EXPECT_EQ(format_size(1536), "1.5 KiB");
  EXPECT_EQ(format_size(std::uint64_t{16} << 30), "16.0 GiB");
  EXPECT_EQ(format_size(~std::uint64_t{0}), "16384.0 PiB");
}

// A printed size is enough if the user types it, as printed or in our shorter form.
TEST(Text, ASizeThatMustBeEnoughIsEnoughWhenItIsReadAgain) {
  std::uint64_t bytes = 1;
  for (int i = 0; i < 4000; ++i, bytes += bytes / 97 + 1) {
    for (const std::uint64_t size : {bytes, bytes / 1024 * 1024, bytes / (1024 * 1024) * 1024 * 1024}) {
      const std::string printed = format_size_at_least(size);
      EXPECT_GE(parse_size(printed), size) << printed;
      const std::string at_most = format_size_at_most(size);
      EXPECT_LE(parse_size(at_most), size) << at_most;
      const std::size_t blank = printed.find(' ');
      const std::string typed = printed.substr(0, blank) + printed[blank + 1];  // 5.1M
      EXPECT_GE(parse_size(typed), size) << typed;
    }
    if (bytes > std::uint64_t{1} << 49) break;
  }
  EXPECT_EQ(format_size_at_least((5u << 20) + 1), "5.1 MiB");
  EXPECT_EQ(format_size_at_most(parse_size("5.1M")), "5.1 MiB");
  EXPECT_EQ(format_size_at_least(parse_size("5.1M") + 1), "5.2 MiB");
  EXPECT_EQ(format_size_at_most(parse_size("5.1M") - 1), "5.0 MiB");
  EXPECT_EQ(format_size_at_most((5u << 20) - 1), "4.9 MiB");
  EXPECT_EQ(format_size_at_least(5u << 20), "5.0 MiB");
  EXPECT_EQ(format_size_at_most(5u << 20), "5.0 MiB");
}

TEST(Text, IsMadePrintable) {
  EXPECT_EQ(printable_text("plain é 漢 😀"), "plain é 漢 😀");
  EXPECT_EQ(printable_text("a\033[2J\n\x7f"), "a\\u001b[2J\\u000a\\u007f");
  EXPECT_EQ(printable_text("a\033[2J\n\tb\r", Lines::several), "a\\u001b[2J\n\tb\\u000d");
  EXPECT_EQ(printable_text("\xc2\x9b"
                           "31m\xc2\xa0"),
            "\\u009b31m\xc2\xa0")
      << "a control character of two bytes";
  EXPECT_EQ(printable_text("\xe9t\xe9"), "?t?") << "Latin-1";
  EXPECT_EQ(printable_text("\xe6\xbc"), "??") << "cut off";
  EXPECT_EQ(printable_text("a\u202egpj.exe\u2066\u200f"), "a\\u202egpj.exe\\u2066\\u200f")
      << "letters in another order";
  EXPECT_EQ(printable_text(""), "");
}

TEST(Text, FormatsCounts) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_count(~std::uint64_t{0}), "18,446,744,073,709,551,615");
}

TEST(Text, FormatsRatesInThreeDigitsWithoutAnExponent) {
  EXPECT_EQ(format_rate(1000), "1.00 k/s");
  EXPECT_EQ(format_rate(35'240), "35.2 k/s");
  EXPECT_EQ(format_rate(999.6e3), "1.00 M/s");
  EXPECT_EQ(format_rate(3.5e6), "3.50 M/s");
  EXPECT_EQ(format_rate(99.97e6), "100 M/s");
  EXPECT_EQ(format_rate(999.6e6), "1.00 G/s");
  EXPECT_EQ(format_rate(1.61e9), "1.61 G/s");
  EXPECT_EQ(format_rate(1.2e12), "1200 G/s");
}

TEST(Text, FormatsSeconds) {
  EXPECT_EQ(format_seconds(12.345), "12.35 s");
  EXPECT_EQ(format_seconds(0.00123), "1.23 ms");
  EXPECT_EQ(format_seconds(0.0000015), "1.5 us");
}

}  // namespace
}  // namespace millrace
