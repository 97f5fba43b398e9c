#include "millrace/run/calibrate.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>

#include "millrace/build/cuda_generate.h"
#include "millrace/build/generate_on_gpu.h"
#include "millrace/core/cache_folder.h"
#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/temporary_folder.h"
#include "millrace/core/text.h"
#include "millrace/core/throttle.h"
#include "millrace/plan/devices.h"
#include "millrace/plan/machine_rates.h"
#include "millrace/report/table.h"
#include "millrace/run/sampling.h"

namespace millrace {
namespace {

struct GraphToMake {
  GraphKind kind;
  std::uint32_t scale;
  bool streams = false;  // also with pages that stream
  bool for_cpu = true;   // else for GPUs alone
  bool for_all = true;   // else for the algorithms that most people run
  bool weighted = true;
};

// Small graphs show what a superstep takes, large ones what an edge takes whose values no cache holds.
std::vector<GraphToMake> graphs_of(const CalibrateOptions& options, bool cuda) {
  const bool many_cores = omp_get_max_threads() >= 8;
  std::vector<GraphToMake> graphs;
  const auto add = [&](GraphToMake graph) {
    if (options.kinds.empty() || std::ranges::find(options.kinds, graph.kind) != options.kinds.end())
      graphs.push_back(graph);
  };
  using enum GraphKind;
  if (options.quick) {
    const std::uint32_t large = cuda || many_cores ? 20 : 18;
    for (const GraphKind kind : {skewed, uniform}) {
      add({.kind = kind, .scale = 14});
      add({.kind = kind, .scale = large, .streams = true});
    }
    add({.kind = local, .scale = 12});
    add({.kind = local, .scale = 18, .streams = true});
    return graphs;
  }
  add({.kind = skewed, .scale = 16});
  add({.kind = skewed, .scale = 18, .streams = !cuda, .for_all = false});
  add({.kind = skewed, .scale = 20, .streams = true});
  if (cuda) add({.kind = skewed, .scale = 24, .streams = true, .for_cpu = false, .for_all = false, .weighted = false});
  if (cuda || many_cores)
    add({.kind = skewed, .scale = 22, .streams = true, .for_cpu = many_cores, .for_all = false, .weighted = false});
  add({.kind = uniform, .scale = 16});
  add({.kind = uniform, .scale = 20, .streams = true, .for_all = false});
  if (cuda) add({.kind = uniform, .scale = 22, .streams = true, .for_cpu = false, .for_all = false, .weighted = false});
  add({.kind = local, .scale = 12});
  add({.kind = local, .scale = 18, .streams = true, .for_all = false});
  return graphs;
}

SampleGraph make_graph(const GraphToMake& wanted, const std::filesystem::path& folder, bool cuda) {
  using Kind = GenerateOptions::Kind;
  GenerateOptions graph{.scale = wanted.scale, .weights = WeightRange{.low = 1, .high = 255, .integers = true}};
  graph.kind = wanted.kind == GraphKind::skewed    ? Kind::rmat
               : wanted.kind == GraphKind::uniform ? Kind::uniform
                                                   : Kind::grid;
  if (!wanted.weighted) graph.weights.reset();  // then a GPU makes it, in a tenth of the time
  BuildOptions build{.undirected = true, .memory = default_build_memory(), .source = "calibration"};
  const std::filesystem::path path = folder / fmt::format("{}-{}.store", graph_kind_name(wanted.kind), wanted.scale);
  if (!wanted.weighted && cuda && generated_on_gpu(graph))
    generate_store_on_gpu(graph, path, build);
  else
    generate_store(graph, path, build);
  return {wanted.kind, std::make_shared<const Store>(Store::open(path))};
}

bool takes_weights_that_are_missing(const std::string& algorithm, const SampleGraph& graph) {
  return algorithm == "sssp" && graph.store->manifest().weight_type == WeightType::none;
}

// How long the next sample will take, by that of the largest graph so far: a warm-up, and four searches or three
// iterations. 0: unknown.
double expected_seconds(const Calibration& so_far, const std::string& algorithm, const std::string& device,
                        const SampleGraph& graph, bool streamed) {
  double expected = 0, largest = 0;
  for (const RunSample& sample : so_far.samples) {
    if (sample.algorithm != algorithm || sample.device != device || sample.streamed.has_value() != streamed) continue;
    if (sample.graph.kind != graph.kind || sample.graph.vertices < largest) continue;
    largest = sample.graph.vertices;
    const double times = static_cast<double>(graph.store->num_vertices()) / sample.graph.vertices;
    const double once = (streamed ? sample.streamed->seconds : sample.seconds) * times;
    expected = (streamed ? 2 : 1) * std::max(once, std::min(6 * once, 2.0));  // a long run is done once
  }
  return expected;
}

std::string place_text(const std::string& algorithm, const std::string& device, GraphKind kind) {
  return fmt::format("{} {} {}", algorithm, device, graph_kind_name(kind));
}

class Sampler {
 public:
  // No sample is begun after so many seconds from now, unless the options insist on a first one.
  Sampler(Calibration& made, Progress& progress, const CalibrateOptions& options)
      : made_(made), progress_(progress), seconds_(options.seconds), insist_(options.insist) {}

