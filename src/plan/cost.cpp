#include "millrace/plan/cost.h"

#include <algorithm>
#include <cmath>

#include "millrace/core/throttle.h"

namespace millrace {
namespace {

constexpr double memory_if_unknown = 10e9, disk_if_unknown = 1e9;  // bytes a second

using Samples = std::vector<const RunSample*>;

// Those of a kind of graph, by vertices. Of another kind where there are none.
Samples samples_of(const Calibration& calibration, const std::string& algorithm, const std::string& device,
                   GraphKind kind, bool streamed, bool& other_kind) {
  const auto of = [&](GraphKind wanted) {
    Samples found;
    for (const RunSample& sample : calibration.samples)
      if (sample.algorithm == algorithm && sample.device == device && sample.streamed.has_value() == streamed &&
          sample.graph.kind == wanted)
        found.push_back(&sample);
    std::ranges::sort(found, {}, [](const RunSample* s) { return s->graph.vertices; });
    return found;
  };
  Samples found = of(kind);
  other_kind = found.empty();
  for (const GraphKind next : graph_kinds)
    if (found.empty()) found = of(next);
  return found;
}

// The samples beside that number of vertices or, past the end, the last two.
std::pair<const RunSample&, const RunSample&> beside(const Samples& samples, double vertices) {
  std::size_t after = 1;
  while (after + 1 < samples.size() && samples[after]->graph.vertices < vertices) ++after;
  return {*samples[after - 1], *samples[after]};
}

// value(sample) as a power of the number of vertices, through the samples beside it.
template <class Value>
double interpolate(const Samples& samples, double vertices, Value value) {
  if (samples.size() == 1) return value(*samples[0]);
  const auto& [a, b] = beside(samples, vertices);
  const double va = value(a), vb = value(b);
  if (!(va > 0 && vb > 0)) return std::max(va, vb);
  const double power = std::log(vb / va) / std::log(b.graph.vertices / a.graph.vertices);
  // Past the samples: launches, which were shared by more and more edges, count half of that from now on.
  const bool past = vertices > b.graph.vertices, before = vertices < a.graph.vertices;
  const double kept = past && power < 0 ? power / 2 : before ? std::clamp(power, -1.0, 0.0) : power;
  const RunSample& from = before ? a : b;
  return value(from) * std::pow(std::max(vertices, 1.0) / from.graph.vertices, kept);
}

double rate_in(const std::vector<RateIn>& rates, double bytes) {
  if (rates.empty()) return 1;
  std::size_t after = 0;
  while (after < rates.size() && static_cast<double>(rates[after].bytes) < bytes) ++after;
  if (after == 0 || after == rates.size()) return rates[after == 0 ? 0 : after - 1].rate;
  const RateIn &less = rates[after - 1], &more = rates[after];
  const auto low = static_cast<double>(less.bytes), high = static_cast<double>(more.bytes);
  return less.rate * std::pow(more.rate / less.rate, std::log(bytes / low) / std::log(high / low));
}

// Seconds with all pages resident. Samples that spend most of their time on launches hide what an edge costs: past them
// that is what the last sample took longer than the one before it, and as much more as values of that many vertices are
// read at random more slowly.
double resident_seconds(const Samples& samples, const GraphSize& graph, const std::vector<RateIn>& random_reads) {
  const double of_power = graph.work() * interpolate(samples, graph.vertices, [](const RunSample& s) {
                            return s.seconds / std::max(s.graph.work(), 1.0);
                          });
  if (samples.size() == 1 || graph.vertices <= samples.back()->graph.vertices) return of_power;
  const auto& [a, b] = beside(samples, graph.vertices);
  const double more_work = b.graph.work() - a.graph.work();
  if (more_work <= 0 || b.seconds * a.graph.work() >= a.seconds * b.graph.work()) return of_power;
  const auto reads = [&](double vertices) { return rate_in(random_reads, vertices * sizeof(float)); };
  const double slower = std::max(1.0, reads(b.graph.vertices) / reads(graph.vertices));
  const double of_edges = (b.seconds - a.seconds) / more_work * (graph.work() - b.graph.work()) * slower;
  return std::max(of_power, b.seconds + of_edges);
}

// How much longer computing takes with other numbers of threads than the sample had.
double slower_by_threads(const HostRates& host, int sampled, int threads) {
  const auto rate = [&](int wanted) {
    double best = 0;
    for (const HostRates::ByThreads& by : host.by_threads)
      if (by.threads <= wanted) best = std::max(best, by.gathered);
    return best;
  };
  const double with_all = rate(sampled), with_these = rate(threads);
  return with_all > 0 && with_these > 0 ? with_all / with_these : static_cast<double>(sampled) / std::max(1, threads);
}

// a and b, by a share from 0 to 1.
Prediction between(const Prediction& a, const Prediction& b, double share) {
  Prediction made;
  for (double Prediction::*const figure :
       {&Prediction::seconds, &Prediction::supersteps, &Prediction::compute, &Prediction::link, &Prediction::disk,
        &Prediction::link_bytes, &Prediction::disk_bytes, &Prediction::helped_bytes, &Prediction::needed_bytes})
    made.*figure = (1 - share) * a.*figure + share * b.*figure;
  if (a.seconds > 0 && b.seconds > 0) made.seconds = std::pow(a.seconds, 1 - share) * std::pow(b.seconds, share);
  return made;
}

// From the streamed samples below and above that size, or the nearest one; of each size from those with more and less
// room. Without any, one superstep reads all pages.
Prediction interpolate_streamed(const Samples& samples, double vertices, double compute, double supersteps,
                                const StreamInputs& in) {
  if (samples.empty()) {
    const StreamedSample all{.missed = 1, .slowdown = 1, .groups = {{.supersteps = 1, .needed = 1, .compute = 1}}};
    return predict_streamed(all, compute, supersteps, in);
  }
  const auto by = [&](const RunSample& sample) {
    return predict_streamed(*sample.streamed, compute, supersteps / std::max(sample.supersteps, 1.0), in);
  };
  const auto of_size = [&](double size) {
    const RunSample *less = nullptr, *more = nullptr;  // room
    for (const RunSample* sample : samples) {
      if (sample->graph.vertices != size) continue;
      if (!less || sample->streamed->uncached > less->streamed->uncached) less = sample;
      if (!more || sample->streamed->uncached < more->streamed->uncached) more = sample;
    }
    const double wide = less->streamed->uncached - more->streamed->uncached;
    if (wide <= 0) return by(*less);
    return between(by(*less), by(*more), std::clamp((less->streamed->uncached - in.uncached) / wide, 0.0, 1.0));
  };
  std::size_t above = 0;
  while (above < samples.size() && samples[above]->graph.vertices < vertices) ++above;
  if (above == 0 || above == samples.size()) return of_size(samples[above == 0 ? 0 : above - 1]->graph.vertices);
  const double low = samples[above - 1]->graph.vertices, high = samples[above]->graph.vertices;
  return between(of_size(low), of_size(high), std::log(vertices / low) / std::log(high / low));
}

// The pages that memory has room for come from disk too, the first time. Meanwhile everything else goes on.
void add_first_pass(Prediction& made, const StreamInputs& in) {
  if (in.disk <= 0 || made.needed_bytes <= 0) return;
  const double pass = std::min(1.0, in.page_bytes / made.needed_bytes);  // of the whole run
  made.first_bytes = std::min(made.needed_bytes, in.page_bytes) * (1 - in.from_disk);
  const double reading = made.first_bytes / in.disk;
  made.first_seconds = std::max(0.0, reading + pass * made.disk - pass * made.seconds);
  made.seconds += made.first_seconds;
  made.disk += reading;
  made.disk_bytes += made.first_bytes;
}

}  // namespace

StreamInputs stream_inputs(const Calibration& rates, bool cuda, const Placement& placement, int gpu) {
  const auto pages = static_cast<double>(placement.page_bytes);
  StreamInputs in{.page_bytes = pages};
  if (placement.resident || pages == 0) return in;
  const double cached = std::min(1.0, static_cast<double>(placement.cache_bytes) / pages);
  in.uncached = 1 - cached;
  const CudaRates of_gpu = rates.cuda_rates(gpu);
  if (cuda) in.link = of_gpu.link;
  if (placement.from_disk) {
    in.disk = rates.host.disk > 0 ? of_gpu.disk : disk_if_unknown;
    if (const double slowed = disk_throttle(); slowed > 0) in.disk = std::min(in.disk, slowed);
    const double here = cuda ? static_cast<double>(placement.host_bytes) / pages : 0;
    in.from_disk = std::max(0.0, in.uncached - here);
  }
  return in;
}

Prediction predict_streamed(const StreamedSample& sample, double resident_seconds, double times_supersteps,
                            const StreamInputs& in) {
  Prediction made;
  const double computing = resident_seconds * sample.slowdown;
  for (const StepGroup& group : sample.groups) {
    const double loaded = group.needed * in.page_bytes * sample.missed;
    const double over_link = in.link > 0 ? loaded * in.uncached * (1 - group.helped) : 0;
    const double from_disk = in.disk > 0 ? loaded * in.from_disk : 0;
    const double compute = computing * group.compute;
    const double link = in.link > 0 ? over_link / in.link : 0, disk = in.disk > 0 ? from_disk / in.disk : 0;
    const double supersteps = group.supersteps * times_supersteps;
    made.seconds += std::max({compute, link, disk}) * group.longer + group.latency * supersteps;
    made.supersteps += supersteps;
    made.compute += compute;
    made.link += link;
    made.disk += disk;
    made.link_bytes += over_link;
    made.disk_bytes += from_disk;
    made.helped_bytes += loaded * in.uncached * group.helped;
    made.needed_bytes += group.needed * in.page_bytes;
  }
  return made;
}

std::optional<Prediction> predict(const Calibration& calibration, const RunToPredict& run) {
  const bool cuda = run.device != "cpu";
  bool other_kind = false, other_streamed = false;
  const Samples resident =
      samples_of(calibration, run.algorithm, cuda ? "cuda" : "cpu", run.graph.kind, false, other_kind);
  if (resident.empty()) return std::nullopt;
  const bool known = cuda && static_cast<std::size_t>(run.gpu) < calibration.gpus.size();
  const std::vector<RateIn>& random_reads =
      known ? calibration.gpus[static_cast<std::size_t>(run.gpu)].random_reads : calibration.host.random_reads;
  double compute = resident_seconds(resident, run.graph, random_reads);
  if (!cuda) compute *= slower_by_threads(calibration.host, resident.back()->threads, run.threads);
  const auto others = static_cast<double>(run.gpus - 1);
  compute /= 1 + others;

  const double supersteps = interpolate(resident, run.graph.vertices, [](const RunSample& s) { return s.supersteps; });
  Prediction made{.seconds = compute, .compute = compute};
  StreamInputs in;
  if (!run.placement.resident) {
    Samples streamed = samples_of(calibration, run.algorithm, run.device, run.graph.kind, true, other_streamed);
    if (streamed.empty() && run.device == "cpu,cuda")
      streamed = samples_of(calibration, run.algorithm, "cuda", run.graph.kind, true, other_streamed);
    in = stream_inputs(calibration, cuda, run.placement, run.gpu);
    in.page_bytes /= 1 + others;
    made = interpolate_streamed(streamed, run.graph.vertices, compute, supersteps, in);
  }
  made.supersteps = supersteps;
  // Each device sends what it has for the vertices of the others; far attributes come and go once in a superstep.
  const CudaRates rates = calibration.cuda_rates(run.gpu);
  made.exchanged_bytes =
      made.supersteps * run.graph.vertices * (others > 0 ? run.message_bytes * others / (1 + others) : 0);
  const double far = made.supersteps * run.graph.vertices * run.far_bytes;
  const double host = calibration.host.read_bandwidth > 0 ? calibration.host.read_bandwidth : memory_if_unknown;
  made.exchange = cuda ? (made.exchanged_bytes + far) / rates.link : far / host;
  made.seconds = made.seconds * run.passes + made.exchange;
  for (double* sum : {&made.compute, &made.link, &made.disk, &made.link_bytes, &made.disk_bytes, &made.needed_bytes})
    *sum *= run.passes;
  for (double* sum :
       {&made.seconds, &made.supersteps, &made.compute, &made.link, &made.disk, &made.exchange, &made.link_bytes,
        &made.disk_bytes, &made.helped_bytes, &made.exchanged_bytes, &made.needed_bytes})
    *sum *= run.units;
  if (run.first) add_first_pass(made, in);
  made.beyond = other_kind || other_streamed || run.graph.vertices > 4 * resident.back()->graph.vertices;
  return made;
}

}  // namespace millrace
