#include "millrace/report/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "millrace/core/text.h"
#include "millrace/report/phases_json.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

std::string plan_text(const Measurement& m) {
  if (!m.strategy.empty()) return fmt::format("{} x {}", m.devices, m.strategy);
  if (m.model.empty() && m.placement.resident) return "cpu";
  if (m.placement.resident) return "resident";
  return fmt::format("{:.0f}% cached", 100 * ratio(static_cast<double>(m.placement.cache_bytes),
                                                   static_cast<double>(m.placement.page_bytes)));
}

std::string rate_text(const Measurement& m) {
  return m.is_load() ? fmt::format("{:.1f} GB/s", m.bytes_per_second() * 1e-9) : fmt::format("{:.3f}", m.gteps());
}

std::string checked_text(const Measurement& m) { return m.checked == 0 ? "-" : fmt::format("{} passed", m.checked); }

double extreme_gteps(const Measurement& m, bool largest) {
  const auto slower = [](const Search& a, const Search& b) { return a.gteps() < b.gteps(); };
  if (m.searches.empty()) return 0;
  const auto [least, most] = std::minmax_element(m.searches.begin(), m.searches.end(), slower);
  return (largest ? most : least)->gteps();
}

double seconds_per_level(const Measurement& m) { return ratio(m.unit_seconds(), m.supersteps); }

Json searches_json(const Measurement& m) {
  Json all = Json::array();
  for (const Search& s : m.searches)
    all.push_back({{"source", s.source},
                   {"hub", s.hub},
                   {"seconds", s.seconds},
                   {"edges", s.edges},
                   {"levels", s.levels},
                   {"gteps", s.gteps()}});
  return all;
}

}  // namespace

