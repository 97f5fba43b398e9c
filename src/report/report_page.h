// The report of a run as one HTML page that needs no other file and no network. The page itself is in page/; here is
// the data that it draws.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "millrace/core/timeline.h"
#include "millrace/report/run_report.h"

namespace millrace {

// What the page says beside the report of the run.
struct PageInput {
  std::string command;  // as the user gave it
  // A plan that was considered, chosen or not.
  struct Plan {
    std::string device, strategy;
    bool fits = true, chosen = false;
    std::optional<Prediction> predicted = {};
    std::string problem = {};  // why it does not fit
  };
  std::vector<Plan> plans = {};
  std::vector<std::pair<std::string, std::string>> machine = {};  // names and values
};

// A table of measurements, with bars: what `bench` shows.
struct BenchTable {
  using Notes = std::vector<std::pair<std::string, std::string>>;
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};
  std::vector<Answer::Row> bars = {};  // seconds
  Notes notes = {};                    // what columns and rows are: a name, and text without a full stop
};

// "-" is stdout. Throws IoError.
void write_page(const std::filesystem::path& path, const RunReport& report, const Timeline& timeline,
                const PageInput& input);
void write_bench_page(const std::filesystem::path& path, const std::string& title, const BenchTable& table,
                      const PageInput& input);

}  // namespace millrace
