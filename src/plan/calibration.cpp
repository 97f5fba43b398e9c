#include "millrace/plan/calibration.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "millrace/core/cache_folder.h"
#include "millrace/core/error.h"
#include "millrace/core/proc.h"
#include "millrace/core/throttle.h"
#include "millrace/devices/cuda.h"
#include "millrace/pages/crc32c.h"
#include "millrace/store/json_file.h"
#include "millrace/version.h"

namespace millrace {

using Json = nlohmann::ordered_json;

// Found by nlohmann's library, so beside the types. Throw its exceptions for missing members.
static void to_json(Json& json, const Hardware& h) {
  json = {{"processor", h.processor}, {"cores", h.cores}, {"memory", h.memory}, {"gpus", Json::array()}};
  for (const Hardware::Gpu& gpu : h.gpus)
    json["gpus"].push_back({{"ordinal", gpu.ordinal}, {"name", gpu.name}, {"memory", gpu.memory}, {"bus", gpu.bus}});
}
static void from_json(const Json& json, Hardware& h) {
  json.at("processor").get_to(h.processor);
  json.at("cores").get_to(h.cores);
  json.at("memory").get_to(h.memory);
  for (const Json& gpu : json.at("gpus"))
    h.gpus.push_back({gpu.at("ordinal"), gpu.at("name"), gpu.at("memory"), gpu.at("bus")});
}

static void to_json(Json& json, const RateIn& r) { json = {{"bytes", r.bytes}, {"rate", r.rate}}; }
static void from_json(const Json& json, RateIn& r) {
  json.at("bytes").get_to(r.bytes);
  json.at("rate").get_to(r.rate);
}

static void to_json(Json& json, const HostRates& r) {
  json = {{"read_bandwidth", r.read_bandwidth},
          {"random_reads", r.random_reads},
          {"by_threads", Json::array()},
          {"disk", r.disk}};
  for (const auto& t : r.by_threads)
    json["by_threads"].push_back({{"threads", t.threads}, {"decoded", t.decoded}, {"gathered", t.gathered}});
}
static void from_json(const Json& json, HostRates& r) {
  json.at("read_bandwidth").get_to(r.read_bandwidth);
  json.at("random_reads").get_to(r.random_reads);
  for (const Json& t : json.at("by_threads"))
    r.by_threads.push_back({t.at("threads"), t.at("decoded"), t.at("gathered")});
  json.at("disk").get_to(r.disk);
}

static void to_json(Json& json, const GpuRates& r) {
  json = {{"to_device", r.to_device}, {"to_host", r.to_host},
          {"both_ways", r.both_ways}, {"to_device_beside_reads", r.to_device_beside_reads},
          {"copy", r.copy},           {"random_reads", r.random_reads},
          {"atomics", r.atomics},     {"launch_seconds", r.launch_seconds}};
}
static void from_json(const Json& json, GpuRates& r) {
  json.at("to_device").get_to(r.to_device);
  json.at("to_host").get_to(r.to_host);
  json.at("both_ways").get_to(r.both_ways);
  json.at("to_device_beside_reads").get_to(r.to_device_beside_reads);
  json.at("copy").get_to(r.copy);
  json.at("random_reads").get_to(r.random_reads);
  json.at("atomics").get_to(r.atomics);
  json.at("launch_seconds").get_to(r.launch_seconds);
}

static void to_json(Json& json, const StreamedSample& s) {
  json = {{"seconds", s.seconds},
          {"uncached", s.uncached},
          {"missed", s.missed},
          {"slowdown", s.slowdown},
          {"groups", Json::array()}};
  for (const StepGroup& g : s.groups)
    json["groups"].push_back({{"supersteps", g.supersteps},
                              {"needed", g.needed},
                              {"helped", g.helped},
                              {"compute", g.compute},
                              {"longer", g.longer},
                              {"latency", g.latency}});
}
static void from_json(const Json& json, StreamedSample& s) {
  json.at("seconds").get_to(s.seconds);
  json.at("uncached").get_to(s.uncached);
  json.at("missed").get_to(s.missed);
  json.at("slowdown").get_to(s.slowdown);
  for (const Json& g : json.at("groups"))
    s.groups.push_back(
        {g.at("supersteps"), g.at("needed"), g.at("helped"), g.at("compute"), g.at("longer"), g.at("latency")});
}

static void to_json(Json& json, const RunSample& s) {
  json = {{"algorithm", s.algorithm},
          {"device", s.device},
          {"threads", s.threads},
          {"graph",
           {{"kind", graph_kind_name(s.graph.kind)},
            {"vertices", s.graph.vertices},
            {"edges", s.graph.edges},
            {"page_bytes", s.graph.page_bytes}}},
          {"seconds", s.seconds},
          {"supersteps", s.supersteps}};
  if (s.streamed) json["streamed"] = *s.streamed;
}
static void from_json(const Json& json, RunSample& s) {
  json.at("algorithm").get_to(s.algorithm);
  json.at("device").get_to(s.device);
  json.at("threads").get_to(s.threads);
  const Json& graph = json.at("graph");
  s.graph = {graph_kind_of(graph.at("kind").get<std::string>()), graph.at("vertices"), graph.at("edges"),
             graph.at("page_bytes")};
  json.at("seconds").get_to(s.seconds);
  json.at("supersteps").get_to(s.supersteps);
  if (json.contains("streamed")) s.streamed = json.at("streamed").get<StreamedSample>();
}

namespace {

std::string hardware_text(const Hardware& hardware) {
  std::string text = fmt::format("{}, {} cores", hardware.processor, hardware.cores);
  for (const Hardware::Gpu& gpu : hardware.gpus) text += ", " + gpu.name;
  return text;
}

Calibration calibration_from(const Json& json) {
  Calibration made{.hardware = json.at("hardware").get<Hardware>(),
                   .made = json.at("made"),
                   .quick = json.at("quick"),
                   .host = json.at("host").get<HostRates>()};
  json.at("gpus").get_to(made.gpus);
  json.at("samples").get_to(made.samples);
  made.unable = json.value("unable", std::vector<std::string>{});
  return made;
}

}  // namespace

Hardware this_hardware() {
  Hardware hardware{.processor = proc_value("/proc/cpuinfo", "model name"),
                    .cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)),
                    .memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE)};
  for (const CudaInfo& gpu : cuda_devices()) hardware.gpus.push_back({gpu.ordinal, gpu.name, gpu.memory, gpu.bus});
  return hardware;
}

