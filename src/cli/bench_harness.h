// The harness of millrace bench: warm-up, repeats, and verification of every algorithm on one store, on any device and
// with any share of the pages in its memory.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "millrace/plan/calibration.h"
#include "millrace/report/measurement.h"
#include "millrace/run/session.h"

namespace millrace {

struct BenchOptions {
  std::vector<std::filesystem::path> stores;
  std::vector<std::string> algorithms{"pagerank", "bfs"};
  std::string device;
  DeviceOptions help;  // only of a cpu that helps a GPU
  Strategy strategy = Strategy::automatic;
  std::vector<std::string> device_memory;
  std::vector<std::string> host_memory;
  int repeats = 5;
  int sources = 16;
  int iterations = 10;
  std::optional<bool> hub;  // also search from the vertex of largest degree; by default on GPUs
  bool load = false;
  bool check = false;
  bool trust = false;
  std::filesystem::path json, report;
};

// The memory of a device, or of the host, in a measurement: a size, or a share of the pages in addition to all
// attributes.
struct MemoryChoice {
  std::string text = "all";
  std::optional<double> share;
  std::uint64_t bytes = Budget::unlimited;
};

// Reads "all", a size, or "10%", given to `option`. Throws UsageError.
MemoryChoice parse_memory_choice(const std::string& option, const std::string& text);

// The memory of the device and, with a GPU, of the host.
struct MemoryChoices {
  MemoryChoice device, host;
};

// The names of the algorithms that can be measured.
std::vector<std::string> measured_algorithms();

class Harness {
 public:
  Harness(const BenchOptions& options, const std::vector<DeviceName>& devices, const std::filesystem::path& store);

  BenchLimits measure_limits() const;
  // Whether the algorithm can run on these devices: whole rows with far attributes are for CPUs, and for one GPU.
  bool can_measure(const std::string& name) const;
  // Measures one of measured_algorithms(), or "load".
  Measurement measure(const std::string& name, const MemoryChoices& memory);

 private:
  Measurement runs(Algorithm& algorithm, const MemoryChoices& memory);
  Measurement runs_on_host(HostAlgorithm& algorithm);
  Measurement loads(const MemoryChoices& memory);

  ChosenDevice open_device(const MemoryChoices& memory, const GraphNeeds& needs) const;
  // Opens all devices of the options.
  std::vector<ChosenDevice> open_all(const MemoryChoices& memory, const GraphNeeds& needs) const;
  std::uint64_t device_limit(const MemoryChoice& memory, const GraphNeeds& needs) const;
  std::uint64_t host_limit(const MemoryChoice& memory, const GraphNeeds& needs) const;
  std::vector<Search> choose_sources() const;
  std::optional<Prediction> predict_unit(const std::string& name, const GraphNeeds& needs,
                                         const Session& session) const;
  const PageSet& check_pages(bool weighted);
  void check_outcome(Measurement& m, const Outcome& outcome, bool weighted);

  const BenchOptions& options_;
  DeviceName device_;  // the first
  std::size_t num_devices_;
  std::shared_ptr<const Store> store_;
  Orientation check_orientation_;
  std::optional<Calibration> calibration_;
  std::optional<PageSet> check_pages_;
  Store::With check_pages_with_ = Store::With::topology;
};

}  // namespace millrace
