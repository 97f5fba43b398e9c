#include "millrace/report/report_page.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "millrace/core/error.h"
#include "millrace/core/output_file.h"
#include "millrace/core/text.h"
#include "millrace/report/phases_json.h"
#include "millrace/report/prediction_json.h"
#include "millrace/report/report_timeline.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

// The page with its style and script; the data belongs where /*DATA*/ is. Made by CMake from page/.
constexpr const char* page_text[] = {
#include "millrace/report/page_text.inc"
};

constexpr std::size_t most_entries = 2000, most_events = 40'000;

Json rows_of(const std::vector<Answer::Row>& rows) {
  Json list = Json::array();
  for (const Answer::Row& row : rows) list.push_back({row.name, row.text, row.number});
  return list;
}

Json answer_of(const RunReport& report) {
  Json facts = Json::array(
      {{"vertices", format_count(report.vertices)},
       {"edges", format_count(report.counted_edges().once()) + (report.directed ? " (directed)" : " (undirected)")}});
  const auto add = [&](const Finding& finding) { facts.push_back({finding.label(), finding.text()}); };
  for (const Finding& finding : report.options)  // a result of the same name says what it became
    if (finding.name != "direction" &&
        std::ranges::find(report.results, finding.name, &Finding::name) == report.results.end())
      add(finding);
  for (const Finding& finding : report.results)
    if (!finding.in_json_alone) add(finding);
  if (!report.check.empty()) facts.push_back({"check", report.check});
  if (!report.answer.missing.empty()) facts.push_back({"not shown", report.answer.missing});
  if (!report.note.empty()) facts.push_back({"note", with_settings(report.note, "")});
  Json tops = Json::array(), charts = Json::array();
  for (const Answer::Top& top : report.answer.tops)
    tops.push_back({{"title", top.title}, {"value", top.value}, {"vertex", top.of}, {"rows", rows_of(top.rows)}});
  for (const Answer::Chart& chart : report.answer.charts)
    charts.push_back(
        {{"title", chart.title}, {"x", chart.x}, {"y", chart.y}, {"log", chart.log}, {"bars", rows_of(chart.bars)}});
  return {{"facts", facts}, {"tops", tops}, {"charts", charts}};
}

Json plan_of(const RunReport& report) {
  const Placement& p = report.placement;
  const std::uint64_t cached = p.resident ? p.page_bytes : std::min(p.cache_bytes, p.page_bytes);
  std::uint64_t host = 0;
  if (!p.resident && report.on_gpu())
    host = (p.from_disk ? std::min(p.host_bytes, p.page_bytes) : p.page_bytes) - cached;
  const std::uint64_t disk = p.from_disk ? p.page_bytes - std::min(p.page_bytes, cached + host) : 0;
  return {{"device", report.device},
          {"text", report.plan_text()},
          {"pages", {{"bytes", p.page_bytes}, {"on_devices", cached}, {"in_host_memory", host}, {"on_disk", disk}}},
          {"attributes", report.attribute_memory},
          {"host_memory", report.peak_memory},
          {"direction", direction_name(report.direction)}};
}

Json measured_of(const RunReport& report) {
  Json json{{"seconds", report.seconds},
            {"load_seconds", report.load_seconds},
            {"result_seconds", report.result_seconds},
            {"supersteps", report.num_supersteps()},
            {"link_bytes", report.link_bytes()},
            {"disk_bytes", report.disk_bytes()},
            {"helped_bytes", report.helped_bytes()},
            {"exchanged_bytes", report.exchanged_bytes()},
            {"gteps", report.gteps()},
            {"edges_traversed", report.edges_traversed},
            {"bytes_moved", report.bytes_moved()},
            {"cache_hit_rate", nullptr},
            {"phases", phases_json(report.phases())}};
  if (const auto rate = report.cache_hit_rate()) json["cache_hit_rate"] = *rate;
  return json;
}

// To be read after "bound by".
std::string bound_text(const Prediction& predicted) {
  const std::string bound = predicted.bound();
  return bound == "computing" ? bound : "the " + bound;
}

// Null without a prediction. The page has its figures only if they are to be shown, and ratios only if it is to be
// compared; elsewhere it has the text.
Json predicted_of(const RunReport& report) {
  if (!report.predicted) return nullptr;
  const Prediction& predicted = *report.predicted;
  Json json = prediction_json(predicted);
  json["bound"] = bound_text(predicted);
  json["shown"] = predicted.says_enough();
  json["compared"] = predicted.says_enough(report.seconds);
  json["text"] = predicted.text();
  return json;
}

// Seconds are null where the prediction does not say enough to be compared; the text then says why.
Json plans_of(const PageInput& input) {
  Json plans = Json::array();
  for (const PageInput::Plan& plan : input.plans) {
    const bool shown = plan.predicted && plan.predicted->says_enough();
    plans.push_back({{"device", plan.device},
                     {"strategy", plan.strategy},
                     {"fits", plan.fits},
                     {"seconds", shown ? Json(plan.predicted->seconds) : Json(nullptr)},
                     {"bound", shown ? bound_text(*plan.predicted) : ""},
                     {"text", plan.predicted && !shown ? plan.predicted->text() : ""},
                     {"chosen", plan.chosen},
                     {"problem", plan.problem}});
  }
  return plans;
}

