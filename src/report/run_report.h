// The report of a run: a table for people, and one JSON object for programs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "millrace/engine/placement.h"
#include "millrace/engine/superstep_records.h"
#include "millrace/report/answer.h"
#include "millrace/report/prediction.h"
#include "millrace/store/counted_edges.h"

namespace millrace {

class SummaryTable;

// An option of an algorithm, or a result beside the values of vertices.
struct Finding {
  std::string name;
  std::string json;            // "0.85", "\"pull\""
  bool in_json_alone = false;  // too long for a table, or nothing that people would miss
  std::string shown = {};      // for people, where they read more than in the JSON
  std::string words = {};      // the name for people, where it is not that of the JSON

  // For people: the name with blanks between its words, and the value, whole numbers as they write them.
  std::string label() const;
  std::string text() const;
};

struct RunReport {
  std::string algorithm;
  Answer answer = {};
  std::vector<Finding> options;
  std::vector<Finding> results;

  std::string store;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;  // as in the manifest
  bool directed = true;
  std::uint64_t self_loops = 0;

  std::string device;
  std::string model;  // of the GPU; empty on the cpu
  std::size_t devices = 1;
  std::string strategy;  // for several devices or far attributes
  int threads = 0;       // of the host
  Direction direction = Direction::automatic;
  Placement placement;

  double load_seconds = 0;
  double seconds = 0;         // of the algorithm alone
  double result_seconds = 0;  // of copying its results to the host
  std::vector<SuperstepRecord> supersteps;
  std::uint64_t edges_traversed = 0;  // the numerator of gteps
  std::uint64_t peak_memory = 0;      // counted against --host-memory
  std::uint64_t memory_limit = 0;
  std::uint64_t device_peak_memory = 0;  // counted against --device-memory; for GPUs
  std::uint64_t device_memory_limit = 0;
  // Memory of that beside pages: planned for the run, taken by it, and how often buffers grew meanwhile.
  std::uint64_t planned_memory = 0;
  std::uint64_t attribute_memory = 0;
  std::uint64_t growths = 0;
  std::optional<Prediction> predicted;
  std::string shortfall;  // which requested results are missing, for the first line; mostly empty
  std::string note;       // what would make such runs faster, settings marked (core/error.h); may be empty
  std::string check;      // "passed", or empty without --check

  std::uint64_t num_supersteps() const;
  // How many supersteps a record stands for; the last one may have fewer.
  std::uint64_t supersteps_each() const { return supersteps.empty() ? 1 : supersteps.front().count; }
  CountedEdges counted_edges() const { return {.listed = edges, .self_loops = self_loops, .directed = directed}; }
  double gteps() const { return seconds > 0 ? static_cast<double>(edges_traversed) / seconds * 1e-9 : 0; }
  // Topology bytes read; attributes are not counted.
  std::uint64_t bytes_moved() const;
  // Page bytes copied over the link, and page bytes that supersteps found in the device's memory.
  std::uint64_t link_bytes() const;
  std::uint64_t cached_bytes() const;
  // Pages read from disk while the algorithm ran.
  std::uint64_t disk_bytes() const;
  std::uint64_t helped_bytes() const;
  // Bytes of messages exchanged between devices.
  std::uint64_t exchanged_bytes() const;
  // The sums over all supersteps. Work on vertices between them is not in it.
  Phases phases() const;
  // The cached share of the page bytes needed; empty if none were counted.
  std::optional<double> cache_hit_rate() const;
  // The same for the host's page buffer, if pages come from disk.
  std::optional<double> buffer_hit_rate() const;
  bool on_gpu() const { return !model.empty(); }
  std::string json(bool with_trace = true) const;  // the trace has the supersteps
  // The same in pieces: the whole text of a long run takes tens of megabytes.
  void write_json(const std::function<void(std::string_view)>& write, bool with_trace = true) const;
  // Where it was computed and where the pages were, in one line.
  std::string plan_text() const;
  // What was found, then the run in a few lines; `verbose`: all that is known of it.
  std::string table(bool verbose = false) const;

 private:
  std::string json_without_trace() const;
  void add_streaming(SummaryTable& table) const;
};

}  // namespace millrace