double Measurement::unit_seconds() const {
  if (seconds.empty()) return 0;
  if (from_sources()) {
    double sum = 0;
    for (const double s : seconds) sum += s;
    return sum / static_cast<double>(seconds.size());
  }
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

double Measurement::gteps() const { return from_sources() ? harmonic_gteps() : ratio(edges, unit_seconds()) * 1e-9; }

// n / sum of (seconds / edges)
double Measurement::harmonic_gteps() const {
  double sum = 0;
  for (const Search& s : searches) sum += ratio(s.seconds, s.edges);
  return ratio(static_cast<double>(searches.size()), sum) * 1e-9;
}

double Measurement::bytes_per_second() const { return ratio(bytes, unit_seconds()); }

std::optional<double> Measurement::cache_hit_rate() const {
  const double came = model.empty() ? disk_bytes : loaded_bytes;
  if (came + cached_bytes == 0) return std::nullopt;
  return cached_bytes / (came + cached_bytes);
}

Bound bound_of(const Measurement& m, const BenchLimits& limits) {
  if (m.is_load())  // once through host memory, or once over the link
    return limits.link > 0 ? Bound{ratio(m.bytes, limits.link), "link"}
                           : Bound{ratio(m.bytes, limits.bandwidth), "memory"};
  Bound slowest{ratio(m.bytes, limits.bandwidth), "memory"};
  for (const Bound& other :
       {Bound{ratio(m.looks, m.reads_bits ? limits.bit_reads : limits.value_reads), "random reads"},
        Bound{ratio(m.loaded_bytes, limits.link), "link"}, Bound{ratio(m.disk_bytes, limits.disk), "disk"},
        Bound{m.supersteps * limits.launch_seconds, "launches"}})
    if (other.seconds > slowest.seconds) slowest = other;
  return slowest;
}

std::string measurement_json(const Measurement& m, const BenchLimits& limits) {
  const double unit = m.unit_seconds();
  const Bound bound = bound_of(m, limits);
  Json json{{"store", m.store},
            {"algorithm", m.algorithm},
            {"unit", m.unit},
            {"device", m.device},
            {"threads", m.threads},
            {"seconds", unit},
            {"statistic", m.from_sources() ? "mean" : "median"},
            {"all_seconds", m.seconds},
            {"edges", m.edges},
            {"gteps", ratio(m.edges, unit) * 1e-9},
            {"topology_bytes", m.bytes},
            {"random_reads", m.looks},
            {"supersteps", m.supersteps},
            {"pages", m.placement.resident ? "resident" : "streamed"},
            {"page_bytes", m.placement.page_bytes},
            {"cache_bytes", m.placement.cache_bytes},
            {"loaded_bytes", m.loaded_bytes},
            {"cached_bytes", m.cached_bytes},
            {"helped_bytes", m.helped_bytes},
            {"phases", phases_json(m.phases)},
            {"devices", m.devices},
            {"exchanged_bytes", m.exchanged_bytes},
            {"cache_hit_rate", nullptr},
            {"limit", bound.resource},
            {"limit_seconds", bound.seconds},
            {"ratio_to_limit", ratio(bound.seconds, unit)},
            {"read_bandwidth", limits.bandwidth},
            {"gather_rate", limits.value_reads},
            {"checked", m.checked > 0},
            {"checked_results", m.checked}};
  if (!m.strategy.empty()) json["strategy"] = m.strategy;
  if (const auto rate = m.cache_hit_rate()) json["cache_hit_rate"] = *rate;
  if (!m.model.empty()) {
    json["model"] = m.model;
    json["device_memory"] = {{"asked", m.memory}, {"limit", m.memory_limit}, {"peak", m.memory_peak}};
    json["bit_gather_rate"] = limits.bit_reads;
    json["link_bandwidth"] = limits.link;
    json["link_share"] = ratio(ratio(m.loaded_bytes, unit), limits.link);
    json["launch_seconds"] = limits.launch_seconds;
  }
  if (m.placement.from_disk)
    json["disk"] = {{"asked", m.host_memory},          {"buffer_bytes", m.placement.host_bytes},
                    {"reader", m.placement.reader},    {"direct", m.placement.direct},
                    {"bytes", m.disk_bytes},           {"bytes_per_second", ratio(m.disk_bytes, unit)},
                    {"direct_read_rate", limits.disk}, {"share", ratio(ratio(m.disk_bytes, unit), limits.disk)}};
  if (m.predicted) {
    json["predicted_seconds"] = m.predicted->seconds;
    json["ratio_to_predicted"] = ratio(m.predicted->seconds, unit);
  }
  if (m.is_load()) json["bytes_per_second"] = m.bytes_per_second();
  if (m.from_sources()) {
    json["harmonic_gteps"] = m.harmonic_gteps();
    json["min_gteps"] = extreme_gteps(m, false);
    json["max_gteps"] = extreme_gteps(m, true);
    json["levels"] = m.supersteps;
    json["seconds_per_level"] = seconds_per_level(m);
    json["searches"] = searches_json(m);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string measurement_heading() {
  return fmt::format("{:<20} {:<12} {:<16} {:>11} {:>10} {:>10} {:>11} {:>8}  {:<12} {}\n", "store", "work", "plan",
                     "time", "GTEPS", "topology", "limit", "of limit", "set by", "check");
}

std::string measurement_text(const Measurement& m, const BenchLimits& limits) {
  const Bound bound = bound_of(m, limits);
  const double unit = m.unit_seconds();
  std::string text =
      fmt::format("{:<20} {:<12} {:<16} {:>11} {:>10} {:>10} {:>11} {:>7.0f}%  {:<12} {}\n", m.store, m.algorithm,
                  plan_text(m), format_seconds(unit), rate_text(m), format_size(static_cast<std::uint64_t>(m.bytes)),
                  format_seconds(bound.seconds), 100 * ratio(bound.seconds, unit), bound.resource, checked_text(m));
  const auto more = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    text += "    " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  };
  if (m.from_sources())
    more("{:.3f} to {:.3f} GTEPS, {:.1f} levels, {} a level{}", extreme_gteps(m, false), extreme_gteps(m, true),
         m.supersteps, format_seconds(seconds_per_level(m)),
         m.searches.back().hub ? fmt::format("; from the largest hub {:.3f}", m.searches.back().gteps()) : "");
  if (m.devices > 1) more("{} exchanged between devices", format_size(static_cast<std::uint64_t>(m.exchanged_bytes)));
  if (m.placement.from_disk && !m.is_load())
    more(
        "{} from disk at {:.2f} GB/s, {:.0f}% of plain direct reads ({:.2f} GB/s); {} of host memory for pages, by "
        "{}{}",
        format_size(static_cast<std::uint64_t>(m.disk_bytes)), ratio(m.disk_bytes, unit) * 1e-9,
        100 * ratio(ratio(m.disk_bytes, unit), limits.disk), limits.disk * 1e-9, format_size(m.placement.host_bytes),
        m.placement.reader, m.placement.direct ? ", direct" : "");
  if (!m.placement.resident && !m.model.empty() && !m.is_load())
    more("{} over the link at {:.1f} GB/s, {:.0f}% of what it can; {:.0f}% of the bytes needed were cached",
         format_size(static_cast<std::uint64_t>(m.loaded_bytes)), ratio(m.loaded_bytes, unit) * 1e-9,
         100 * ratio(ratio(m.loaded_bytes, unit), limits.link), 100 * m.cache_hit_rate().value_or(0));
  if (m.helped_bytes > 0)
    more("{} computed on by the cpu, {:.0f}% of what the GPU would have had to load",
         format_size(static_cast<std::uint64_t>(m.helped_bytes)),
         100 * ratio(m.helped_bytes, m.helped_bytes + m.loaded_bytes));
  if (m.shows_prediction())
    more("predicted {}, {:.0f}% of the time it took", format_seconds(m.predicted->seconds),
         100 * ratio(m.predicted->seconds, unit));
  return text;
}

}  // namespace millrace
