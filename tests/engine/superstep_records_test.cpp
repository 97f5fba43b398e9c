// The supersteps of runs of any length, in a fixed number of records.
#include "millrace/engine/superstep_records.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

// Superstep i, different from all others.
Superstep numbered(std::uint64_t i) {
  Superstep step{.direction = i % 4 == 0 ? Direction::push : Direction::pull, .active = i, .edges = 2 * i, .bytes = 3};
  step.host_memory = i % 1000;
  step.end(0.5, {.copy = 0.25});
  return step;
}

SuperstepRecords records_of(std::uint64_t count) {
  SuperstepRecords records;
  for (std::uint64_t i = 0; i < count; ++i) records.add(numbered(i));
  return records;
}

TEST(SuperstepRecords, AreOneForEachSuperstepOfAShortRun) {
  const SuperstepRecords records = records_of(SuperstepRecords::most);
  ASSERT_EQ(records.all().size(), SuperstepRecords::most);
  for (std::uint64_t i = 0; i < SuperstepRecords::most; ++i) {
    EXPECT_EQ(records.all()[i].count, 1u);
    EXPECT_EQ(records.all()[i].active, i);
    EXPECT_EQ(records.all()[i].direction_text(), i % 4 == 0 ? "push" : "pull");
  }
}

TEST(SuperstepRecords, OfALongRunStandForSeveralAndLoseNone) {
  for (const std::uint64_t count : {SuperstepRecords::most + 1, 2 * SuperstepRecords::most, std::size_t{300'001}}) {
    const SuperstepRecords kept = records_of(count);
    const std::vector<SuperstepRecord>& records = kept.all();
    EXPECT_LE(records.size(), SuperstepRecords::most);
    EXPECT_GT(records.size(), SuperstepRecords::most / 2) << "no coarser than need be";
    std::uint64_t next = 0, edges = 0, pulls = 0;
    double seconds = 0, copy = 0;
    for (const SuperstepRecord& record : records) {
      EXPECT_TRUE(record.count == records.front().count || &record == &records.back());
      std::uint64_t active = 0, most = 0;
      for (std::uint64_t i = next; i < next + record.count; ++i)
        active += i, most = std::max(most, numbered(i).host_memory);
      EXPECT_EQ(record.active, active) << "supersteps from " << next << " on";
      EXPECT_EQ(record.host_memory, most);
      EXPECT_EQ(record.bytes, 3 * record.count);
      next += record.count;
      edges += record.edges, pulls += record.pulls, seconds += record.seconds, copy += record.phases.copy;
    }
    EXPECT_EQ(next, count);
    EXPECT_EQ(edges, count * (count - 1));
    EXPECT_EQ(pulls, count - (count + 3) / 4);
    EXPECT_DOUBLE_EQ(seconds, 0.5 * static_cast<double>(count));
    EXPECT_DOUBLE_EQ(copy, 0.25 * static_cast<double>(count));
  }
}

TEST(SuperstepRecords, SayWhetherAllWentInOneDirection) {
  SuperstepRecord record = numbered(1);
  record.join(numbered(2));
  EXPECT_EQ(record.direction_text(), "pull");
  record.join(numbered(4));
  EXPECT_EQ(record.direction_text(), "mixed");
  EXPECT_EQ(SuperstepRecord(numbered(4)).direction_text(), "push");
}

}  // namespace
}  // namespace millrace