namespace {
// Whether two samples can be compared, but for the size of their graphs.
bool same_work(const RunSample& a, const RunSample& b) {
  return a.algorithm == b.algorithm && a.device == b.device && a.graph.kind == b.graph.kind &&
         a.streamed.has_value() == b.streamed.has_value();
}
double seconds_of(const RunSample& sample) { return sample.streamed ? sample.streamed->seconds : sample.seconds; }
}  // namespace

std::string sampled_device(const std::string& device) {
  const bool cuda = device.find("cuda") != std::string::npos, cpu = device.find("cpu") != std::string::npos;
  return cpu && cuda ? "cpu,cuda" : cuda ? "cuda" : "cpu";
}

void Calibration::add(RunSample sample) {
  constexpr double alike = 0.1;  // of shares of the pages
  const auto is_same = [&](const RunSample& s) {
    if (!same_work(s, sample) || s.graph.vertices != sample.graph.vertices) return false;
    return !s.streamed || std::abs(s.streamed->uncached - sample.streamed->uncached) < alike;
  };
  if (const auto found = std::ranges::find_if(samples, is_same);
      found != samples.end() && seconds_of(*found) <= seconds_of(sample))
    return;
  std::erase_if(samples, is_same);
  samples.push_back(std::move(sample));
}

bool Calibration::learn(const RunSample& run) {
  constexpr double alike = 1.5;  // of numbers of vertices
  const auto each = [](const RunSample& s) { return s.seconds / std::max(s.graph.work(), 1.0); };
  const auto is_near = [&](const RunSample& s) {
    const double times = s.graph.vertices / std::max(run.graph.vertices, 1.0);
    return same_work(s, run) && times < alike && times > 1 / alike;
  };
  if (std::ranges::any_of(samples, [&](const RunSample& s) { return is_near(s) && each(s) <= each(run); }))
    return false;
  std::erase_if(samples, is_near);
  samples.push_back(run);
  return true;
}

