// Names in stores: written names can be read, and invalid ones are refused.
#include "millrace/store/names.h"

#include <gtest/gtest.h>

#include <cstring>

#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "store/store_fixture.h"

namespace millrace::test {
namespace {

using Strings = std::vector<std::string>;

Names names_of(const Strings& strings) {
  Names names{.bytes = {}, .offsets = {0}};
  for (const std::string& text : strings) {
    names.bytes.insert(names.bytes.end(), text.begin(), text.end());
    names.offsets.push_back(names.bytes.size());
  }
  return names;
}

Strings strings_of(const Names& names) {
  Strings strings;
  for (std::uint64_t id = 0; id < names.size(); ++id) strings.emplace_back(names[id]);
  return strings;
}

class StoreNames : public DirectoryTest {
 protected:
  std::filesystem::path path() const { return directory_ / "graph"; }

  // A cycle of four vertices whose ids are 3, 2, 1, 0.
  Store write(const Names& names) {
    StoreParts parts = parts_of(make_csr({{1}, {2}, {3}, {0}}), {});
    parts.ids = {3, 2, 1, 0};
    return write(parts, names);
  }
  Store write(const StoreParts& parts, const Names& names) {
    StoreWriter writer(path(), true);
    write_into(writer, parts);
    writer.write_names(names);
    writer.commit(parts.manifest);
    return Store::open(path());
  }

  // Replaces the file by another, and puts its checksum into the manifest.
  Store with_file(const std::vector<std::uint64_t>& numbers, const std::string& text) {
    write(names_of(good_));
    std::vector<std::byte> bytes(numbers.size() * 8 + text.size());
    std::memcpy(bytes.data(), numbers.data(), numbers.size() * 8);
    std::memcpy(bytes.data() + numbers.size() * 8, text.data(), text.size());
    write_file(path() / "names", bytes);
    Manifest manifest = Manifest::load(path() / "manifest.json");
    manifest.names->crc = crc32c(bytes);
    manifest.save(path() / "manifest.json");
    return Store::open(path());
  }

  const Strings good_{"Ann", "B b", "-1", "\xc3\xa9"};
};

TEST_F(StoreNames, ComeBack) {
  const Store store = write(names_of(good_));
  EXPECT_TRUE(store.has_names());
  EXPECT_EQ(strings_of(store.load_names(unlimited_budget())), good_);
  EXPECT_EQ(verify_store(store).problems, Strings{});
}

TEST_F(StoreNames, AreAbsentWhereNoneAreGiven) {
  const Store store = write({});
  EXPECT_FALSE(store.has_names());
  EXPECT_EQ(store.name_memory(), 0u);
  EXPECT_EQ(store.load_names(unlimited_budget()).size(), 0u);
  EXPECT_FALSE(std::filesystem::exists(path() / "names"));
}

TEST_F(StoreNames, AreCountedWhileTheyLive) {
  const Store store = write(names_of(good_));
  Budget budget(100);
  {
    const CountedNames names = store.load_names(budget);
    EXPECT_EQ(budget.used(), 8u + 5 * 8 + 10);
    EXPECT_EQ(budget.used(), store.name_memory());
  }
  EXPECT_EQ(budget.used(), 0u);
  Budget less(50);
  EXPECT_THROW(store.load_names(less), DoesNotFitError);
}

TEST_F(StoreNames, ThatALineCannotHoldAreNotWritten) {
  for (const std::string& bad :
       {std::string("a\tb"), std::string("a\n"), std::string("\r"), std::string("a\0b", 3), std::string()}) {
    try {
      write(names_of({"Ann", "Bob", bad, "Dan"}));
      FAIL() << "taken: '" << bad << "'";
    } catch (const BadInputError& error) {
      EXPECT_NE(std::string(error.what()).find("name 2"), std::string::npos) << error.what();
    }
  }
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(StoreNames, ThatWereDamagedAreRefused) {
  for (const std::uint64_t place : {0, 8, 20, 48, 57}) {
    const Store store = write(names_of(good_));
    flip_byte(path() / "names", place);
    EXPECT_THROW(store.load_names(unlimited_budget()), BadInputError) << place;
    EXPECT_FALSE(verify_store(store).problems.empty()) << place;
  }
  const Store store = write(names_of(good_));
  std::filesystem::resize_file(path() / "names", 20);
  EXPECT_THROW(store.load_names(unlimited_budget()), BadInputError);
}

// The checksum is right, but the content is not.
TEST_F(StoreNames, ThatMakeNoSenseAreRefused) {
  EXPECT_EQ(strings_of(with_file({4, 0, 1, 2, 3, 4}, "abcd").load_names(unlimited_budget())),
            (Strings{"a", "b", "c", "d"}));
  EXPECT_THROW(with_file({3, 0, 1, 2, 3, 4}, "abcd").load_names(unlimited_budget()), BadInputError) << "count";
  EXPECT_THROW(with_file({4, 1, 1, 2, 3, 4}, "abcd").load_names(unlimited_budget()), BadInputError) << "start";
  EXPECT_THROW(with_file({4, 0, 1, 2, 3, 5}, "abcd").load_names(unlimited_budget()), BadInputError) << "end";
  EXPECT_THROW(with_file({4, 0, 1, 9, 3, 4}, "abcd").load_names(unlimited_budget()), BadInputError) << "order";
  EXPECT_THROW(with_file({4, 0, 1, 1, 3, 4}, "abcd").load_names(unlimited_budget()), BadInputError) << "empty";
  EXPECT_THROW(with_file({4, 0, 1, 2, 3, 4}, "ab\nd").load_names(unlimited_budget()), BadInputError) << "line break";
}

TEST_F(StoreNames, ThatAreEqualAreReported) {
  const auto problems = verify_store(write(names_of({"Ann", "Bob", "Bob", "Dan"}))).problems;
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("'Bob'"), std::string::npos) << problems[0];
}

TEST_F(StoreNames, OfOtherIdsAreReported) {
  StoreParts parts = parts_of(make_csr({{1}, {2}, {3}, {0}}), {});
  parts.ids = {3, 2, 1, 4};
  EXPECT_EQ(verify_store(write(parts, names_of(good_))).problems.size(), 1u);
}

}  // namespace
}  // namespace millrace::test
