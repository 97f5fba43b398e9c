#include "millrace/plan/cost.h"

#include <cmath>

namespace millrace::test {
namespace {

GraphSize graph_of(double vertices, GraphKind kind) {
  return {.kind = kind, .vertices = vertices, .edges = 16 * vertices, .page_bytes = 40 * vertices};
}

RunSample sample(const std::string& device, double vertices, double seconds, GraphKind kind = GraphKind::skewed) {
  return {.algorithm = "bfs",
          .device = device,
          .threads = 2,
          .graph = graph_of(vertices, kind),
          .seconds = seconds,
          .supersteps = 8};
}

RunToPredict run(const std::string& device, double vertices, GraphKind kind = GraphKind::skewed) {
  return {.algorithm = "bfs", .graph = graph_of(vertices, kind), .device = device, .threads = 2, .placement = {}};
}

TEST(CostTest, IsThatOfASampleOfTheSameSize) {
  Calibration known;
  known.samples = {sample("cpu", 1 << 16, 0.01), sample("cpu", 1 << 20, 0.4)};
  EXPECT_NEAR(predict(known, run("cpu", 1 << 16))->seconds, 0.01, 1e-9);
  EXPECT_NEAR(predict(known, run("cpu", 1 << 20))->seconds, 0.4, 1e-9);
  EXPECT_FALSE(predict(known, run("cpu", 1 << 20))->beyond);
}

TEST(CostTest, IsAPowerOfTheVerticesBetweenSamplesAndPastThem) {
  Calibration known;
  known.samples = {sample("cpu", 1 << 16, 0.01), sample("cpu", 1 << 20, 0.01 * 16 * 4)};  // 4 x as long for each edge
  EXPECT_NEAR(predict(known, run("cpu", 1 << 18))->seconds, 0.01 * 4 * 2, 1e-9);
  EXPECT_NEAR(predict(known, run("cpu", 1 << 22))->seconds, 0.01 * 64 * 8, 1e-9);
  EXPECT_TRUE(predict(known, run("cpu", 1 << 23))->beyond) << "eight times the largest sample";
}

TEST(CostTest, PastTheSamplesFallsHalfAsFast) {
  Calibration known;
  known.samples = {sample("cuda", 1 << 16, 0.001), sample("cuda", 1 << 20, 0.001)};  // launches alone
  EXPECT_NEAR(predict(known, run("cuda", 1 << 24))->seconds, 0.004, 1e-9);
}

TEST(CostTest, PastSamplesOfLaunchesAnEdgeCostsWhatMoreEdgesTookAndWhatSlowerReadsTake) {
  Calibration known;
  known.samples = {sample("cuda", 1 << 14, 0.001), sample("cuda", 1 << 18, 0.002)};
  known.gpus = {{.to_device = 50e9, .to_host = 50e9, .both_ways = 40e9}};
  const double of_edges = 0.001 / (15 << 14);  // for each vertex and its edges
  const double even = 0.002 + of_edges * ((1 << 30) - (1 << 18));
  EXPECT_NEAR(predict(known, run("cuda", 1 << 30))->seconds, even, 1e-6);
  known.gpus[0].random_reads = {{1 << 20, 160e9}, {std::uint64_t{1} << 32, 40e9}};
  const double slow = 0.002 + 4 * of_edges * ((1 << 30) - (1 << 18));
  EXPECT_NEAR(predict(known, run("cuda", 1 << 30))->seconds, slow, 1e-6);
}

TEST(CostTest, OfSmallGraphsIsThatOfTheirSupersteps) {
  Calibration known;
  known.samples = {sample("cuda", 1 << 16, 0.001), sample("cuda", 1 << 20, 0.001)};
  EXPECT_NEAR(predict(known, run("cuda", 1 << 8))->seconds, 0.001, 1e-9) << "launches do not become faster";
}

TEST(CostTest, IsUnknownWithoutSamples) {
  Calibration known;
  EXPECT_FALSE(predict(known, run("cpu", 1 << 16)));
  known.samples = {sample("cpu", 1 << 16, 0.01)};
  EXPECT_FALSE(predict(known, run("cuda", 1 << 16)));
  EXPECT_TRUE(predict(known, run("cpu", 1 << 16)));
}

TEST(CostTest, TakesTheSamplesOfTheSameKindOfGraph) {
  Calibration known;
  known.samples = {sample("cpu", 1 << 16, 0.01), sample("cpu", 1 << 16, 0.5, GraphKind::local)};
  EXPECT_NEAR(predict(known, run("cpu", 1 << 16, GraphKind::local))->seconds, 0.5, 1e-9);
  const auto uniform = predict(known, run("cpu", 1 << 16, GraphKind::uniform));
  EXPECT_NEAR(uniform->seconds, 0.01, 1e-9);
  EXPECT_TRUE(uniform->beyond);
}

TEST(CostTest, GrowsWithUnitsAndShrinksWithThreads) {
  Calibration known;
  known.samples = {sample("cpu", 1 << 16, 0.01)};
  known.host.by_threads = {{1, 1e9, 1e9}, {2, 2e9, 1.5e9}};
  RunToPredict twice = run("cpu", 1 << 16);
  twice.units = 2;
  EXPECT_NEAR(predict(known, twice)->seconds, 0.02, 1e-9);
  RunToPredict alone = run("cpu", 1 << 16);
  alone.threads = 1;
  EXPECT_NEAR(predict(known, alone)->seconds, 0.015, 1e-9);
}

TEST(CostTest, OfSeveralGpusIsSharedAndExchanged) {
  Calibration known;
  known.hardware.gpus = {{}};
  known.gpus = {{.to_device = 1e9 / 0.91}};
  known.samples = {sample("cuda", 1 << 20, 0.1)};
  RunToPredict two = run("cuda", 1 << 20);
  two.gpus = 2;
  two.message_bytes = 4;
  const Prediction made = *predict(known, two);
  EXPECT_NEAR(made.exchanged_bytes, 8.0 * (1 << 20) * 4 / 2, 1);
  EXPECT_NEAR(made.seconds, 0.05 + made.exchanged_bytes / 1e9, 1e-6);
}

// The link has 1 GB/s; computing takes 0.1 s with all pages there.
struct StreamedCostTest : testing::Test {
  StreamedCostTest() {
    known.hardware.gpus = {{}};
    known.gpus = {{.to_device = 1e9 / 0.91}};
    known.samples = {sample("cuda", 1 << 20, 0.1)};
    pages = known.samples[0].graph.page_bytes;
  }
  void stream(std::vector<StepGroup> groups, const std::string& device = "cuda") {
    RunSample more = known.samples[0];
    more.device = device;
    more.streamed = StreamedSample{.missed = 1, .slowdown = 1, .groups = std::move(groups)};
    known.samples.push_back(more);
  }
  RunToPredict streamed(double cached, const std::string& device = "cuda") const {
    RunToPredict one = run(device, 1 << 20);
    one.placement.resident = false;
    one.placement.page_bytes = static_cast<std::uint64_t>(pages);
    one.placement.cache_bytes = static_cast<std::uint64_t>(cached * pages);
    return one;
  }
  Prediction at(double cached, const std::string& device = "cuda") const {
    return *predict(known, streamed(cached, device));
  }
  Calibration known;
  double pages = 0;
};

TEST_F(StreamedCostTest, IsTheSlowerOfLinkAndComputing) {
  stream({{.supersteps = 10, .needed = 10, .compute = 1}});
  const Prediction none = at(0), most = at(0.95);
  EXPECT_NEAR(none.seconds, 10 * pages / 1e9, 1e-6);
  EXPECT_EQ(none.bound(), "link");
  EXPECT_NEAR(none.link_bytes, 10 * pages, 1);
  EXPECT_NEAR(most.seconds, 0.1, 1e-6);
  EXPECT_EQ(most.bound(), "computing");
}

TEST_F(StreamedCostTest, IsSummedOverGroupsOfSupersteps) {
  // One superstep loads everything, the others compute.
  stream({{.supersteps = 1, .needed = 10, .compute = 0.1}, {.supersteps = 5, .compute = 0.9}});
  EXPECT_NEAR(at(0).seconds, 10 * pages / 1e9 + 0.09, 1e-6);
}

TEST_F(StreamedCostTest, IsBetweenSamplesWithMoreAndLessRoom) {
  for (const auto& [uncached, longer] : {std::pair(0.9, 2.0), {0.5, 1.0}}) {
    stream({{.supersteps = 1, .needed = 100, .compute = 1, .longer = longer}});
    known.samples.back().streamed->uncached = uncached;
  }
  const double link = 100 * pages / 1e9;
  EXPECT_NEAR(at(0.1).seconds, 0.9 * link * 2, 1e-4);
  EXPECT_NEAR(at(0.5).seconds, 0.5 * link, 1e-4);
  EXPECT_NEAR(at(0.3).seconds, 0.7 * link * std::sqrt(2.0), 1e-4);
  EXPECT_NEAR(at(0.02).seconds, 0.98 * link * 2, 1e-4) << "less room than any sample had";
}

TEST_F(StreamedCostTest, OfAHelpedGpuIsLessByWhatTheCpuTakes) {
  stream({{.supersteps = 10, .needed = 10, .compute = 1}});
  stream({{.supersteps = 10, .needed = 10, .helped = 0.5, .compute = 1}}, "cpu,cuda");
  EXPECT_NEAR(at(0, "cpu,cuda").seconds, at(0).seconds / 2, 1e-6);
  EXPECT_NEAR(at(0, "cpu,cuda").helped_bytes, 5 * pages, 1);
}

TEST_F(StreamedCostTest, FromDiskIsThatOfWhatNoMemoryHolds) {
  known.host.disk = 1e8;
  stream({{.supersteps = 1, .needed = 1, .compute = 1}});
  RunToPredict one = streamed(0.25);
  one.placement.from_disk = true;
  one.placement.host_bytes = static_cast<std::uint64_t>(0.25 * pages);
  const Prediction made = *predict(known, one);
  EXPECT_NEAR(made.disk_bytes, 0.5 * pages, 1);
  EXPECT_NEAR(made.seconds, 0.5 * pages / 1e8, 1e-6);
  EXPECT_EQ(made.bound(), "disk");
}

// Memory that holds all pages, once they were read: the first superstep waits for the disk, the others do not.
TEST_F(StreamedCostTest, OfARunIsThatOfReadingEachPageFirst) {
  known.host.disk = 1e7;
  stream({{.supersteps = 8, .needed = 8, .compute = 1}});
  RunToPredict one = streamed(0.25);
  one.placement.from_disk = true;
  one.placement.host_bytes = static_cast<std::uint64_t>(0.75 * pages);
  one.units = 3;
  const Prediction warm = *predict(known, one);
  EXPECT_EQ(warm.disk_bytes, 0);
  EXPECT_EQ(warm.first_bytes, 0);
  one.first = true;
  const Prediction cold = *predict(known, one);
  EXPECT_NEAR(cold.first_bytes, pages, 1);
  EXPECT_NEAR(cold.disk_bytes, pages, 1);
  EXPECT_NEAR(cold.disk, pages / 1e7, 1e-6);
  EXPECT_NEAR(cold.seconds, warm.seconds * 23 / 24 + pages / 1e7, 1e-6) << "24 supersteps, and the disk in the first";
  EXPECT_NEAR(cold.first_seconds, cold.seconds - warm.seconds, 1e-9);
  EXPECT_EQ(cold.bound(), "disk");

  // Where half of the pages find no room, the other half is read once more than without.
  one.placement.host_bytes = static_cast<std::uint64_t>(0.25 * pages);
  const Prediction half = *predict(known, one);
  EXPECT_NEAR(half.first_bytes, 0.5 * pages, 1);
  EXPECT_NEAR(half.disk_bytes, (24 * 0.5 + 0.5) * pages, 1);
  EXPECT_NEAR(half.seconds, (24 * 0.5 + 0.5) * pages / 1e7, 1e-6);
}

TEST_F(StreamedCostTest, OfARunWhosePagesAreInMemoryHasNoFirstPass) {
  stream({{.supersteps = 8, .needed = 8, .compute = 1}});
  RunToPredict one = streamed(0.25);
  const double warm = predict(known, one)->seconds;
  one.first = true;
  EXPECT_EQ(predict(known, one)->seconds, warm);
  one.placement.resident = true;
  EXPECT_EQ(predict(known, one)->first_bytes, 0);
}

// Few supersteps need few pages, and these alone are read.
TEST_F(StreamedCostTest, OfARunThatNeedsFewPagesReadsFew) {
  known.host.disk = 1e8;
  stream({{.supersteps = 2, .needed = 0.25, .compute = 1}});
  RunToPredict one = streamed(1);
  one.placement.from_disk = true;
  one.first = true;
  EXPECT_NEAR(predict(known, one)->first_bytes, 0.25 * pages, 1);
}

TEST_F(StreamedCostTest, OfChunksIsOncePerChunk) {
  stream({{.supersteps = 1, .needed = 1, .compute = 1}});
  RunToPredict one = streamed(0);
  const double once = predict(known, one)->seconds;
  one.passes = 4;
  EXPECT_NEAR(predict(known, one)->seconds, 4 * once, 1e-9);
}

}  // namespace
}  // namespace millrace::test