bool Calibration::has_samples(const std::string& algorithm, const std::string& device, GraphKind kind) const {
  return std::ranges::any_of(samples, [&](const RunSample& s) {
    return s.algorithm == algorithm && s.device == device && s.graph.kind == kind;
  });
}

CudaRates Calibration::cuda_rates(int ordinal) const {
  constexpr double h200_copy = 4.2e12, h200_random_reads = 40e9;  // bytes a second; in 1 GiB
  CudaRates rates;
  const auto place = std::ranges::find(hardware.gpus, ordinal, &Hardware::Gpu::ordinal) - hardware.gpus.begin();
  if (static_cast<std::size_t>(place) < gpus.size()) {
    const GpuRates& measured = gpus[static_cast<std::size_t>(place)];
    const double random = measured.random_reads.empty() ? h200_random_reads : measured.random_reads.back().rate;
    rates = scaled_rates(measured.copy / h200_copy, random / h200_random_reads);
    constexpr double pages = 0.91;  // of the link's rate, by passes over pages with kernels beside them
    rates.link = pages * measured.to_device;
    rates.link_known = true;
  }
  if (host.disk > 0) rates.disk = host.disk;
  if (const double link = link_throttle(); link > 0) rates.link = std::min(rates.link, link);
  if (const double disk = disk_throttle(); disk > 0) rates.disk = std::min(rates.disk, disk);
  return rates;
}

std::filesystem::path calibration_file(const Hardware& hardware) {
  const std::string text = Json(hardware).dump();
  if (cache_folder().empty()) return {};
  return cache_folder() / fmt::format("machine-{:08x}.json", crc32c(std::as_bytes(std::span(text))));
}

std::optional<Calibration> load_calibration(const std::filesystem::path& file, const Hardware& hardware,
                                            std::string* remark) {
  const auto refuse = [&](const std::string& why) {
    if (remark) *remark = fmt::format("{} is not used: {}", file.string(), why);
    return std::nullopt;
  };
  std::error_code error;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file, error))) return std::nullopt;
  try {
    const Json json = read_json_file(File::open(file));
    if (json.value("calibration_version", 0) != calibration_version) return refuse("it is of another version");
    Calibration found = calibration_from(json);
    if (!(found.hardware == hardware)) return refuse("it is of another machine, " + hardware_text(found.hardware));
    return found;
  } catch (const Error& problem) {
    return refuse(problem.what());
  } catch (const Json::exception& problem) {
    return refuse(fmt::format("it is damaged ({})", json_problem(problem)));
  }
}

std::optional<Calibration> load_calibration(std::string* remark) {
  try {
    demand_own_folder(cache_folder());
  } catch (const IoError& error) {
    if (remark) *remark = error.marked();
    return std::nullopt;
  }
  // Asking for the GPUs takes a while: only where there may be something to load.
  std::error_code none;
  const std::filesystem::directory_iterator kept(cache_folder(), none);
  if (none || std::ranges::none_of(
                  kept, [](const auto& entry) { return entry.path().filename().string().starts_with("machine-"); }))
    return std::nullopt;
  const Hardware hardware = this_hardware();
  return load_calibration(calibration_file(hardware), hardware, remark);
}

void save_calibration(const Calibration& calibration, const std::filesystem::path& file) {
  const Json json{{"calibration_version", calibration_version},
                  {"millrace", MILLRACE_VERSION},
                  {"made", calibration.made},
                  {"quick", calibration.quick},
                  {"hardware", calibration.hardware},
                  {"host", calibration.host},
                  {"gpus", calibration.gpus},
                  {"samples", calibration.samples},
                  {"unable", calibration.unable}};
  if (file.empty()) throw IoError("cannot keep what was measured: neither XDG_CACHE_HOME nor HOME is a folder");
  write_cache_file(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace millrace
