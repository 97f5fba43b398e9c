#include "millrace/plan/calibration.h"

#include <cstdlib>

#include "millrace/core/error.h"
#include "millrace/core/throttle.h"
#include "support/graphs.h"

namespace millrace::test {
namespace {

Calibration some_calibration() {
  Calibration made;
  made.hardware = {.processor = "p", .cores = 4, .memory = 1 << 30, .gpus = {{0, "g", 1 << 20, "0:0"}}};
  made.made = "2026-01-01 00:00:00";
  made.host = {.read_bandwidth = 1e10,
               .random_reads = {{1 << 20, 1e9}},
               .by_threads = {{1, 1e9, 5e8}, {4, 4e9, 2e9}},
               .disk = 2e9};
  made.gpus = {{.to_device = 5e10, .to_host = 5e10, .copy = 4e12, .random_reads = {{1 << 30, 4e10}}}};
  made.samples = {
      {.algorithm = "bfs",
       .device = "cuda",
       .threads = 4,
       .graph = {.kind = GraphKind::local, .vertices = 100, .edges = 400, .page_bytes = 999},
       .seconds = 0.25,
       .supersteps = 12,
       .streamed = StreamedSample{
           .seconds = 1, .uncached = 0.75, .missed = 0.5, .slowdown = 1.5, .groups = {{1, 0.5, 0.25, 1, 1.1, 0.01}}}}};
  return made;
}

struct CalibrationFileTest : testing::Test {
  TempDir folder;
  std::filesystem::path file = folder.path() / "below" / "machine.json";
};

TEST_F(CalibrationFileTest, ComesBackAsItWasSaved) {
  const Calibration made = some_calibration();
  save_calibration(made, file);
  const auto found = load_calibration(file, made.hardware);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->made, made.made);
  EXPECT_EQ(found->host.by_threads[1].gathered, 2e9);
  EXPECT_EQ(found->gpus[0].random_reads[0].rate, 4e10);
  ASSERT_EQ(found->samples.size(), 1u);
  const RunSample& sample = found->samples[0];
  EXPECT_EQ(sample.graph.kind, GraphKind::local);
  EXPECT_EQ(sample.seconds, 0.25);
  ASSERT_TRUE(sample.streamed);
  EXPECT_EQ(sample.streamed->groups[0].longer, 1.1);
  EXPECT_EQ(sample.streamed->groups[0].helped, 0.25);
}

TEST_F(CalibrationFileTest, OfAnotherMachineIsNotUsed) {
  const Calibration made = some_calibration();
  save_calibration(made, file);
  Hardware other = made.hardware;
  other.gpus.clear();
  std::string remark;
  EXPECT_FALSE(load_calibration(file, other, &remark));
  EXPECT_NE(remark.find("another machine, p, 4 cores, g"), std::string::npos) << remark;
  EXPECT_NE(calibration_file(other), calibration_file(made.hardware)) << "machines with one home";
}

TEST_F(CalibrationFileTest, ThatIsDamagedIsNotUsed) {
  const Calibration made = some_calibration();
  save_calibration(made, file);
  for (const std::string text : {"", "{", "[]", "{\"calibration_version\": 1}", "{\"calibration_version\": 99}"}) {
    std::ofstream(file) << text;
    std::string remark;
    EXPECT_FALSE(load_calibration(file, made.hardware, &remark)) << text;
    EXPECT_FALSE(remark.empty()) << text;
  }
  std::filesystem::remove(file);
  std::string remark;
  EXPECT_FALSE(load_calibration(file, made.hardware, &remark));
  EXPECT_TRUE(remark.empty()) << "there is nothing to remark on";
}

TEST(CalibrationTest, ReplacesASampleOfTheSameGraph) {
  Calibration made = some_calibration();
  RunSample again = made.samples[0];
  again.seconds = 3;
  made.add(again);
  ASSERT_EQ(made.samples.size(), 1u);
  EXPECT_EQ(made.samples[0].seconds, 3);
  again.streamed.reset();
  made.add(again);
  EXPECT_EQ(made.samples.size(), 2u) << "one with all pages, and one that streams";
}

TEST(CalibrationTest, RatesFollowTheThrottle) {
  const Calibration made = some_calibration();
  EXPECT_NEAR(made.cuda_rates(0).link, 0.91 * 5e10, 1);
  EXPECT_EQ(made.cuda_rates(0).disk, 2e9);
  setenv("MILLRACE_LINK_GBPS", "6", 1);
  setenv("MILLRACE_DISK_GBPS", "0.5", 1);
  EXPECT_EQ(made.cuda_rates(0).link, 6e9);
  EXPECT_EQ(made.cuda_rates(0).disk, 5e8);
  {
    const Unthrottled machine;
    EXPECT_EQ(link_throttle(), 0);
  }
  setenv("MILLRACE_LINK_GBPS", "fast", 1);
  EXPECT_THROW(link_throttle(), UsageError);
  unsetenv("MILLRACE_LINK_GBPS");
  unsetenv("MILLRACE_DISK_GBPS");
}

TEST(CalibrationTest, OfAGpuWithHalfTheBandwidthHasHalfTheRates) {
  Calibration made = some_calibration();
  const CudaRates whole = made.cuda_rates(0);
  made.gpus[0].copy /= 2;
  made.gpus[0].random_reads[0].rate /= 4;
  const CudaRates less = made.cuda_rates(0);
  EXPECT_NEAR(less.decoded_edges, whole.decoded_edges / 2, 1);
  EXPECT_NEAR(less.pulled_far, whole.pulled_far / 4, 1);
}

}  // namespace
}  // namespace millrace::test
