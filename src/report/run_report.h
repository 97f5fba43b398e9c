// What a run did, for people (a table) and for programs (one JSON object).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "millrace/engine/engine.h"

namespace millrace {

struct RunReport {
  std::string algorithm;
  // Options and findings of the algorithm, as JSON values ("0.85", "\"pull\"").
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<std::pair<std::string, std::string>> results;

  std::string store;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool directed = true;

  std::string device;
  int threads = 0;
  Direction direction = Direction::automatic;
  std::uint64_t page_bytes = 0;  // loaded

  double load_seconds = 0;
  double seconds = 0;  // the algorithm alone
  std::vector<Superstep> supersteps;
  std::uint64_t edges_traversed = 0;  // the numerator of gteps
  std::uint64_t peak_memory = 0;      // counted against --host-memory
  std::uint64_t memory_limit = 0;
  std::string check;  // "passed", or empty where --check was not asked for

  double gteps() const { return seconds > 0 ? static_cast<double>(edges_traversed) / seconds * 1e-9 : 0; }
  std::uint64_t bytes_moved() const;
  std::string json() const;
  std::string table() const;
};

}  // namespace millrace
