// The algorithms of `millrace bench`: what each needs, and how one timed run of it goes.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "millrace/engine/engine.h"

namespace millrace {

// What one run did.
struct WorkDone {
  double seconds = 0;
  double edges = 0;  // for GTEPS
  double units = 1;  // such as iterations
  // Beside what supersteps count: bytes of lists written and read, and values looked up.
  double more_bytes = 0;
  double more_looks = 0;
  // What is wrong with the result, or nothing.
  std::function<std::optional<std::string>(const PageSet& pages, Orientation orientation)> check = {};
};

struct WorkOptions {
  std::uint32_t iterations = 10;
  VertexId source = 0;
};

struct BenchWork {
  std::string name;
  std::string unit;         // "iteration", "search", "run"
  std::string explanation;  // of its time and its GTEPS
  bool from_sources = false;
  bool reads_bits = false;  // per edge looked at, instead of a value
  bool weighted = false;    // its check reads weights
  bool on_host = false;     // whatever the device
  std::function<GraphNeeds(const Store& store, Direction direction)> needs = {};
  std::function<WorkDone(Engine& engine, const Store& store, const WorkOptions& options)> run = {};
};

const std::vector<BenchWork>& bench_works();
std::vector<BenchWork> rank_works();  // those of bench_ranks.cpp
// Throws InternalError where there is none of that name.
const BenchWork& bench_work(const std::string& name);
std::vector<std::string> bench_work_names();

}  // namespace millrace
