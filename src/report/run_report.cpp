#include "millrace/report/run_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "millrace/core/error.h"
#include "millrace/core/memory.h"
#include "millrace/core/text.h"
#include "millrace/pages/decode.h"
#include "millrace/report/answer_json.h"
#include "millrace/report/phases_json.h"
#include "millrace/report/prediction_json.h"
#include "millrace/report/table.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

Json to_object(const std::vector<Finding>& members) {
  Json object = Json::object();
  for (const Finding& member : members) object[member.name] = Json::parse(member.json);
  return object;
}

std::uint64_t sum_of(const std::vector<SuperstepRecord>& supersteps, std::uint64_t SuperstepRecord::*count) {
  std::uint64_t sum = 0;
  for (const SuperstepRecord& step : supersteps) sum += step.*count;
  return sum;
}

Json to_object(const SuperstepRecord& step) {
  Json object{{"direction", step.direction_text()},
              {"method", step.method_text()},
              {"pages", step.pages},
              {"threads", step.threads},
              {"active", step.active},
              {"edges", step.edges},
              {"bytes", step.bytes},
              {"loaded_bytes", step.loaded_bytes},
              {"cached_bytes", step.cached_bytes},
              {"disk_bytes", step.disk_bytes},
              {"helped_bytes", step.helped_bytes},
              {"exchanged_bytes", step.exchanged_bytes},
              {"seconds", step.seconds},
              {"expected_seconds", step.expected_seconds},
              {"phases", phases_json(step.phases)}};
  if (step.count > 1) object["supersteps"] = step.count;
  return object;
}

// "; 3 by rows, 2 by pages".
std::string methods_text(const std::vector<SuperstepRecord>& supersteps) {
  std::string text;
  for (const Method method : all_methods) {
    std::uint64_t count = 0;
    for (const SuperstepRecord& step : supersteps) count += step.methods[static_cast<std::size_t>(method)];
    if (count == 0 || method == Method::none) continue;
    text += fmt::format("{} {} by {}", text.empty() ? ";" : ",", count, method_name(method));
  }
  return text;
}

// "1.20 ms for 5 supersteps, which took 1.31 ms": for those whose plans had an expected time. Nothing for times that
// are too short to be compared.
std::string expected_text(const std::vector<SuperstepRecord>& supersteps) {
  double expected = 0, took = 0;
  std::uint64_t count = 0;
  for (const SuperstepRecord& step : supersteps) {
    if (step.expected_seconds == 0) continue;
    expected += step.expected_seconds;
    took += step.seconds;
    count += step.count;
  }
  constexpr double shortest = 1e-3;
  if (took < shortest) return {};
  return fmt::format("{} for {} superstep{}, which took {}", format_seconds(expected), count, count == 1 ? "" : "s",
                     format_seconds(took));
}

// The text of a value that is inside of `levels` others, each of which indents by 2.
std::string indented(const Json& value, std::size_t levels) {
  const std::string plain = value.dump(2), begin = "\n" + std::string(2 * levels, ' ');
  std::string text = begin;
  for (const char c : plain) c == '\n' ? text += begin : text += c;
  return text;
}

// Those that took time; empty where that is the computation alone.
std::string phases_text(const Phases& phases) {
  constexpr double shortest = 1e-7;
  const std::pair<const char*, double> all[] = {{"computing", phases.compute},   {"cpu helping", phases.help},
                                                {"copying", phases.copy},        {"disk", phases.disk},
                                                {"exchanging", phases.exchange}, {"waiting", phases.wait}};
  std::string text;
  std::size_t count = 0;
  for (const auto& [name, seconds] : all) {
    if (seconds < shortest) continue;
    text += fmt::format("{}{} {}", count++ > 0 ? ", " : "", name, format_seconds(seconds));
  }
  return count == 1 && phases.compute >= shortest ? "" : text;
}

std::string placement_text(const Placement& placement) {
  const std::string all = format_size(placement.page_bytes);
  if (placement.resident) return all + " of pages resident";
  if (placement.cache_bytes > placement.page_bytes) return fmt::format("streamed: {}, with room to stay", all);
  if (placement.from_disk)
    return fmt::format("streamed: {} of {} cached, rest on disk", format_size(placement.cache_bytes), all);
  return fmt::format("streamed: {} of {} cached, rest in host memory", format_size(placement.cache_bytes), all);
}

std::string limit_text(std::uint64_t limit) {
  return limit == Budget::unlimited ? "no limit" : "limit " + format_size(limit);
}

}  // namespace

std::uint64_t RunReport::num_supersteps() const { return sum_of(supersteps, &SuperstepRecord::count); }
std::uint64_t RunReport::bytes_moved() const { return sum_of(supersteps, &SuperstepRecord::bytes); }
std::uint64_t RunReport::link_bytes() const { return sum_of(supersteps, &SuperstepRecord::loaded_bytes); }
std::uint64_t RunReport::cached_bytes() const { return sum_of(supersteps, &SuperstepRecord::cached_bytes); }

