// Names within a budget: numbered the same, wherever their bytes are.
#include "millrace/build/name_table.h"

#include <gtest/gtest.h>

#include "millrace/core/hash.h"
#include "support/temp_dir.h"

namespace millrace {
namespace {

using namespace test;

std::string name_of(std::uint64_t i) { return "name " + std::to_string(i) + std::string(mix(i) % 90, 'x'); }

// Adds names 0 to count - 1, each several times; they get these numbers.
void add_names(NameTable& table, std::uint64_t count) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < count; ++i) texts.push_back(name_of(i));
  const std::vector<std::string_view> names(texts.begin(), texts.end());
  std::vector<VertexId> numbers(count);
  for (int time = 0; time < 2; ++time) {
    table.add(names, numbers.data());
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(numbers[i], i);
  }
}

void expect_names(const Names& names, std::uint64_t count) {
  ASSERT_EQ(names.size(), count);
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(names[i], name_of(i));
}

TEST(NameTable, NumbersNamesWhoseBytesAreInAFile) {
  constexpr std::uint64_t count = 120'000;  // 7 MB of bytes
  const TempDir directory;
  Budget budget(NameTable::least_memory(count) + (1 << 20), "x");
  std::size_t files = 0, freed = 0;
  NameTable table;
  VertexId number;
  const std::string_view first = "name 0";
  ASSERT_EQ(name_of(0).substr(0, first.size()), first);
  table.keep_within({&budget, [&] { return ++files, directory.path(); }, [&] { ++freed; }});
  add_names(table, count);
  EXPECT_EQ(files, 1);
  EXPECT_LE(budget.peak(), budget.limit());
  const std::string known = name_of(count / 2), unknown = "nobody";
  const std::string_view asked[] = {known, unknown};
  VertexId found[2];
  table.find(asked, found);
  EXPECT_EQ(found[0], count / 2);
  EXPECT_EQ(found[1], no_vertex);
  table.add(std::span(asked).last(1), &number);
  EXPECT_EQ(number, count);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path())) << "the file has no name";
  Names names = table.take_names();
  EXPECT_EQ(budget.used(), 0u);
  names.offsets.pop_back();
  expect_names(names, count);
}

TEST(NameTable, AsksOthersToFreeMemoryBeforeItGivesUp) {
  constexpr std::uint64_t count = 50'000;
  Budget budget(16 << 20, "x");
  std::optional<Charge> others(std::in_place, 12 << 20, budget, "others");
  NameTable table;
  table.keep_within({&budget, {}, [&] { others.reset(); }});
  add_names(table, count);
  EXPECT_FALSE(others);
  expect_names(table.take_names(), count);
}

TEST(NameTable, HasAllThatItHadWhenMemoryEnds) {
  Budget budget(3 << 20, "x");
  NameTable table;
  table.keep_within({&budget, {}, {}});
  std::uint64_t added = 0;
  VertexId number;
  const auto add_one = [&] {
    const std::string name = name_of(added);
    const std::string_view view = name;
    table.add({&view, 1}, &number);
    ++added;
  };
  EXPECT_THROW(
      {
        while (true) add_one();
      },
      OverBudgetError);
  ASSERT_GT(added, 1000u);
  for (std::uint64_t i = 0; i < added; ++i) {
    const std::string name = name_of(i);
    const std::string_view view = name;
    table.find({&view, 1}, &number);
    ASSERT_EQ(number, i);
  }
}

TEST(NameTable, ChargesWhatItHasAlready) {
  NameTable table;
  add_names(table, 30'000);
  Budget small(1 << 20, "x");
  EXPECT_THROW(table.keep_within({&small, {}, {}}), OverBudgetError);
  Budget budget(NameTable::least_memory(30'000) + (1 << 20), "x");
  const TempDir directory;
  NameTable other;
  add_names(other, 30'000);
  other.keep_within({&budget, [&] { return directory.path(); }, {}});
  EXPECT_GT(budget.used(), NameTable::least_memory(30'000) / 2);
  expect_names(other.take_names(), 30'000);
}

}  // namespace
}  // namespace millrace