  bool is_over() const { return watch_.seconds() > seconds_; }
  void sample(const GraphToMake& wanted, const SampleGraph& graph, const std::string& algorithm) {
    progress_.add(1);
    if (takes_weights_that_are_missing(algorithm, graph)) return;
    if (wanted.for_cpu) sample_on("cpu", algorithm, wanted, graph);
    if (!made_.hardware.gpus.empty())
      sample_on(fmt::format("cuda:{}", made_.hardware.gpus[0].ordinal), algorithm, wanted, graph);
  }

 private:
  void sample_on(const std::string& device, const std::string& algorithm, const GraphToMake& wanted,
                 const SampleGraph& graph) {
    constexpr double most = 6;  // seconds
    const std::string name = sampled_device(device);
    const bool first = insist_ && !made_.has_samples(algorithm, name, graph.kind);
    if ((is_over() && !first) || expected_seconds(made_, algorithm, name, graph, false) > most) return;
    try {
      const RunSample resident = take_sample(algorithm, graph, device);
      made_.add(resident);
      if (is_over() || !wanted.streams || expected_seconds(made_, algorithm, name, graph, true) > most) return;
      std::vector<RunSample> streamed = take_streamed_samples(resident, graph, device, made_);
      if (name == "cuda")
        for (RunSample& helped : take_streamed_samples(resident, graph, "cpu," + device, made_, streamed))
          made_.add(std::move(helped));
      for (RunSample& one : streamed) made_.add(std::move(one));
    } catch (const DoesNotFitError&) {  // too large a graph for a small machine: there are smaller ones
      if (!made_.has_samples(algorithm, name, graph.kind))
        made_.unable.push_back(place_text(algorithm, name, graph.kind));
    }
  }

  Calibration& made_;
  Progress& progress_;
  double seconds_;
  bool insist_;
  Stopwatch watch_;
};

// Those that most people run come first, on all graphs: time may not do for the others.
std::vector<std::string> common_algorithms() {
  return {"pagerank", "bfs", "wcc", "sssp", "bc", "kcore", "cdlp", "triangles"};
}

// All cores compute while it lives: samples are for later runs, whatever this one was given.
class AllThreads {
 public:
  AllThreads() : before_(omp_get_max_threads()) { omp_set_num_threads(omp_get_num_procs()); }
  ~AllThreads() { omp_set_num_threads(before_); }
  AllThreads(const AllThreads&) = delete;
  AllThreads& operator=(const AllThreads&) = delete;

 private:
  int before_;
};

bool same_place(const RunSample& a, const RunSample& b) {
  return a.algorithm == b.algorithm && a.device == b.device && a.graph.kind == b.graph.kind;
}

}  // namespace

Calibration calibrate(const CalibrateOptions& options, std::optional<Calibration> before) {
  const Unthrottled as_it_is;
  const AllThreads all_threads;
  Calibration made;
  made.hardware = this_hardware();
  const bool known = before && before->hardware == made.hardware;
  if (known) made = std::move(*before);
  made.quick = options.quick && (!known || made.quick);
  made.made = fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(std::time(nullptr)));
  const bool cuda = !made.hardware.gpus.empty();
  const std::vector<std::string> common = common_algorithms();
  const auto is_common = [&](const std::string& name) { return std::ranges::find(common, name) != common.end(); };
  const std::vector<std::string> algorithms = options.algorithms.empty() ? sampled_algorithms() : options.algorithms;
  const std::vector<GraphToMake> graphs = graphs_of(options, cuda);
  const TemporaryFolder folder(options.temporary.empty() ? std::filesystem::temp_directory_path() : options.temporary);
  Progress progress("calibrate", graphs.size() * algorithms.size());
  Sampler sampler(made, progress, options);
  // Rates stay in a run that only lacks samples of its algorithm, and a quick one does not replace those that were
  // measured with more care.
  const bool rates_stay = !made.host.by_threads.empty() && (options.insist || (options.quick && !made.quick));
  // A quick one adds to what is there; else samples of what is sampled now are replaced.
  std::vector<RunSample> old;
  if (!options.quick) {
    std::swap(old, made.samples);
    made.unable.clear();
  }
  std::vector<SampleGraph> made_graphs;
  for (const GraphToMake& wanted : graphs) {
    if (!made_graphs.empty() && sampler.is_over()) break;
    made_graphs.push_back(make_graph(wanted, folder.path(), cuda));
    if (made_graphs.size() == 1 && !rates_stay) {
      made.host = measure_host(*made_graphs[0].store, folder.path());
      made.gpus = measure_gpus();
    }
    for (const std::string& algorithm : algorithms)
      if (is_common(algorithm)) sampler.sample(wanted, made_graphs.back(), algorithm);
  }
  for (std::size_t i = 0; i < made_graphs.size(); ++i)
    for (const std::string& algorithm : algorithms)
      if (!is_common(algorithm) && graphs[i].for_all) sampler.sample(graphs[i], made_graphs[i], algorithm);
  // Earlier samples of what was not sampled now.
  for (RunSample& sample : old)
    if (std::ranges::none_of(made.samples, [&](const RunSample& s) { return same_place(s, sample); }))
      made.samples.push_back(std::move(sample));
  return made;
}