std::string Finding::label() const {
  std::string label = words.empty() ? name : words;
  std::ranges::replace(label, '_', ' ');
  return label;
}

std::string Finding::text() const {
  if (!shown.empty()) return shown;
  const Json value = Json::parse(json);
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_unsigned() ? format_count(value.get<std::uint64_t>()) : json;
}

std::uint64_t RunReport::disk_bytes() const { return sum_of(supersteps, &SuperstepRecord::disk_bytes); }
std::uint64_t RunReport::helped_bytes() const { return sum_of(supersteps, &SuperstepRecord::helped_bytes); }

std::uint64_t RunReport::exchanged_bytes() const { return sum_of(supersteps, &SuperstepRecord::exchanged_bytes); }

Phases RunReport::phases() const {
  Phases sum;
  for (const SuperstepRecord& step : supersteps) sum += step.phases;
  return sum;
}

std::optional<double> RunReport::cache_hit_rate() const {
  const auto cached = static_cast<double>(cached_bytes());
  const auto loaded = static_cast<double>(on_gpu() ? link_bytes() : disk_bytes());
  if (cached + loaded == 0) return std::nullopt;
  return cached / (cached + loaded);
}

std::optional<double> RunReport::buffer_hit_rate() const {
  if (!placement.from_disk) return std::nullopt;
  if (!on_gpu()) return cache_hit_rate();
  const auto asked = static_cast<double>(link_bytes());  // pages that were not on the GPU
  return asked > 0 ? std::optional(1 - static_cast<double>(disk_bytes()) / asked) : std::nullopt;
}

std::string RunReport::json(bool with_trace) const {
  std::string text;
  write_json([&](std::string_view part) { text += part; }, with_trace);
  return text;
}

void RunReport::write_json(const std::function<void(std::string_view)>& write, bool with_trace) const {
  const std::string text = json_without_trace();
  if (!with_trace || supersteps.empty()) return write(text);
  // Only the members of the outermost object are indented by 2, and strings have no line breaks.
  const std::string empty = "\n  \"trace\": []";
  const std::size_t place = text.find(empty) + empty.size() - 1;
  constexpr std::size_t piece = std::size_t{1} << 16;
  std::string some = text.substr(0, place);
  for (std::size_t i = 0; i < supersteps.size(); ++i) {
    some += (i == 0 ? "" : ",") + indented(to_object(supersteps[i]), 2);
    if (some.size() > piece) write(std::exchange(some, {}));
  }
  write(some + "\n  ");
  write(std::string_view(text).substr(place));
}

