// Statistics, bounds and predictions of benchmarks.
#include "millrace/report/measurement.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace millrace {
namespace {

Measurement pagerank() {
  Measurement m;
  m.store = "g.store";
  m.algorithm = "pagerank";
  m.unit = "iteration";
  m.device = "cuda:0";
  m.model = "NVIDIA H200";
  m.seconds = {0.02, 0.01, 0.05};
  m.edges = m.looks = 1e9;
  m.bytes = 2e9;
  m.supersteps = 1;
  m.placement.resident = true;
  m.placement.page_bytes = 2'000'000'000;
  m.cached_bytes = 2e9;
  return m;
}

Measurement streamed(double cached_share) {
  Measurement m = pagerank();
  m.placement.resident = false;
  m.placement.cache_bytes = static_cast<std::uint64_t>(cached_share * 2e9);
  m.cached_bytes = cached_share * 2e9;
  m.loaded_bytes = 2e9 - m.cached_bytes;
  m.seconds = {m.loaded_bytes / 40e9};
  return m;
}

Measurement searches() {
  Measurement m;
  m.algorithm = "bfs";
  m.device = "cuda:0";
  m.model = "NVIDIA H200";
  m.searches = {{.source = 3, .seconds = 0.001, .edges = 1e6, .levels = 4},
                {.source = 0, .hub = true, .seconds = 0.003, .edges = 1e6, .levels = 6}};
  m.seconds = {0.001, 0.003};
  m.edges = 1e6;
  m.looks = 1e5;
  m.bytes = 1e5;
  m.supersteps = 5;
  return m;
}

const BenchLimits limits{
    .bandwidth = 4e12, .value_reads = 50e9, .bit_reads = 150e9, .link = 50e9, .launch_seconds = 1e-5};

TEST(Measurement, TakesTheMedianOfRepeatsAndTheMeanOfSearches) {
  EXPECT_DOUBLE_EQ(pagerank().unit_seconds(), 0.02);
  EXPECT_DOUBLE_EQ(pagerank().gteps(), 50);
  EXPECT_DOUBLE_EQ(searches().unit_seconds(), 0.002);
  EXPECT_DOUBLE_EQ(searches().gteps(), 0.5);  // harmonic mean of 1 and 1/3
}

TEST(Measurement, CopesWithNothingMeasured) {
  Measurement m;
  for (const char* const work : {"pagerank", "bfs", "load"}) {
    m.algorithm = work;
    const auto json = nlohmann::json::parse(measurement_json(m, {}));
    EXPECT_EQ(json.at("gteps"), 0);
    EXPECT_EQ(json.at("ratio_to_limit"), 0);
    EXPECT_EQ(measurement_text(m, {}).find("nan"), std::string::npos);
  }
}

TEST(Bound, IsTheSlowestResource) {
  EXPECT_EQ(bound_of(pagerank(), limits).resource, "random reads");
  EXPECT_DOUBLE_EQ(bound_of(pagerank(), limits).seconds, 0.02);
  EXPECT_EQ(bound_of(streamed(0), limits).resource, "link");
  EXPECT_DOUBLE_EQ(bound_of(streamed(0), limits).seconds, 0.04);
  EXPECT_EQ(bound_of(searches(), limits).resource, "launches");
  EXPECT_DOUBLE_EQ(bound_of(searches(), limits).seconds, 5e-5);
  Measurement many_bytes = pagerank();
  many_bytes.bytes = 4e12;
  EXPECT_EQ(bound_of(many_bytes, limits).resource, "memory");
}

TEST(Bound, OfALoadIsTheLinkWhereThereIsOne) {
  Measurement m = pagerank();
  m.algorithm = "load";
  EXPECT_EQ(bound_of(m, limits).resource, "link");
  EXPECT_EQ(bound_of(m, {.bandwidth = 20e9}).resource, "memory");
  EXPECT_DOUBLE_EQ(bound_of(m, {.bandwidth = 20e9}).seconds, 0.1);
}

TEST(MeasurementJson, HasThePartOfTheCpuAndPhases) {
  Measurement helped = streamed(0.5);
  helped.helped_bytes = 3 * helped.loaded_bytes;
  helped.phases.copy = 0.25;
  const auto json = nlohmann::json::parse(measurement_json(helped, limits));
  EXPECT_DOUBLE_EQ(json.at("helped_bytes"), helped.helped_bytes);
  EXPECT_DOUBLE_EQ(json.at("phases").at("copy"), 0.25);
  EXPECT_NE(measurement_text(helped, limits).find("75% of what the GPU would have had to load"), std::string::npos);
}

TEST(MeasurementJson, HasWhatProgramsAskFor) {
  const auto half = nlohmann::json::parse(measurement_json(streamed(0.5), limits));
  EXPECT_EQ(half.at("pages"), "streamed");
  EXPECT_DOUBLE_EQ(half.at("cache_hit_rate"), 0.5);
  EXPECT_DOUBLE_EQ(half.at("link_share"), 0.8);
  EXPECT_EQ(nlohmann::json::parse(measurement_json(streamed(0), limits)).at("limit"), "link");
  const auto bfs = nlohmann::json::parse(measurement_json(searches(), limits));
  EXPECT_DOUBLE_EQ(bfs.at("harmonic_gteps"), 0.5);
  EXPECT_DOUBLE_EQ(bfs.at("max_gteps"), 1);
  EXPECT_DOUBLE_EQ(bfs.at("seconds_per_level"), 0.0004);
  EXPECT_EQ(bfs.at("searches").size(), 2u);
  EXPECT_EQ(bfs.at("searches")[1].at("hub"), true);
}

TEST(MeasurementText, TellsPeopleTheSame) {
  Measurement half = streamed(0.5);
  half.predicted = Prediction{.seconds = half.unit_seconds()};
  const std::string text = measurement_text(half, limits) + measurement_text(searches(), limits);
  for (const std::string words : {"50% cached", "80% of what it can", "predicted 25.00 ms, 100%",
                                  "from the largest hub", "400.0 us a level", "launches"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " is not in\n" << text;
}

TEST(MeasurementText, IsAlignedWithTheHeading) {
  const std::string heading = measurement_heading(), text = measurement_text(pagerank(), limits);
  EXPECT_EQ(heading.find("of limit") + 8, text.find("100%") + 4) << heading << text;
  EXPECT_EQ(heading.find("set by"), text.find("random reads")) << heading << text;
}

TEST(MeasurementText, HasNoPredictionThatSaysTooLittle) {
  Measurement tiny = pagerank();
  tiny.predicted = Prediction{.seconds = 2e-8, .supersteps = 1};
  EXPECT_FALSE(tiny.shows_prediction());
  EXPECT_EQ(measurement_text(tiny, limits).find("predicted"), std::string::npos);
  EXPECT_DOUBLE_EQ(nlohmann::json::parse(measurement_json(tiny, limits)).at("predicted_seconds"), 2e-8);
  tiny.seconds = {1e-5};
  tiny.predicted->seconds = 0.5;
  EXPECT_FALSE(tiny.shows_prediction()) << "the measured time is short too";
}

}  // namespace
}  // namespace millrace
