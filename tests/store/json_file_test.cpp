// JSON is read within limits, and its members must have the right types.
#include "millrace/store/json_file.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "store/store_fixture.h"

namespace millrace::test {
namespace {

class JsonFile : public DirectoryTest {
 protected:
  nlohmann::ordered_json read(const std::string& text) {
    write_file(directory_ / "x.json", std::as_bytes(std::span(text)));
    return read_json_file(File::open(directory_ / "x.json"));
  }
  std::string complaint(const std::string& text) {
    try {
      read(text);
    } catch (const BadInputError& error) {
      EXPECT_NE(std::string(error.what()).find("x.json"), std::string::npos) << error.what();
      return error.what();
    }
    return {};
  }
};

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST_F(JsonFile, IsFaultedInOurWords) {
  for (const char* const text : {"", "{", "x", "{\"a\": 1e999}", "[1,]"}) {
    const std::string said = complaint(text);
    EXPECT_NE(said.find("is not JSON: "), std::string::npos) << said;
    EXPECT_EQ(said.find("json.exception"), std::string::npos) << said;
    EXPECT_EQ(said.find("parsing"), std::string::npos) << said;
  }
}

TEST_F(JsonFile, ComesAsItIs) {
  EXPECT_EQ(read(R"({"b": 1, "a": [true, "x"]})").dump(), R"({"b":1,"a":[true,"x"]})");
  EXPECT_EQ(complaint(repeated("[", most_json_depth) + repeated("]", most_json_depth)), "");
  EXPECT_EQ(complaint("[" + repeated("1,", 100'000) + "1]"), "");
}

TEST_F(JsonFile, IsRefusedBeyondItsLimits) {
  for (const std::string open : {"[", R"({"a":)"})
    for (const std::size_t depth : {std::size_t{most_json_depth + 1}, std::size_t{100'000}, std::size_t{1'000'000}})
      EXPECT_NE(complaint(repeated(open, depth)).find("nested more than"), std::string::npos) << open << depth;
  EXPECT_NE(complaint("[" + repeated("[],", most_json_values / 2) + "1]").find("values"), std::string::npos);
  std::string members = "{";
  for (std::uint64_t i = 0; i <= most_json_members; ++i) members += fmt::format("\"{}\":1,", i);
  EXPECT_NE(complaint(members).find("members"), std::string::npos);
}

// Too large a file is not even read: it is sparse, and larger than memory.
TEST_F(JsonFile, IsRefusedByItsSize) {
  write_file(directory_ / "large.json", {});
  std::filesystem::resize_file(directory_ / "large.json", most_json_bytes + 1);
  EXPECT_THROW(read_json_file(File::open(directory_ / "large.json")), BadInputError);
  std::filesystem::resize_file(directory_ / "large.json", std::uint64_t{1} << 42);
  EXPECT_THROW(read_json_file(File::open(directory_ / "large.json")), BadInputError);
}

// Reports have a record for each superstep, which readers of the report leave out.
TEST_F(JsonFile, LeavesOutAMemberThatIsLong) {
  std::string records;
  for (std::uint64_t i = 0; i < most_json_members; ++i) records += R"({"a": {"b": [1, 2]}},)";
  const std::string text = R"({"n": 1, "trace": [)" + records + R"(0], "m": {"trace": 2}, "": 3})";
  write_file(directory_ / "report.json", std::as_bytes(std::span(text)));
  const File file = File::open(directory_ / "report.json");
  EXPECT_THROW(read_json_file(file), BadInputError);
  const auto json = read_json_file(file, "trace");
  EXPECT_FALSE(json.contains("trace"));
  EXPECT_EQ(number_of(json, "n"), 1u);
  EXPECT_EQ(number_of(object_of(json, "m"), "trace"), 2u);
  EXPECT_EQ(number_of(json, ""), 3u);
}

TEST_F(JsonFile, IsRefusedWhereItIsNone) {
  for (const std::string text : {"", "{", "nul", "{} x", "[1,]", "\xff", "\"\xff\""})
    EXPECT_NE(complaint(text), "") << text;
  EXPECT_NE(complaint(std::string("{}\0", 3)).find("NUL at byte 2"), std::string::npos);
}

TEST_F(JsonFile, MembersHaveTheirTypes) {
  const auto json = read(R"({"n": 7, "t": "x", "f": true, "a": [1, 2], "s": ["x"], "o": {"n": 1},
                             "minus": -1, "real": 1.0, "huge": 1e300, "past": 18446744073709551616})");
  EXPECT_EQ(number_of(json, "n"), 7u);
  EXPECT_EQ(number_of(json, "n", 7), 7u);
  EXPECT_EQ(text_of(json, "t"), "x");
  EXPECT_TRUE(flag_of(json, "f"));
  EXPECT_EQ(numbers_of(json, "a", 2), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(texts_of(json, "s"), std::vector<std::string>{"x"});
  EXPECT_EQ(number_of(object_of(json, "o"), "n"), 1u);
  for (const char* const name : {"t", "f", "a", "o", "minus", "real", "huge", "past", "absent"})
    EXPECT_THROW(number_of(json, name), BadInputError) << name;
  EXPECT_THROW(number_of(json, "n", 6), BadInputError);
  EXPECT_THROW(numbers_of(json, "a", 1), BadInputError);
  for (const char* const name : {"n", "f", "a", "o", "absent"})
    EXPECT_THROW(text_of(json, name), BadInputError) << name;
  for (const char* const name : {"n", "t", "a", "o", "absent"})
    EXPECT_THROW(flag_of(json, name), BadInputError) << name;
  for (const char* const name : {"n", "t", "f", "o", "a"}) EXPECT_THROW(texts_of(json, name), BadInputError) << name;
  for (const char* const name : {"n", "t", "f", "a"}) EXPECT_THROW(object_of(json, name), BadInputError) << name;
}

}  // namespace
}  // namespace millrace::test
