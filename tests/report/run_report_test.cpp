// The report of a run: the JSON that programs rely on, and the table for people.
#include "millrace/report/run_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "millrace/core/error.h"
#include "millrace/core/memory.h"

namespace millrace {
namespace {

Superstep superstep(Direction direction, std::uint64_t active, std::uint64_t edges, std::uint64_t bytes) {
  Superstep step;
  step.direction = direction;
  step.method = direction == Direction::push ? Method::rows : Method::pages;
  step.active = active;
  step.pages = 3;
  step.expected_seconds = 0.002;
  step.threads = 2;
  step.edges = edges;
  step.bytes = bytes;
  step.end(0.001, {});
  return step;
}

RunReport example() {
  RunReport report;
  report.algorithm = "bfs";
  report.options = {{"source", "7"}, {"direction", "\"auto\""}};
  report.results = {{"reached", "1000"}};
  report.store = "g.store";
  report.vertices = 2000;
  report.edges = 30000;
  report.directed = false;
  report.self_loops = 4;
  report.device = "cpu";
  report.threads = 3;
  report.placement.resident = true;
  report.placement.page_bytes = 4096;
  report.load_seconds = 0.5;
  report.seconds = 0.002;
  report.supersteps = {superstep(Direction::push, 1, 10, 100), superstep(Direction::pull, 10, 5000, 900)};
  report.edges_traversed = 20'000'000;
  report.peak_memory = 12345;
  report.memory_limit = Budget::unlimited;
  return report;
}

// Half of the pages fit the GPU: the first superstep copied the pages that the second found there, and others.
RunReport streamed_example() {
  RunReport report = example();
  report.device = "cuda:0";
  report.model = "NVIDIA H200";
  report.placement.resident = false;
  report.placement.page_bytes = 3 << 20;
  report.placement.cache_bytes = 1 << 20;
  report.placement.slots = 8;
  report.placement.slot_bytes = 1 << 17;
  report.result_seconds = 0.25;
  report.supersteps[0].loaded_bytes = 1'000'000;
  report.supersteps[1].loaded_bytes = 2'000'000;
  report.supersteps[1].cached_bytes = 1'000'000;
  report.device_peak_memory = 2 << 20;
  report.device_memory_limit = 4 << 20;
  return report;
}

TEST(RunReportTable, SaysInTheFirstLineWhatIsMissing) {
  RunReport report = example();
  EXPECT_TRUE(report.table(true).starts_with("bfs on g.store\n"));
  report.shortfall = "NOT all of it";
  EXPECT_TRUE(report.table(true).starts_with("bfs on g.store: NOT all of it\n"));
}

TEST(RunReportJson, HasWhatTheSchemaSays) {
  const auto json = nlohmann::json::parse(example().json());
  EXPECT_EQ(json.at("schema_version"), 1);
  EXPECT_EQ(json.at("algorithm"), "bfs");
  EXPECT_EQ(json.at("options"), (nlohmann::json{{"source", 7}, {"direction", "auto"}}));
  EXPECT_EQ(json.at("graph"), (nlohmann::json{{"store", "g.store"},
                                              {"vertices", 2000},
                                              {"edges", 30000},
                                              {"directed", false},
                                              {"undirected_edges", 15002}}));
  EXPECT_EQ(json.at("plan").at("device"), "cpu");
  EXPECT_EQ(json.at("plan").at("threads"), 3);
  EXPECT_EQ(json.at("plan").at("page_bytes"), 4096);
  EXPECT_EQ(json.at("plan").at("pages"), "resident");
  EXPECT_FALSE(json.at("plan").contains("slots"));
  EXPECT_FALSE(json.at("plan").contains("slot_bytes"));
  EXPECT_EQ(json.at("plan").at("direction"), "auto");
  EXPECT_EQ(json.at("seconds"), 0.002);
  EXPECT_EQ(json.at("load_seconds"), 0.5);
  EXPECT_EQ(json.at("supersteps"), 2);
  EXPECT_EQ(json.at("edges_traversed"), 20'000'000);
  EXPECT_DOUBLE_EQ(json.at("gteps"), 10.0);
  EXPECT_EQ(json.at("bytes_moved"), 1000);
  EXPECT_EQ(json.at("peak_memory"), 12345);
  EXPECT_GT(json.at("peak_resident"), 0);
  EXPECT_EQ(json.at("results"), (nlohmann::json{{"reached", 1000}}));
  EXPECT_FALSE(json.contains("check"));
}

TEST(RunReportJson, OfALongRunSaysHowManySuperstepsARecordIs) {
  RunReport report = example();
  EXPECT_FALSE(nlohmann::json::parse(report.json()).contains("supersteps_each"));
  EXPECT_FALSE(nlohmann::json::parse(report.json()).at("trace")[0].contains("supersteps"));
  SuperstepRecord two = report.supersteps[0];
  two.join(report.supersteps[1]);
  report.supersteps = {two, two, report.supersteps[1]};
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json.at("supersteps"), 5);
  EXPECT_EQ(json.at("supersteps_each"), 2);
  ASSERT_EQ(json.at("trace").size(), 3u);
  EXPECT_EQ(json.at("trace")[0].at("supersteps"), 2);
  EXPECT_EQ(json.at("trace")[0].at("direction"), "mixed");
  EXPECT_EQ(json.at("trace")[0].at("edges"), 5010);
  EXPECT_EQ(json.at("trace")[0].at("active"), 11);
  EXPECT_FALSE(json.at("trace")[2].contains("supersteps")) << "it is one";
  EXPECT_NE(report.table(true).find("5 (2 push, 3 pull; 3 by pages, 2 by rows)"), std::string::npos)
      << report.table(true);
}

TEST(RunReportJson, IsTheSameInPieces) {
  RunReport report = example();
  report.results.push_back({"tricky", R"("\n  \"trace\": []")"});
  report.note = "with disk, which comes after the trace";
  for (std::size_t i = 0; i < 1000; ++i) report.supersteps.push_back(report.supersteps[i % 2]);
  std::string joined;
  std::size_t pieces = 0, longest = 0;
  report.write_json([&](std::string_view piece) {
    joined += piece;
    longest = std::max(longest, piece.size());
    ++pieces;
  });
  // Written in one go, as the library for JSON does it.
  EXPECT_EQ(nlohmann::ordered_json::parse(joined).dump(2), joined);
  EXPECT_EQ(nlohmann::json::parse(joined).at("trace").size(), 1002u);
  EXPECT_GT(pieces, 3u);
  EXPECT_LT(longest, joined.size() / 3);
  const auto without = nlohmann::json::parse(report.json(false));
  EXPECT_TRUE(without.at("trace").empty());
  EXPECT_EQ(without.at("bytes_moved"), 1000 * 501);
}

TEST(RunReportJson, HasATraceOfSupersteps) {
  const auto trace = nlohmann::json::parse(example().json()).at("trace");
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_EQ(
      trace[0],
      (nlohmann::json{
          {"direction", "push"},
          {"method", "rows"},
          {"pages", 3},
          {"threads", 2},
          {"active", 1},
          {"edges", 10},
          {"bytes", 100},
          {"loaded_bytes", 0},
          {"cached_bytes", 0},
          {"disk_bytes", 0},
          {"helped_bytes", 0},
          {"exchanged_bytes", 0},
          {"seconds", 0.001},
          {"expected_seconds", 0.002},
          {"phases",
           {{"compute", 0.001}, {"help", 0.0}, {"copy", 0.0}, {"disk", 0.0}, {"exchange", 0.0}, {"wait", 0.0}}}}));
  EXPECT_EQ(trace[1].at("direction"), "pull");
}

TEST(RunReportJson, TellsWhatSeveralDevicesExchanged) {
  RunReport report = example();
  EXPECT_EQ(nlohmann::json::parse(report.json()).at("plan").at("devices"), 1);
  EXPECT_FALSE(nlohmann::json::parse(report.json()).at("plan").contains("strategy"));
  report.devices = 3;
  report.strategy = "partitioned";
  report.supersteps[0].exchanged_bytes = 1000;
  report.supersteps[1].exchanged_bytes = 24;
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json.at("plan").at("devices"), 3);
  EXPECT_EQ(json.at("plan").at("strategy"), "partitioned");
  EXPECT_EQ(json.at("exchanged_bytes"), 1024);
  EXPECT_EQ(json.at("trace")[1].at("exchanged_bytes"), 24);
  EXPECT_NE(report.table(true).find("up to 1.0 KiB between 3 devices, 512 B a superstep"), std::string::npos);
}

TEST(RunReportJson, TellsWhatTheCpuTook) {
  RunReport report = streamed_example();
  EXPECT_EQ(report.table(true).find("the GPU would have had to load"), std::string::npos);
  report.supersteps[1].helped_bytes = report.link_bytes();
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json.at("helped_bytes"), report.link_bytes());
  EXPECT_EQ(json.at("trace")[1].at("helped_bytes"), report.link_bytes());
  EXPECT_NE(report.table(true).find("of pages that the GPU would have had to load, 50.0%"), std::string::npos);
}

