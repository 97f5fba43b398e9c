// --report and --trace of run: what happened during the run, for people to look at.
#pragma once

#include <memory>
#include <optional>

#include "millrace/cli/command.h"
#include "millrace/run/plan_run.h"

namespace millrace {

// What was measured of this machine, in names and values.
std::vector<std::pair<std::string, std::string>> machine_lines();
// The command line of this process.
std::string this_command();

class RunFiles {
 public:
  std::vector<Option> options();
  bool wanted() const { return !report_.empty() || !trace_.empty(); }
  // Empty ones are not wanted.
  const std::filesystem::path& report() const { return report_; }
  const std::filesystem::path& trace() const { return trace_; }
  // To be recorded to, from now on; null if no file is wanted.
  Timeline* start();
  // Writes the files that are wanted.
  void write(const RunReport& report, const std::optional<Plans>& plans) const;

 private:
  std::filesystem::path report_, trace_;
  std::unique_ptr<Timeline> timeline_;
};

}  // namespace millrace
