// The measurement of one algorithm with one plan, and the limit of the machine that bounds it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "millrace/core/types.h"
#include "millrace/engine/placement.h"
#include "millrace/engine/superstep.h"
#include "millrace/report/prediction.h"

namespace millrace {

// The limits of the machine, measured in the same run. A limit of 0 is unknown and bounds nothing.
struct BenchLimits {
  double bandwidth = 0;       // bytes a second to and from the device's memory
  double value_reads = 0;     // 4-byte reads a second in an attribute, with the skew of the graph
  double bit_reads = 0;       // the same in a bitmap of its vertices
  double link = 0;            // bytes a second from host memory to the device
  double launch_seconds = 0;  // a superstep cannot be shorter
  double disk = 0;            // bytes a second of plain sequential direct reads
};

// One run from a source.
struct Search {
  VertexId source = 0;
  bool hub = false;  // the source is the vertex of largest degree, not a random one
  double seconds = 0;
  double edges = 0;
  double levels = 0;
  double gteps() const { return seconds > 0 ? edges / seconds * 1e-9 : 0; }
};

// One unit of work: an iteration, a search, a load.
struct Measurement {
  std::string store, algorithm, unit;
  std::string device, model;  // model: of the GPU; empty for the cpu
  std::size_t devices = 1;
  std::string strategy;     // for several devices or far attributes
  std::string memory;       // --device-memory as it was given
  std::string host_memory;  // --host-memory
  int threads = 0;
  Placement placement;
  std::uint64_t memory_peak = 0, memory_limit = 0;  // of the device

  std::vector<double> seconds;  // of each repeat or search
  std::vector<Search> searches;
  // Per unit, on average:
  double edges = 0;            // for GTEPS
  double bytes = 0;            // topology read, or loaded
  double looks = 0;            // edges examined, each a random read
  double loaded_bytes = 0;     // pages copied over the link
  double cached_bytes = 0;     // needed pages that were in the device's memory
  double disk_bytes = 0;       // pages read from disk
  double helped_bytes = 0;     // pages that the cpu took off the link
  double exchanged_bytes = 0;  // between devices
  double supersteps = 0;
  Phases phases = {};
  int checked = 0;                      // how many results were verified
  std::optional<Prediction> predicted;  // of one unit, from a calibration of the machine

  bool reads_bits = false;  // random reads are in a bitmap of sources, not in values
  bool from_sources() const { return !searches.empty(); }
  bool is_load() const { return algorithm == "load"; }
  // The mean over searches, or the median of repeats.
  double unit_seconds() const;
  // Edges per time; for searches the harmonic mean, as in Graph500.
  double gteps() const;
  double harmonic_gteps() const;
  double bytes_per_second() const;
  std::optional<double> cache_hit_rate() const;
  // Whether people are shown what was predicted.
  bool shows_prediction() const { return predicted && predicted->says_enough(unit_seconds()); }
};

struct Bound {
  double seconds = 0;
  std::string resource;
};

// The slowest of several activities that overlap: streaming topology from memory, a random read for each edge examined,
// copying pages over the link, reading pages from disk, and kernel launches.
Bound bound_of(const Measurement& measurement, const BenchLimits& limits);

// As one JSON object.
std::string measurement_json(const Measurement& measurement, const BenchLimits& limits);

// A table: the heading, and a line for each measurement, with a second line for further figures.
std::string measurement_heading();
std::string measurement_text(const Measurement& measurement, const BenchLimits& limits);

}  // namespace millrace