std::optional<Calibration> calibration_for(const std::string& algorithm, GraphKind kind,
                                           const std::function<void(const std::string&)>& remark) {
  const std::vector<std::string> able = sampled_algorithms();
  if (std::ranges::find(able, algorithm) == able.end()) return std::nullopt;
  std::string why;
  std::optional<Calibration> found = load_calibration(&why);
  const auto known = [&](const std::string& device) {
    return found->has_samples(algorithm, device, kind) ||
           std::ranges::find(found->unable, place_text(algorithm, device, kind)) != found->unable.end();
  };
  if (found && known("cpu") && (found->hardware.gpus.empty() || known("cuda"))) return found;
  const auto tell = [&](const std::string& text) {
    if (remark) remark(text);
  };
  tell(fmt::format("{}{}measuring how fast {} is here, once (millrace calibrate measures all)", why,
                   why.empty() ? "" : "; ", algorithm));
  // A run that would do without must not fail for it.
  try {
    demand_file_of_cache(calibration_file(this_hardware()));
    found =
        calibrate({.algorithms = {algorithm}, .kinds = {kind}, .quick = true, .seconds = 10, .insist = true}, found);
    save_calibration(*found, calibration_file(found->hardware));
  } catch (const InterruptedError&) {
    throw;
  } catch (const Error& error) {
    tell(error.marked());
  } catch (const std::exception& error) {  // of the file system, or no memory
    tell(error.what());
  }
  return found;
}

namespace {
// "closeness, radius (uniform, local)": in all kinds of graphs where none is named.
std::string not_measured(const Calibration& calibration, const std::vector<std::string>& wanted) {
  std::vector<std::string> missing;
  const std::string device = calibration.hardware.gpus.empty() ? "cpu" : "cuda";
  for (const std::string& algorithm : wanted) {
    std::vector<std::string_view> kinds;
    for (const GraphKind kind : graph_kinds)
      if (!calibration.has_samples(algorithm, device, kind)) kinds.push_back(graph_kind_name(kind));
    if (kinds.size() == std::size(graph_kinds))
      missing.push_back(algorithm);
    else if (!kinds.empty())
      missing.push_back(fmt::format("{} ({})", algorithm, fmt::join(kinds, ", ")));
  }
  return fmt::format("{}", fmt::join(missing, ", "));
}
}  // namespace

std::string calibration_text(const Calibration& calibration, const std::vector<std::string>& wanted) {
  const auto rates_text = [](const std::vector<RateIn>& rates) {
    std::string text;
    for (const RateIn& one : rates)
      text += fmt::format("{}{:.3g} G/s in {}", text.empty() ? "" : ", ", one.rate * 1e-9, format_size(one.bytes));
    return text;
  };
  const HostRates& host = calibration.host;
  SummaryTable table(fmt::format("measured {}{}", calibration.made, calibration.quick ? ", quickly" : ""));
  table.row("host reads", "{:.1f} GB/s", host.read_bandwidth * 1e-9);
  table.row("random reads", "{}", rates_text(host.random_reads));
  for (const HostRates::ByThreads& by : host.by_threads)
    table.row(fmt::format("{} thread{}", by.threads, by.threads == 1 ? "" : "s"),
              "{:.2f} G edges/s decoded, {:.2f} with a value of each", by.decoded * 1e-9, by.gathered * 1e-9);
  if (host.disk > 0) table.row("disk", "{:.2f} GB/s past the system's cache", host.disk * 1e-9);
  for (std::size_t i = 0; i < calibration.gpus.size(); ++i) {
    const GpuRates& gpu = calibration.gpus[i];
    table.row(fmt::format("cuda:{}", calibration.hardware.gpus[i].ordinal), "{}", calibration.hardware.gpus[i].name);
    table.row("link", "{:.1f} GB/s to the device, {:.1f} back, {:.1f} each at once, {:.1f} beside host reads",
              gpu.to_device * 1e-9, gpu.to_host * 1e-9, gpu.both_ways * 1e-9, gpu.to_device_beside_reads * 1e-9);
    table.row("copies inside", "{:.0f} GB/s read and written", gpu.copy * 1e-9);
    table.row("random reads", "{}", rates_text(gpu.random_reads));
    table.row("random atomics", "{}", rates_text(gpu.atomics));
    table.row("launch", "{}", format_seconds(gpu.launch_seconds));
  }
  table.row("samples", "{} of algorithms", format_counted(calibration.samples.size(), "run"));
  if (const std::string missing = not_measured(calibration, wanted); !missing.empty())
    table.marked_row("no time for", marked_text("{}: measured when explain needs them; @seconds@ allows more",
                                                printable_text(missing)));
  return table.text();
}

}  // namespace millrace
