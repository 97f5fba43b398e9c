// Measures this machine: rates of its memories, link and disk, and how long algorithms take on small generated graphs.
#pragma once

#include <functional>

#include "millrace/plan/calibration.h"

namespace millrace {

struct CalibrateOptions {
  std::vector<std::string> algorithms = {};  // empty: all that can be sampled
  std::vector<GraphKind> kinds = {};         // empty: all
  bool quick = false;                        // smaller graphs; rates that were not measured quickly stay
  double seconds = 50;                       // no more samples are begun after this time
  bool insist = false;                       // but for the first of each algorithm and kind of graph
  std::filesystem::path temporary = {};      // folder for the graphs, on the disk to measure; empty: TMPDIR
};

// Adds to what was measured before, if that is of this machine.
Calibration calibrate(const CalibrateOptions& options, std::optional<Calibration> before = {});

// The calibration of this machine, with samples of the algorithm on that kind of graph: from the file or, where they
// are missing, measured at once and added to it. `remark` is told first. Empty if the algorithm cannot be sampled.
std::optional<Calibration> calibration_for(const std::string& algorithm, GraphKind kind,
                                           const std::function<void(const std::string&)>& remark);

// For people. `wanted`: algorithms that had to be measured; says which of them were not.
std::string calibration_text(const Calibration& calibration, const std::vector<std::string>& wanted = {});

}  // namespace millrace
