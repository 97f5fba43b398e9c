// What was measured of this machine: kept in a file for later runs, and what the planner predicts from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "millrace/devices/cuda_rates.h"
#include "millrace/plan/graph_size.h"

namespace millrace {

struct Hardware {
  struct Gpu {
    int ordinal = 0;
    std::string name;
    std::uint64_t memory = 0;
    std::string bus;
    bool operator==(const Gpu&) const = default;
  };
  std::string processor;  // model of the cpu
  int cores = 0;
  std::uint64_t memory = 0;
  std::vector<Gpu> gpus = {};
  bool operator==(const Hardware&) const = default;
};
Hardware this_hardware();

struct RateIn {
  std::uint64_t bytes = 0;  // working set
  double rate = 0;          // a second
};

struct HostRates {
  double read_bandwidth = 0;              // bytes a second, all threads
  std::vector<RateIn> random_reads = {};  // of 4 bytes
  struct ByThreads {
    int threads = 0;
    double decoded = 0;   // edges a second
    double gathered = 0;  // the same, reading a value of each neighbour
  };
  std::vector<ByThreads> by_threads = {};
  double disk = 0;  // bytes a second, past the system's cache
};

struct GpuRates {
  double to_device = 0, to_host = 0;  // bytes a second over the link
  double both_ways = 0;               // in each direction, at the same time
  double to_device_beside_reads = 0;  // while all threads of the host read memory
  double copy = 0;                    // bytes read and written a second, in its memory
  std::vector<RateIn> random_reads = {}, atomics = {};
  double launch_seconds = 0;
};

// Supersteps that read about as many bytes: sums over one unit of the work.
struct StepGroup {
  double supersteps = 0;
  double needed = 0;   // bytes of pages that they read / bytes of all pages
  double helped = 0;   // of these, the share that the cpu took of those not cached
  double compute = 0;  // their share of the time that the run computes
  // What the model leaves out: times as long, where they read much, and seconds for each superstep, where they read
  // little and wait for it.
  double longer = 1;
  double latency = 0;
};

// A run whose pages stream, beside one of the same graph whose pages all stay.
struct StreamedSample {
  double seconds = 0;   // of one unit
  double uncached = 0;  // share of the pages that there was no room for
  double missed = 0;    // bytes loaded / bytes needed, for each byte of pages without room
  double slowdown = 0;  // of the computing by streaming
  std::vector<StepGroup> groups = {};
};

struct RunSample {
  std::string algorithm;
  std::string device;  // "cpu", "cuda" or "cpu,cuda"
  int threads = 0;
  GraphSize graph;
  double seconds = 0;     // of one unit, all pages resident
  double supersteps = 0;  // in one unit, all pages resident
  std::optional<StreamedSample> streamed = {};
};

// "cpu", "cuda" or "cpu,cuda": what samples of a device are called; GPUs of one machine are taken to be alike.
std::string sampled_device(const std::string& device);

inline constexpr int calibration_version = 2;

struct Calibration {
  Hardware hardware;
  std::string made;   // date and time
  bool quick = true;  // only what a run needed at once
  HostRates host;
  std::vector<GpuRates> gpus = {};  // in the order of the hardware
  std::vector<RunSample> samples = {};
  std::vector<std::string> unable = {};  // what has no samples for good, as it does not fit: "algorithm device kind"

  // Of two samples of the same algorithm, device and graph the faster one stays: other programs may have used the
  // machine during the slower one.
  void add(RunSample sample);
  // Adds a run whose pages were all there, unless a sample of about as large a graph was as fast for each edge. Slower
  // ones of such graphs go. Returns whether it was added.
  bool learn(const RunSample& run);
  bool has_samples(const std::string& algorithm, const std::string& device, GraphKind kind) const;
  // What a run on the GPU of that number assumes; MILLRACE_LINK_GBPS and MILLRACE_DISK_GBPS hold.
  CudaRates cuda_rates(int ordinal) const;
};

// The file of this machine: in that folder; machines with one home have one each.
std::filesystem::path calibration_file(const Hardware& hardware);
// Empty where there is none of this hardware and version; `remark` then says why, if there is one of another.
std::optional<Calibration> load_calibration(const std::filesystem::path& file, const Hardware& hardware,
                                            std::string* remark = nullptr);
std::optional<Calibration> load_calibration(std::string* remark = nullptr);
// Complete or not at all. Throws IoError.
void save_calibration(const Calibration& calibration, const std::filesystem::path& file);

}  // namespace millrace
