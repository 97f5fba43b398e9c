// Counted memory: a budget is a promise.
#include "millrace/core/memory.h"

#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "millrace/core/error.h"

namespace millrace {
namespace {

TEST(Budget, CountsWhatIsInUseAndThePeak) {
  Budget budget(100);
  budget.charge(60, "a");
  budget.charge(40, "b");
  EXPECT_EQ(budget.used(), 100);
  budget.release(60);
  budget.charge(10, "c");
  EXPECT_EQ(budget.used(), 50);
  EXPECT_EQ(budget.peak(), 100);
}

TEST(Budget, MayEndBeforeWhatIsChargedToIt) {
  Array<int> kept;
  Charge charge;
  {
    Budget budget(1 << 20);
    kept = Array<int>(1000, budget, "numbers");
    charge = Charge(100, budget, "others");
    EXPECT_EQ(budget.used(), 4096u + 100u);
  }
  kept[999] = 7;
  EXPECT_EQ(kept[999], 7);
}

TEST(Budget, RefusesOneByteTooMuchAndSaysWhat) {
  Budget budget(100, setting("device-memory"));
  budget.charge(60, "a");
  try {
    budget.charge(41, "the frontier");
    FAIL();
  } catch (const OverBudgetError& error) {
    EXPECT_STREQ(error.what(), "with the frontier, 101 B are needed by now, but device-memory allows 100 B; allow more")
        << "how much is needed in the end is not known";
  }
  EXPECT_EQ(budget.used(), 60);  // nothing was charged
  EXPECT_EQ(budget.peak(), 60);
  EXPECT_NO_THROW(budget.charge(40, "the rest"));
}

TEST(Budget, SumsThatWrapAroundAreRefused) {
  Budget budget(1000);
  budget.charge(500, "a");
  EXPECT_THROW(budget.charge(~std::uint64_t{0} - 100, "b"), DoesNotFitError);
  EXPECT_THROW(budget.require(~std::uint64_t{0} - 100, "b"), DoesNotFitError);
  EXPECT_EQ(budget.used(), 500);
}

TEST(Budget, RequireOnlyAsks) {
  Budget budget(100);
  budget.charge(60, "a");
  EXPECT_NO_THROW(budget.require(40, "b"));
  EXPECT_THROW(budget.require(41, "b"), DoesNotFitError);
  EXPECT_EQ(budget.used(), 60);
}

std::string refusal(const Budget& budget, std::uint64_t bytes) {
  try {
    budget.require(bytes, "the run");
  } catch (const DoesNotFitError& error) {
    return error.what();
  }
  return "";
}

// The need includes memory in use and is rounded up; the limit is rounded down. So the printed need is the larger one.
TEST(Budget, ARefusalHasNumbersThatAgree) {
  Budget budget((10u << 20) + 1000);
  budget.charge(10u << 20, "a");
  EXPECT_EQ(refusal(budget, 1001),
            "the run needs 10.1 MiB of memory, but host-memory allows 10.0 MiB; allow at least 10.1 MiB");
  EXPECT_TRUE(budget.has_room(1000));
  EXPECT_FALSE(budget.has_room(1001));
}

// The limit is a third of the option's value, after 50 bytes are subtracted.
TEST(Budget, ARefusalSpeaksOfTheOption) {
  Budget budget(100, {setting("memory"), 3, 50});
  budget.charge(60, "a");
  EXPECT_EQ(refusal(budget, 41), "the run needs 353 B of memory, but memory allows 352 B; allow at least 353 B");
  EXPECT_EQ(refusal(budget, 40), "");
  EXPECT_EQ(LimitOption(setting("memory"), 3, 50).value(101), 353u);
  EXPECT_EQ(LimitOption(setting("memory"), 3, 50).value(Budget::unlimited / 2), Budget::unlimited);
}

TEST(Budget, ThreadsNeverExceedItTogether) {
  Budget budget(1000);
  int charged = 0;
#pragma omp parallel for num_threads(4) reduction(+ : charged)
  for (int i = 0; i < 500; ++i) {
    try {
      budget.charge(7, "a");
      ++charged;
    } catch (const DoesNotFitError&) {
    }
  }
  EXPECT_EQ(charged, 1000 / 7);
  EXPECT_EQ(budget.peak(), charged * 7u);
}

TEST(Buffer, IsZeroedAlignedAndGivenBack) {
  Budget budget;
  for (const std::uint64_t bytes : {1u, 4096u, 4097u, 2u << 20, (4u << 20) + 1}) {
    const Buffer buffer(bytes, budget, "test");
    EXPECT_EQ(buffer.size(), bytes);
    EXPECT_GE(budget.used(), bytes);
    EXPECT_LT(budget.used(), bytes + 4096);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 4096, 0);
    EXPECT_TRUE(std::all_of(buffer.data(), buffer.data() + bytes, [](auto b) { return b == std::byte{0}; }));
  }
  EXPECT_EQ(budget.used(), 0);
  EXPECT_GE(budget.peak(), 4u << 20);
}

TEST(Buffer, MovesCarryTheChargeAlong) {
  Budget budget;
  Buffer a(5000, budget, "a");
  const std::byte* data = a.data();
  Buffer b(std::move(a));
  EXPECT_EQ(b.data(), data);
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(a.size(), 0);
  EXPECT_EQ(budget.used(), 8192);
  Buffer c(100, budget, "c");
  c = std::move(b);  // the old memory of c is given back at once
  EXPECT_EQ(budget.used(), 8192);
  EXPECT_EQ(c.data(), data);
  Buffer& same = c;
  c = std::move(same);
  EXPECT_EQ(c.data(), data);
  c = Buffer();
  EXPECT_EQ(budget.used(), 0);
}

TEST(Buffer, PastTheBudgetThrowsAndChargesNothing) {
  Budget budget(8192);
  const Buffer first(4096, budget, "first");
  EXPECT_THROW(Buffer(4097, budget, "second"), DoesNotFitError);
  EXPECT_EQ(budget.used(), 4096);
}

// Sizes at the end of the range must not overflow to small ones.
TEST(Buffer, AbsurdSizesDoNotFit) {
  Budget limited(1u << 20), unlimited;
  for (Budget* budget : {&limited, &unlimited}) {
    EXPECT_THROW(Buffer(~std::uint64_t{0}, *budget, "absurd"), DoesNotFitError);
    EXPECT_THROW(Buffer(~std::uint64_t{0} - 4096, *budget, "absurd"), DoesNotFitError);
    EXPECT_THROW(Buffer(std::uint64_t{1} << 60, *budget, "absurd"), DoesNotFitError);
    EXPECT_THROW(Array<std::uint64_t>((std::uint64_t{1} << 61) + 1, *budget, "absurd"), DoesNotFitError);
    EXPECT_EQ(budget->used(), 0);
  }
}

TEST(Buffer, InAFileIsZeroedMemoryAndLeavesNothing) {
  const std::string directory = testing::TempDir() + "millrace-far";
  std::filesystem::create_directory(directory);
  const char* const before = std::getenv("TMPDIR");
  const std::string old = before ? before : "";
  setenv("TMPDIR", directory.c_str(), 1);
  Budget budget(Budget::unlimited, "the disk", Keep::in_file);
  {
    Array<std::uint64_t> values(1'000'000, budget, "numbers");
    EXPECT_TRUE(std::filesystem::is_empty(directory)) << "it has no name";
    EXPECT_EQ(values[999'999], 0u);
    for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = i;
    Array<std::uint64_t> moved = std::move(values);
    EXPECT_EQ(moved[777'777], 777'777u);
    EXPECT_GE(budget.used(), 8'000'000u);
  }
  EXPECT_EQ(budget.used(), 0u);
  std::filesystem::remove(directory);
  EXPECT_THROW(Buffer(4096, budget, "test"), DoesNotFitError) << "nowhere to put it";
  EXPECT_EQ(budget.used(), 0u);
  before ? setenv("TMPDIR", old.c_str(), 1) : unsetenv("TMPDIR");
}

TEST(Array, HoldsValuesAndMoves) {
  Budget budget;
  Array<std::uint32_t> a(3, budget, "a");
  a[0] = 1, a[2] = 7;
  Array<std::uint32_t> b(std::move(a));
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a.begin(), a.end());
  EXPECT_TRUE(std::ranges::equal(b, std::initializer_list<std::uint32_t>{1, 0, 7}));
  a = std::move(b);
  EXPECT_TRUE(b.empty());
  EXPECT_EQ(std::span<std::uint32_t>(a).back(), 7);
  EXPECT_EQ(Array<std::uint32_t>(0, budget, "none").data(), nullptr);
}

TEST(Memory, PeakOfTheProcessGrowsWithUse) {
  EXPECT_GT(peak_resident_bytes(), 1u << 20);
  Budget budget;
  const std::uint64_t before = peak_resident_bytes();
  Buffer buffer(before + (32u << 20), budget, "test");
  for (std::uint64_t i = 0; i < buffer.size(); i += 4096) buffer.data()[i] = std::byte{1};
  EXPECT_GE(peak_resident_bytes(), before + (16u << 20));
}

TEST(AvailableMemory, IsBetweenSomethingAndWhatTheMachineHas) {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  EXPECT_GT(available_memory(), 1u << 20);
  EXPECT_LE(available_memory(), pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace
}  // namespace millrace
