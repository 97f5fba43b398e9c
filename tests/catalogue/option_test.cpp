#include "millrace/catalogue/option.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"

namespace millrace::test {
namespace {

TEST(OptionTest, TakesValuesAsText) {
  bool flag = false;
  std::uint32_t count = 0;
  std::optional<double> real;
  std::vector<std::string> list, commas;
  std::filesystem::path path;
  assign({.name = "flag", .field = &flag, .value = {}, .help = {}}, "true");
  assign({.name = "count", .field = &count, .value = {}, .help = {}}, "7");
  assign({.name = "real", .field = &real, .value = {}, .help = {}}, "0.5");
  assign({.name = "path", .field = &path, .value = {}, .help = {}}, "a,b");
  const Option one{.name = "list", .field = &list, .value = {}, .help = {}};
  assign(one, "a,b");
  assign(one, "c");
  assign({.name = "commas", .field = &commas, .value = {}, .help = {}, .commas = true}, "a,b");
  EXPECT_TRUE(flag);
  EXPECT_EQ(count, 7u);
  EXPECT_EQ(real, 0.5);
  EXPECT_EQ(path, "a,b");
  EXPECT_EQ(list, (std::vector<std::string>{"a,b", "c"}));
  EXPECT_EQ(commas, (std::vector<std::string>{"a", "b"}));
}

TEST(OptionTest, RefusesWhatIsNoValue) {
  bool flag = false;
  std::uint32_t count = 0;
  double real = 1;
  EXPECT_THROW(assign({.name = "flag", .field = &flag, .value = {}, .help = {}}, "yes"), UsageError);
  const Option small{.name = "count", .field = &count, .value = {}, .help = {}, .range = std::pair(1.0, 5.0)};
  for (const char* const text : {"0", "6", "-1", "1.5", "", "x", "2x", "99999999999"})
    EXPECT_THROW(assign(small, text), UsageError) << text;
  EXPECT_NO_THROW(assign(small, "5"));
  const Option positive{.name = "real", .field = &real, .value = {}, .help = {}, .above_zero = true};
  for (const char* const text : {"0", "-1", "nan"}) EXPECT_THROW(assign(positive, text), UsageError) << text;
}

TEST(OptionTest, SaysItsRangeInOneWay) {
  EXPECT_EQ(range_text({0, 1}), "from 0 to 1");
  EXPECT_EQ(range_text({0.5, 1e300}), "from 0.5 on");
  EXPECT_EQ(range_text({1e-10, 1e10}), "from 1e-10 to 10000000000");
}

}  // namespace
}  // namespace millrace::test
