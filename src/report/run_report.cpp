#include "millrace/report/run_report.h"

#include <nlohmann/json.hpp>

#include "millrace/core/memory.h"
#include "millrace/core/text.h"
#include "millrace/pages/decode.h"
#include "millrace/report/table.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

Json to_object(const std::vector<std::pair<std::string, std::string>>& members) {
  Json object = Json::object();
  for (const auto& [name, value] : members) object[name] = Json::parse(value);
  return object;
}

}  // namespace

// Topology that was read; attributes are not counted.
std::uint64_t RunReport::bytes_moved() const {
  std::uint64_t sum = 0;
  for (const Superstep& step : supersteps) sum += step.bytes;
  return sum;
}

std::string RunReport::json() const {
  Json trace = Json::array();
  for (const Superstep& step : supersteps)
    trace.push_back({{"direction", direction_name(step.direction)},
                     {"active", step.active},
                     {"edges", step.edges},
                     {"bytes", step.bytes},
                     {"seconds", step.seconds}});
  Json json{{"schema_version", 1},
            {"millrace", MILLRACE_VERSION},
            {"algorithm", algorithm},
            {"options", to_object(options)},
            {"graph", {{"store", store}, {"vertices", vertices}, {"edges", edges}, {"directed", directed}}},
            {"plan",
             {{"device", device},
              {"threads", threads},
              {"pages", "resident"},
              {"page_bytes", page_bytes},
              {"direction", direction_name(direction)},
              {"decoder", best_decoder().name}}},
            {"seconds", seconds},
            {"load_seconds", load_seconds},
            {"supersteps", supersteps.size()},
            {"edges_traversed", edges_traversed},
            {"gteps", gteps()},
            {"bytes_moved", bytes_moved()},
            {"peak_memory", peak_memory},
            {"peak_resident", peak_resident_bytes()},
            {"results", to_object(results)},
            {"trace", trace}};
  if (!check.empty()) json["check"] = check;
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string RunReport::table() const {
  SummaryTable table(fmt::format("{} on {}", algorithm, store));
  table.row("graph", "{} vertices, {} edges", format_count(vertices), format_count(edges));
  for (const auto& [name, value] : results) table.row(name, "{}", value);
  table.row("plan", "{}, {} threads, {} of pages resident, direction {}", device, threads, format_size(page_bytes),
            direction_name(direction));
  std::uint64_t pushed = 0;
  for (const Superstep& step : supersteps) pushed += step.direction == Direction::push;
  table.row("supersteps", "{} ({} push, {} pull)", supersteps.size(), pushed, supersteps.size() - pushed);
  table.row("time", "{} (and {} to load)", format_seconds(seconds), format_seconds(load_seconds));
  table.row("rate", "{:.3f} GTEPS over {} edges", gteps(), format_count(edges_traversed));
  table.row("topology read", "{}", format_size(bytes_moved()));
  const std::string limit = memory_limit == Budget::unlimited ? "no limit" : "limit " + format_size(memory_limit);
  table.row("peak memory", "{} ({})", format_size(peak_memory), limit);
  if (!check.empty()) table.row("check", "{}", check);
  return table.text();
}

}  // namespace millrace