std::string RunReport::json_without_trace() const {
  Json json{{"schema_version", 1},
            {"millrace", MILLRACE_VERSION},
            {"algorithm", algorithm},
            {"options", to_object(options)},
            {"graph", {{"store", store}, {"vertices", vertices}, {"edges", edges}, {"directed", directed}}},
            {"plan",
             {{"device", device},
              {"devices", devices},
              {"threads", threads},
              {"pages", placement.resident ? "resident" : "streamed"},
              {"page_bytes", placement.page_bytes},
              {"cache_bytes", placement.cache_bytes},
              {"direction", direction_name(direction)},
              {"decoder", on_gpu() ? "cuda" : chosen_decoder().name}}},
            {"seconds", seconds},
            {"load_seconds", load_seconds},
            {"result_seconds", result_seconds},
            {"phases", phases_json(phases())},
            {"supersteps", num_supersteps()},
            {"edges_traversed", edges_traversed},
            {"gteps", gteps()},
            {"bytes_moved", bytes_moved()},
            {"link_bytes", link_bytes()},
            {"disk_bytes", disk_bytes()},
            {"helped_bytes", helped_bytes()},
            {"exchanged_bytes", exchanged_bytes()},
            {"cache_hit_rate", nullptr},
            {"peak_memory", peak_memory},
            {"attribute_memory", {{"planned", planned_memory}, {"taken", attribute_memory}, {"growths", growths}}},
            {"device_memory", nullptr},
            {"peak_resident", peak_resident_bytes()},
            {"predicted", nullptr},
            {"results", to_object(results)},
            {"answer", answer_json(answer)},
            {"trace", Json::array()}};
  if (supersteps_each() > 1) json["supersteps_each"] = supersteps_each();
  if (!directed) json["graph"]["undirected_edges"] = counted_edges().once();
  if (predicted) json["predicted"] = prediction_json(*predicted);
  if (on_gpu()) {
    json["plan"]["model"] = model;
    json["device_memory"] = {{"peak", device_peak_memory}, {"limit", device_memory_limit}};
  }
  if (!strategy.empty()) json["plan"]["strategy"] = strategy;
  if (!placement.resident) {
    json["plan"]["slots"] = placement.slots;
    json["plan"]["slot_bytes"] = placement.slot_bytes;
  }
  if (const auto rate = cache_hit_rate()) json["cache_hit_rate"] = *rate;
  if (!note.empty()) json["note"] = with_settings(note, "");
  if (placement.from_disk) {
    json["disk"] = {{"reader", placement.reader},
                    {"direct", placement.direct},
                    {"buffer_bytes", placement.host_bytes},
                    {"bytes", disk_bytes()},
                    {"bytes_per_second", seconds > 0 ? static_cast<double>(disk_bytes()) / seconds : 0},
                    {"hit_rate", nullptr}};
    if (const auto rate = buffer_hit_rate()) json["disk"]["hit_rate"] = *rate;
  }
  if (!check.empty()) json["check"] = check;
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

void RunReport::add_streaming(SummaryTable& table) const {
  if (exchanged_bytes() > 0)
    table.row("exchanged", "up to {} between {} devices, {} a superstep", format_size(exchanged_bytes()), devices,
              format_size(exchanged_bytes() / std::max<std::uint64_t>(num_supersteps(), 1)));
  if (const auto rate = cache_hit_rate(); rate && on_gpu()) {
    table.row("page cache", "{:.1f}% of the bytes needed were there", 100 * *rate);
    table.row("link", "{} copied, {:.1f} GB/s over the run", format_size(link_bytes()),
              seconds > 0 ? static_cast<double>(link_bytes()) / seconds * 1e-9 : 0);
  }
  if (helped_bytes() > 0)
    table.row("cpu", "took {} of pages that the GPU would have had to load, {:.1f}%", format_size(helped_bytes()),
              100 * static_cast<double>(helped_bytes()) / static_cast<double>(helped_bytes() + link_bytes()));
  if (placement.from_disk) {
    table.row("page buffer", "{} of host memory; {:.1f}% of the bytes asked for were there",
              format_size(placement.host_bytes), 100 * buffer_hit_rate().value_or(0));
    table.row("disk", "{} read, {:.1f} GB/s over the run, by {}{}", format_size(disk_bytes()),
              seconds > 0 ? static_cast<double>(disk_bytes()) / seconds * 1e-9 : 0, placement.reader,
              placement.direct ? ", direct" : "");
  }
}

std::string RunReport::plan_text() const {
  const std::string computes = on_gpu() ? fmt::format("{} ({})", device, model)
                                        : fmt::format("{}, {} thread{}", device, threads, threads == 1 ? "" : "s");
  return fmt::format("{}, {}{}, direction {}", computes, strategy.empty() ? "" : strategy + ", ",
                     placement_text(placement), direction_name(direction));
}

std::string RunReport::table(bool verbose) const {
  SummaryTable table(fmt::format("{} on {}{}{}", algorithm, store, shortfall.empty() ? "" : ": ", shortfall));
  table.lead(answer_text(answer, prints_utf8()));
  table.row("graph", "{}, {}", format_counted(vertices, "vertex"), counted_edges().text());
  for (const Finding& result : results)
    if (!result.in_json_alone) table.row(result.label(), "{}", result.text());
  table.row("plan", "{}", plan_text());
  if (verbose) {
    const std::uint64_t pulled = sum_of(supersteps, &SuperstepRecord::pulls);
    table.row("supersteps", "{} ({} push, {} pull{})", num_supersteps(), num_supersteps() - pulled, pulled,
              methods_text(supersteps));
    if (const std::string text = expected_text(supersteps); !text.empty()) table.row("expected", "{}", text);
  }
  table.row("time", "{} (and {} to load{}), {:.3f} GTEPS", format_seconds(seconds), format_seconds(load_seconds),
            on_gpu() ? fmt::format(", {} to bring results back", format_seconds(result_seconds)) : "", gteps());
  if (const std::string text = phases_text(phases()); verbose && !text.empty()) table.row("phases", "{}", text);
  if (predicted)
    table.row("predicted", "{}{}", predicted->text(), ratio_text(*predicted, seconds, "x the time it took"));
  if (verbose) {
    table.row("edges", "{} traversed: what GTEPS count", format_count(edges_traversed));
    table.row("topology read", "{}", format_size(bytes_moved()));
    add_streaming(table);
  }
  if (on_gpu()) table.row("device memory", "{} ({})", format_size(device_peak_memory), limit_text(device_memory_limit));
  table.row(on_gpu() ? "host memory" : "peak memory", "{} ({})", format_size(peak_memory), limit_text(memory_limit));
  if (verbose && attribute_memory > 0)
    table.row("beside pages", "{} taken, {} planned{}", format_size(attribute_memory), format_size(planned_memory),
              growths > 0 ? fmt::format(", {} growth{}", growths, growths == 1 ? "" : "s") : "");
  if (!note.empty()) table.row("note", "{}", with_settings(note, ""));
  if (!check.empty()) table.row("check", "{}", check);
  return table.text();
}

}  // namespace millrace