TEST(RunReport, TellsWhereTheTimeWent) {
  RunReport report = streamed_example();
  EXPECT_EQ(report.table(true).find("phases"), std::string::npos) << "all of it is computation";
  report.supersteps[0].end(0.004, {.copy = 0.003, .wait = 0.001});
  report.supersteps[1].end(0.002, {.copy = 0.002, .disk = 0.0015, .wait = 0.0005});
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_DOUBLE_EQ(json.at("trace")[0].at("phases").at("compute"), 0.003);
  EXPECT_DOUBLE_EQ(json.at("trace")[1].at("phases").at("disk"), 0.0015);
  EXPECT_DOUBLE_EQ(json.at("phases").at("compute"), 0.0045);
  EXPECT_DOUBLE_EQ(json.at("phases").at("copy"), 0.005);
  EXPECT_DOUBLE_EQ(json.at("phases").at("wait"), 0.0015);
  EXPECT_NE(report.table(true).find("computing 4.50 ms, copying 5.00 ms, disk 1.50 ms, waiting 1.50 ms"),
            std::string::npos)
      << report.table(true);
}

TEST(RunReportJson, TellsWhatCrossedTheLink) {
  const auto json = nlohmann::json::parse(streamed_example().json());
  EXPECT_EQ(json.at("plan").at("device"), "cuda:0");
  EXPECT_EQ(json.at("plan").at("model"), "NVIDIA H200");
  EXPECT_EQ(json.at("plan").at("pages"), "streamed");
  EXPECT_EQ(json.at("plan").at("cache_bytes"), 1 << 20);
  EXPECT_EQ(json.at("plan").at("slots"), 8);
  EXPECT_EQ(json.at("plan").at("slot_bytes"), 1 << 17);
  EXPECT_EQ(json.at("device_memory"), (nlohmann::json{{"peak", 2 << 20}, {"limit", 4 << 20}}));
  EXPECT_EQ(json.at("link_bytes"), 3'000'000);
  EXPECT_DOUBLE_EQ(json.at("cache_hit_rate"), 0.25);
  EXPECT_EQ(json.at("trace")[1].at("loaded_bytes"), 2'000'000);
  EXPECT_EQ(json.at("trace")[1].at("cached_bytes"), 1'000'000);
}