// A list for each figure; where there are many supersteps, each entry is for several.
Json supersteps_of(const RunReport& report) {
  const std::vector<SuperstepRecord>& steps = report.supersteps;
  const std::size_t join = std::max<std::size_t>(1, (steps.size() + most_entries - 1) / most_entries);
  std::vector<SuperstepRecord> entries;
  for (std::size_t i = 0; i < steps.size(); ++i)
    i % join == 0 ? entries.push_back(steps[i]) : entries.back().join(steps[i]);
  const std::uint64_t per = join * report.supersteps_each();
  Json json{{"count", report.num_supersteps()}, {"per", per}};
  const auto add = [&](const char* name, auto value) {
    Json list = Json::array();
    for (const SuperstepRecord& entry : entries) list.push_back(value(entry));
    json[name] = std::move(list);
  };
  const auto each = [](const SuperstepRecord& s, std::uint64_t sum) {
    return static_cast<double>(sum) / static_cast<double>(s.count);
  };
  if (per == 1)
    add("direction", [](const SuperstepRecord& s) { return s.direction_text(); });
  else
    add("direction", [&](const SuperstepRecord& s) { return each(s, s.pulls); });
  add("method", [](const SuperstepRecord& s) { return s.method_text(); });
  add("active", [&](const SuperstepRecord& s) { return each(s, s.active); });
  const std::pair<const char*, std::uint64_t Superstep::*> counts[] = {{"edges", &Superstep::edges},
                                                                       {"bytes", &Superstep::bytes},
                                                                       {"loaded_bytes", &Superstep::loaded_bytes},
                                                                       {"cached_bytes", &Superstep::cached_bytes},
                                                                       {"disk_bytes", &Superstep::disk_bytes},
                                                                       {"helped_bytes", &Superstep::helped_bytes},
                                                                       {"exchanged_bytes", &Superstep::exchanged_bytes},
                                                                       {"host_memory", &Superstep::host_memory},
                                                                       {"device_memory", &Superstep::device_memory}};
  for (const auto& [name, field] : counts) add(name, [field = field](const SuperstepRecord& s) { return s.*field; });
  add("seconds", [](const SuperstepRecord& s) { return s.seconds; });
  add("expected_seconds", [](const SuperstepRecord& s) { return s.expected_seconds; });
  const std::pair<const char*, double Phases::*> phases[] = {{"compute", &Phases::compute},   {"help", &Phases::help},
                                                             {"copy", &Phases::copy},         {"disk", &Phases::disk},
                                                             {"exchange", &Phases::exchange}, {"wait", &Phases::wait}};
  for (const auto& [name, field] : phases)
    add(name, [field = field](const SuperstepRecord& s) { return s.phases.*field; });
  return json;
}

Json common(const char* kind, const std::string& title, const PageInput& input) {
  Json machine = Json::array();
  for (const auto& [name, value] : input.machine) machine.push_back({name, value});
  return {{"schema", 1},
          {"kind", kind},
          {"title", title},
          {"millrace", MILLRACE_VERSION},
          {"date", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)))},
          {"command", input.command},
          {"machine", machine}};
}

void write(const std::filesystem::path& path, const Json& data) {
  std::string page;
  for (const char* const part : page_text) page += part;
  const std::string place = "/*DATA*/";
  const std::size_t before = page.find(place), after = before + place.size();
  OutputFile file(path);
  const auto write = [&](std::string_view text) { file.write(text.data(), text.size()); };
  write(std::string_view(page).substr(0, before));
  // Inside of a script element "<" could end it.
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('<', begin), text.size());
    write(std::string_view(text).substr(begin, end - begin));
    if (end < text.size()) write("\\u003c");
    begin = end + 1;
  }
  write(std::string_view(page).substr(after));
  file.close();
}

}  // namespace

void write_page(const std::filesystem::path& path, const RunReport& report, const Timeline& timeline,
                const PageInput& input) {
  Json data = common("run", fmt::format("{} on {}", report.algorithm, report.store), input);
  data["shortfall"] = report.shortfall;
  data["answer"] = answer_of(report);
  data["plan"] = plan_of(report);
  data["predicted"] = predicted_of(report);
  data["measured"] = measured_of(report);
  data["plans"] = plans_of(input);
  data["supersteps"] = supersteps_of(report);
  data["timeline"] = timeline_json(timeline, report, most_events);
  write(path, data);
}

void write_bench_page(const std::filesystem::path& path, const std::string& title, const BenchTable& table,
                      const PageInput& input) {
  Json data = common("bench", title, input);
  data["bench"] = {{"columns", table.columns}, {"rows", table.rows}, {"bars", rows_of(table.bars)}};
  data["bench"]["notes"] = Json::array();
  for (const auto& [name, text] : table.notes) data["bench"]["notes"].push_back({name, text});
  write(path, data);
}

}  // namespace millrace
