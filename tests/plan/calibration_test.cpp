#include "millrace/plan/calibration.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "millrace/core/error.h"
#include "millrace/core/throttle.h"
#include "millrace/plan/machine_rates.h"
#include "millrace/run/calibrate.h"
#include "support/temp_dir.h"

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

TEST(CalibrationTest, KeepsTheFastestSampleOfAGraph) {
  Calibration made = some_calibration();
  RunSample again = made.samples[0];
  again.streamed->seconds = 3;
  made.add(again);
  ASSERT_EQ(made.samples.size(), 1u);
  EXPECT_EQ(made.samples[0].streamed->seconds, 1) << "others used the machine";
  again.streamed->seconds = 0.5;
  made.add(again);
  ASSERT_EQ(made.samples.size(), 1u);
  EXPECT_EQ(made.samples[0].streamed->seconds, 0.5);
  again.streamed.reset();
  made.add(again);
  EXPECT_EQ(made.samples.size(), 2u) << "one with all pages, and one that streams";
  again.seconds = 0.125;
  made.add(again);
  ASSERT_EQ(made.samples.size(), 2u);
  EXPECT_EQ(made.samples[1].seconds, 0.125);
}

// A run on an idle machine stands for samples of graphs of about its size that were taken on a busy one.
TEST(CalibrationTest, LearnsFromFasterRuns) {
  const auto sample = [](double vertices, double seconds) {
    return RunSample{.algorithm = "pagerank",
                     .device = "cpu",
                     .threads = 2,
                     .graph = {.vertices = vertices, .edges = 16 * vertices},
                     .seconds = seconds};
  };
  Calibration known;
  known.samples = {sample(1000, 1), sample(1e6, 1000)};
  EXPECT_FALSE(known.learn(sample(1.2e6, 1300))) << "slower for each edge";
  EXPECT_EQ(known.samples.size(), 2u);
  EXPECT_TRUE(known.learn(sample(1.2e6, 600)));
  ASSERT_EQ(known.samples.size(), 2u) << "in place of the one beside it";
  EXPECT_EQ(known.samples[0].seconds, 1);
  EXPECT_EQ(known.samples[1].seconds, 600);
  EXPECT_FALSE(known.learn(sample(1e6, 600))) << "the larger graph took as long";
  EXPECT_TRUE(known.learn(sample(30'000, 20))) << "no other has about that size";
  EXPECT_EQ(known.samples.size(), 3u);
  RunSample other = sample(1000, 0.5);
  other.graph.kind = GraphKind::local;
  EXPECT_TRUE(known.learn(other)) << "of its kind there is none";
  EXPECT_EQ(known.samples.size(), 4u);
}

// Time that ran out is no reason never to try again; and one sample is taken whatever the time, if a run needs it.
TEST(CalibrationTest, WithoutTimeMeasuresOneSampleIfItMust) {
  CalibrateOptions options{.algorithms = {"wcc"}, .kinds = {GraphKind::local}, .quick = true, .seconds = 0};
  const Calibration none = calibrate(options);
  EXPECT_TRUE(none.samples.empty());
  EXPECT_TRUE(none.unable.empty());
  EXPECT_NE(calibration_text(none, {"wcc"}).find("wcc: measured when"), std::string::npos);
  options.insist = true;
  const Calibration one = calibrate(options, none);
  EXPECT_TRUE(one.has_samples("wcc", "cpu", GraphKind::local));
  EXPECT_NE(calibration_text(one, {"wcc"}).find("wcc (skewed, uniform): measured when"), std::string::npos)
      << calibration_text(one, {"wcc"});
  EXPECT_EQ(calibration_text(one).find("measured when"), std::string::npos);
}

// Of a quick calibration the rates are measured on a smaller graph.
TEST(CalibrationTest, IsNotReplacedByAQuickOne) {
  Calibration known;
  known.hardware = this_hardware();
  known.quick = false;
  known.host = {.read_bandwidth = 1, .by_threads = {{1, 1, 1}}};
  const auto again = [&](bool quick, bool insist) {
    return calibrate(
        {.algorithms = {"wcc"}, .kinds = {GraphKind::local}, .quick = quick, .seconds = 0, .insist = insist}, known);
  };
  const Calibration beside = again(true, false);
  EXPECT_EQ(beside.host.read_bandwidth, 1);
  EXPECT_EQ(beside.host.by_threads.size(), 1u);
  EXPECT_FALSE(beside.quick);
  EXPECT_EQ(calibration_text(beside).find(", quickly"), std::string::npos);
  EXPECT_GT(again(false, false).host.read_bandwidth, 1) << "calibrate was asked for";
  known.quick = true;
  EXPECT_GT(again(true, false).host.read_bandwidth, 1) << "as good as the one before";
  EXPECT_EQ(again(true, true).host.read_bandwidth, 1) << "of a run that lacks samples";
}

TEST(MachineRatesTest, OfManyThreadsAreMeasuredAgainWhereFewerWereFaster) {
  std::map<int, int> asked;
  const auto rates = measure_by_threads(6, [&](int threads) {
    const int turn = ++asked[threads];
    const double disturbed = threads == 2 && turn < 3 ? 0.01 : threads == 6 ? 0.1 : 1;
    return HostRates::ByThreads{threads, disturbed * threads * 1e9, disturbed * threads * 5e8};
  });
  EXPECT_EQ(asked[1], 1);
  EXPECT_EQ(asked[2], 3);
  EXPECT_EQ(asked[4], 1);
  EXPECT_GT(asked[6], 1);
  ASSERT_EQ(rates.size(), 3u) << "what six threads gave cannot be";
  EXPECT_EQ(rates[1].threads, 2);
  EXPECT_EQ(rates[1].decoded, 2e9);
  EXPECT_EQ(rates[2].threads, 4);
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