TEST(RunReportJson, HasNoFiguresOfALinkOnTheCpu) {
  const auto json = nlohmann::json::parse(example().json());
  EXPECT_EQ(json.at("link_bytes"), 0);
  EXPECT_TRUE(json.at("cache_hit_rate").is_null());
  EXPECT_TRUE(json.at("device_memory").is_null());
}

TEST(RunReportJson, SaysSoWhereTheResultWasChecked) {
  RunReport report = example();
  report.check = "passed";
  EXPECT_EQ(nlohmann::json::parse(report.json()).at("check"), "passed");
}

TEST(RunReportJson, QuotesWhatNeedsIt) {
  RunReport report = example();
  report.store = "a \"b\"\\c\n";
  EXPECT_EQ(nlohmann::json::parse(report.json()).at("graph").at("store"), report.store);
}

// A run too short to time has no rate; infinity is no JSON.
TEST(RunReportJson, HasARateOfZeroWhereNoTimePassed) {
  RunReport report = example();
  report.seconds = 0;
  EXPECT_EQ(nlohmann::json::parse(report.json()).at("gteps"), 0);
}

TEST(RunReportTable, TellsPeopleTheSame) {
  RunReport report = example();
  report.check = "passed";
  const std::string table = report.table(true);
  for (const std::string words : {"bfs on g.store", "2,000 vertices, 15,002 undirected edges", "reached", "3 threads",
                                  "2 (1 push, 1 pull; 1 by pages, 1 by rows)", "2.00 ms", "10.000 GTEPS",
                                  "20,000,000 traversed", "12.1 KiB (no limit)", "passed"})
    EXPECT_NE(table.find(words), std::string::npos) << words << " is not in\n" << table;
  report.memory_limit = 1 << 20;
  EXPECT_NE(report.table(true).find("(limit 1.0 MiB)"), std::string::npos);
}

