// Asynchronous reads, by io_uring and by threads: every byte is read, whatever the kernel answers, and errors are
// reported.
#include "millrace/store/async_reads.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <random>
#include <set>

#include "millrace/core/error.h"
#include "millrace/core/memory.h"
#include "millrace/core/stopwatch.h"
#include "millrace/pages/format.h"
#include "store/store_fixture.h"

namespace millrace {
namespace {

using namespace test;

constexpr std::uint64_t block = page_alignment;

std::vector<std::byte> random_bytes(std::uint64_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

std::vector<ReadEnd> collect_all(AsyncReads& reads, std::size_t count) {
  std::vector<ReadEnd> ended;
  while (ended.size() < count) {
    const std::size_t before = ended.size();
    reads.collect(true, ended);
    if (ended.size() == before) break;
  }
  return ended;
}

class Reading : public DirectoryTest, public testing::WithParamInterface<ReaderKind> {
 protected:
  void open(std::vector<std::uint64_t> sizes, bool direct) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      contents_.push_back(random_bytes(sizes[i], i));
      const auto path = directory_ / std::to_string(i);
      write_file(path, contents_.back());
      files_.push_back(direct ? File::open_direct(path) : File::open(path));
    }
    try {
      reads_ = make_reads(files_, {memory_.data(), memory_.size() / 2}, GetParam());
    } catch (const IoError&) {
      GTEST_SKIP() << "no io_uring here";
    }
  }