TEST(RunReportTable, TellsWherePagesAreAndWhatCrossedTheLink) {
  const std::string table = streamed_example().table(true);
  for (const std::string words : {"cuda:0 (NVIDIA H200)", "streamed: 1.0 MiB of 3.0 MiB cached, rest in host memory",
                                  "250.00 ms to bring results", "25.0% of the bytes needed", "2.9 MiB copied, 1.5 GB/s",
                                  "2.0 MiB (limit 4.0 MiB)", "12.1 KiB (no limit)"})
    EXPECT_NE(table.find(words), std::string::npos) << words << " is not in\n" << table;
  EXPECT_EQ(table.find("threads"), std::string::npos) << "threads are the cpu's";
  EXPECT_NE(example().table(true).find("4.0 KiB of pages resident"), std::string::npos);
  EXPECT_EQ(example().table(true).find("link"), std::string::npos);
}

TEST(RunReportTable, ComparesAPredictionThatSaysEnough) {
  RunReport report = example();
  report.predicted = Prediction{.seconds = 0.004, .supersteps = 2, .compute = 0.004};
  EXPECT_NE(report.table().find("4.00 ms, bound by computing (2.00 x the time it took)"), std::string::npos);
  report.predicted = Prediction{.seconds = 1.55e-3, .supersteps = 300'000};
  EXPECT_NE(report.table().find("nothing: starting 300,000 supersteps"), std::string::npos) << report.table();
  EXPECT_EQ(report.table().find(" x "), std::string::npos) << report.table();
  EXPECT_EQ(nlohmann::json::parse(report.json()).at("predicted").at("seconds"), 1.55e-3) << "programs get the figures";
}

TEST(RunReportTable, HasWordsForTheNamesOfTheJson) {
  RunReport report = example();
  report.results = {{"relaxed_edges", "1234"},
                    {.name = "select_seconds", .json = "5.979e-06", .shown = "6.0 us", .words = "time to select"}};
  const std::string table = report.table();
  EXPECT_NE(table.find("  relaxed edges   1,234\n"), std::string::npos) << table;
  EXPECT_NE(table.find("  time to select  6.0 us\n"), std::string::npos) << table;
  EXPECT_EQ(nlohmann::json::parse(report.json()).at("results"),
            (nlohmann::json{{"relaxed_edges", 1234}, {"select_seconds", 5.979e-06}}));
}

TEST(RunReport, HasANoteWhereThereIsOne) {
  RunReport report = example();
  EXPECT_FALSE(nlohmann::json::parse(report.json()).contains("note"));
  report.note = "every superstep pushes";
  EXPECT_EQ(nlohmann::json::parse(report.json()).at("note"), report.note);
  EXPECT_NE(report.table(true).find("every superstep pushes"), std::string::npos);
  report.note = mark_settings("made with @orientation@ both");  // shown without marks, unless the command has done so
  EXPECT_EQ(nlohmann::json::parse(report.json()).at("note"), "made with orientation both");
  EXPECT_NE(report.table(true).find("made with orientation both\n"), std::string::npos) << report.table(true);
}

}  // namespace
}  // namespace millrace