  std::vector<std::vector<std::byte>> contents_;
  std::vector<File> files_;
  Buffer memory_{4u << 20, unlimited_budget(), "memory"};
  std::unique_ptr<AsyncReads> reads_;
};

class DirectReading : public Reading {
 protected:
  // On disk, not in memory: the file system must support direct reads.
  void SetUp() override {
    directory_ = std::filesystem::current_path() / ("async_reads_test_" + std::to_string(getpid()));
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
};

// Half of the memory is registered with the kernel, half is not.
void read_everything(AsyncReads& reads, const std::vector<std::vector<std::byte>>& contents, Buffer& memory) {
  struct Wanted {
    std::uint32_t file;
    std::uint64_t offset, bytes, place;
  };
  std::vector<Wanted> all;
  std::mt19937_64 random(5);
  std::uint64_t place = 0;
  for (std::uint32_t f = 0; f < contents.size(); ++f)
    for (std::uint64_t offset = 0; offset < contents[f].size();) {
      const std::uint64_t bytes = block * (1 + random() % 20);
      all.push_back({f, offset, bytes, place});
      offset += bytes, place += bytes;
    }
  ASSERT_LE(place, memory.size());
  std::shuffle(all.begin(), all.end(), random);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Wanted& w = all[i];
    reads.submit({.ticket = i,
                  .file = w.file,
                  .offset = w.offset,
                  .bytes = w.bytes,
                  .least = std::min<std::uint64_t>(w.bytes, contents[w.file].size() - w.offset),
                  .to = memory.data() + w.place});
  }
  std::set<std::uint64_t> tickets;
  for (const ReadEnd& end : collect_all(reads, all.size())) {
    EXPECT_EQ(end.error, 0) << std::strerror(end.error);
    tickets.insert(end.ticket);
  }
  EXPECT_EQ(tickets.size(), all.size());
  for (const Wanted& w : all) {
    const std::uint64_t there = std::min<std::uint64_t>(w.bytes, contents[w.file].size() - w.offset);
    EXPECT_EQ(std::memcmp(memory.data() + w.place, contents[w.file].data() + w.offset, there), 0)
        << "file " << w.file << " at " << w.offset;
  }
}

TEST_P(Reading, BringsEveryByteOfSeveralFiles) {
  open({1'000'000, 64, 700'032}, false);
  if (!reads_) return;
  read_everything(*reads_, contents_, memory_);
  std::vector<ReadEnd> none;
  reads_->collect(true, none);  // no read is pending, so it does not wait
  EXPECT_TRUE(none.empty());
}

TEST_P(DirectReading, BringsEveryByteOfSeveralFiles) {
  open({1'000'000, 64, 700'032}, true);
  if (!reads_) return;
  read_everything(*reads_, contents_, memory_);
}

TEST_P(Reading, SaysWhenAFileIsTooShort) {
  open({10'000}, false);
  if (!reads_) return;
  reads_->submit({.ticket = 7, .offset = 8192, .bytes = block, .least = 1809, .to = memory_.data()});
  reads_->submit({.ticket = 8, .offset = 12288, .bytes = block, .least = 1, .to = memory_.data() + block});
  reads_->submit({.ticket = 9, .offset = 8192, .bytes = block, .least = 1808, .to = memory_.data() + 2 * block});
  for (const ReadEnd& end : collect_all(*reads_, 3))
    EXPECT_EQ(end.error, end.ticket == 9 ? 0 : ReadEnd::too_short) << end.ticket;
}

// Reads that the kernel has accepted complete; the others end with an error, also those submitted later.
TEST_F(DirectoryTest, ASubmissionThatFailsEndsReadsThatWereNotSubmitted) {
  write_file(directory_ / "file", random_bytes(10 * block, 1));
  const File file = File::open(directory_ / "file");
  Buffer memory(10 * block, unlimited_budget(), "memory");
  int calls = 0;
  const auto reads = make_uring_reads({&file, 1}, {}, [&] { return ++calls > 3 ? -EBADF : 0; });
  if (!reads) GTEST_SKIP() << "no io_uring here";
  for (std::uint64_t i = 0; i < 10; ++i)
    reads->submit({.ticket = i, .offset = i * block, .bytes = block, .least = block, .to = memory.data() + i * block});
  std::set<std::uint64_t> tickets;
  for (const ReadEnd& end : collect_all(*reads, 10)) {
    EXPECT_EQ(end.error, end.ticket < 3 ? 0 : EBADF) << end.ticket;
    tickets.insert(end.ticket);
  }
  EXPECT_EQ(tickets.size(), 10u);
  // The destructor does not wait for these.
  reads->submit({.ticket = 11, .bytes = block, .least = block, .to = memory.data()});
}

TEST_P(Reading, TellsTheErrorOfTheSystem) {
  const File directory = File::open_directory(directory_).value();
  std::unique_ptr<AsyncReads> reads;
  try {
    reads = make_reads({&directory, 1}, {}, GetParam());
  } catch (const IoError&) {
    GTEST_SKIP() << "no io_uring here";
  }
  reads->submit({.ticket = 3, .bytes = block, .least = block, .to = memory_.data()});
  const auto ended = collect_all(*reads, 1);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].error, EISDIR);
}

// Their memory may be freed as soon as the object is destroyed.
TEST_P(Reading, WaitsForReadsUnderWayWhenItGoes) {
  open({2'000'000}, false);
  if (!reads_) return;
  for (std::uint64_t i = 0; i < 400; ++i)
    reads_->submit(
        {.ticket = i, .offset = i * block, .bytes = block, .least = block, .to = memory_.data() + i * block});
  reads_.reset();
}

const auto kind_name = [](const testing::TestParamInfo<ReaderKind>& info) {
  return std::string(info.param == ReaderKind::uring ? "uring" : "threads");
};
INSTANTIATE_TEST_SUITE_P(Kinds, Reading, testing::Values(ReaderKind::uring, ReaderKind::threads), kind_name);
INSTANTIATE_TEST_SUITE_P(Kinds, DirectReading, testing::Values(ReaderKind::uring, ReaderKind::threads), kind_name);

TEST(CutRead, LeavesTheEndOfAFileToTheLastPiece) {
  std::vector<std::byte> memory(5 * 4096);
  const DiskRead read{
      .ticket = 7, .file = 2, .offset = 8192, .bytes = 5 * 4096, .least = 4 * 4096 + 1, .to = memory.data()};
  std::vector<DiskRead> pieces;
  cut_read(read, 2 * 4096, pieces);
  ASSERT_EQ(pieces.size(), 3u);
  std::uint64_t at = 0;
  for (const DiskRead& piece : pieces) {
    EXPECT_EQ(piece.ticket, 7u);
    EXPECT_EQ(piece.file, 2u);
    EXPECT_EQ(piece.offset, 8192 + at);
    EXPECT_EQ(piece.to, memory.data() + at);
    at += piece.bytes;
  }
  EXPECT_EQ(at, read.bytes);
  EXPECT_EQ(pieces[0].least, 2 * 4096u);
  EXPECT_EQ(pieces[1].least, 2 * 4096u);
  EXPECT_EQ(pieces[2].least, 1u);

  pieces.clear();
  cut_read(read, 1 << 20, pieces);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].bytes, read.bytes);
  EXPECT_EQ(pieces[0].least, read.least);
}

TEST(ReadAdvance, GoesOnWhereTheKernelStopped) {
  std::vector<std::byte> bytes(3 * block);
  std::byte* const memory = bytes.data();
  ReadAttempt attempt{{.offset = 4 * block, .bytes = 3 * block, .least = 2 * block + 10, .to = memory}};
  int error = 0;
  for (const int again : {-EINTR, -EAGAIN}) EXPECT_EQ(advance(attempt, again, error), ReadState::goes_on);
  EXPECT_EQ(attempt.read.offset, 4 * block) << "nothing came";
  EXPECT_EQ(advance(attempt, block + 100, error), ReadState::goes_on);
  EXPECT_EQ(attempt.read.offset, 5 * block) << "whole blocks count";
  EXPECT_EQ(attempt.read.bytes, 2 * block);
  EXPECT_EQ(attempt.read.least, block + 10);
  EXPECT_EQ(attempt.read.to, memory + block);
  EXPECT_EQ(advance(attempt, block + 10, error), ReadState::ended);
  EXPECT_EQ(error, 0);
}

TEST(ReadAdvance, EndsWithAnErrorWhereThereIsNoMore) {
  const DiskRead read{.bytes = 2 * block, .least = block + 1};
  int error = 0;
  ReadAttempt failed{read};
  EXPECT_EQ(advance(failed, -EIO, error), ReadState::ended);
  EXPECT_EQ(error, EIO);
  ReadAttempt ended{read};
  EXPECT_EQ(advance(ended, 0, error), ReadState::ended);
  EXPECT_EQ(error, ReadEnd::too_short);
  ReadAttempt stuck{read};
  int turns = 0;
  while (advance(stuck, 5, error) == ReadState::goes_on) ASSERT_LT(++turns, 10'000) << "goes on for ever";
  EXPECT_EQ(error, ReadEnd::too_short);
}

// A kernel that returns a block at a time, and sometimes nothing.
TEST(ThreadReads, BringEverythingFromAReluctantKernel) {
  const auto content = random_bytes(300'000, 3);
  std::atomic<int> calls{0};
  const auto call = [&](int, std::byte* to, std::uint64_t bytes, std::uint64_t offset) -> std::int64_t {
    const int turn = ++calls;
    if (turn % 5 == 0) return -EINTR;
    if (turn % 7 == 0) return -EAGAIN;
    const std::uint64_t given = std::min({bytes, block + 17, content.size() - std::min(offset, content.size())});
    std::memcpy(to, content.data() + offset, given);
    return static_cast<std::int64_t>(given);
  };
  const File file = File::open_directory("/").value();  // not read from
  const auto reads = make_thread_reads({&file, 1}, 4, call);
  Buffer memory(1u << 20, unlimited_budget(), "memory");
  read_everything(*reads, {content}, memory);
}

TEST_P(Reading, IsAsSlowAsAsked) {
  setenv("MILLRACE_DISK_GBPS", "0.05", 1);
  open({1'000'000, 64, 700'032}, false);
  unsetenv("MILLRACE_DISK_GBPS");
  if (!reads_) return;
  const Stopwatch watch;
  read_everything(*reads_, contents_, memory_);
  EXPECT_GE(watch.seconds(), 1'700'096 / 0.05e9);
  std::vector<ReadEnd> none;
  reads_->collect(true, none);  // no read is pending, so it does not wait
  EXPECT_TRUE(none.empty());
}

TEST_P(Reading, IsSlowOnlyWhereSomeoneWaits) {
  setenv("MILLRACE_DISK_GBPS", "0.001", 1);
  open({100 * block}, false);
  unsetenv("MILLRACE_DISK_GBPS");
  if (!reads_) return;
  const Stopwatch watch;
  std::vector<ReadEnd> ended;
  // 4 ms, then 41 ms: the pieces of a load have the same ticket.
  for (const std::uint64_t blocks : {1, 10})
    reads_->submit({.ticket = 7, .offset = 0, .bytes = blocks * block, .least = blocks * block, .to = memory_.data()});
  reads_->collect(true, ended);
  EXPECT_EQ(ended.size(), 1u);
  EXPECT_GE(watch.seconds(), block / 0.001e9);
  for (int i = 0; i < 100; ++i) reads_->collect(false, ended);
  const std::size_t early = ended.size();
  EXPECT_TRUE(early == 1 || watch.seconds() >= 11 * block / 0.001e9);
  if (early == 1) reads_->collect(true, ended);
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_GE(watch.seconds(), 11 * block / 0.001e9);
  for (const ReadEnd& end : ended) EXPECT_EQ(end.ticket, 7u);
}

TEST(ReaderFromEnvironment, RefusesADiskThatHasNoRate) {
  for (const char* const value : {"fast", "0", "-1", "1GB", "nan", "inf"}) {
    setenv("MILLRACE_DISK_GBPS", value, 1);
    EXPECT_THROW(reader_from_environment(), UsageError) << value;
  }
  setenv("MILLRACE_DISK_GBPS", "", 1);
  EXPECT_EQ(reader_from_environment(), ReaderKind::best);
  unsetenv("MILLRACE_DISK_GBPS");
}

TEST(ReaderFromEnvironment, IsWhatItSays) {
  const auto with = [](const char* value) {
    setenv("MILLRACE_READER", value, 1);
    return reader_from_environment();
  };
  EXPECT_EQ(with("threads"), ReaderKind::threads);
  EXPECT_EQ(with("uring"), ReaderKind::uring);
  EXPECT_EQ(with(""), ReaderKind::best);
  EXPECT_THROW(with("paper"), UsageError);
  unsetenv("MILLRACE_READER");
  EXPECT_EQ(reader_from_environment(), ReaderKind::best);
}

}  // namespace
}  // namespace millrace
