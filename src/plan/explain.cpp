#include "millrace/plan/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "millrace/core/cache_folder.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/report/prediction_json.h"
#include "millrace/report/table.h"
#include "millrace/store/counted_edges.h"
#include "millrace/store/json_file.h"
#include "millrace/stream/page_cache.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t whole(double number) { return static_cast<std::uint64_t>(std::max(0.0, number)); }
std::string size_text(double bytes) { return format_size(whole(bytes)); }

// Bytes of pages on the devices, in host memory beside a GPU, and on disk alone.
struct PagesAt {
  std::uint64_t device = 0, host = 0, disk = 0;
};
PagesAt pages_at(const PlanChoice& choice) {
  const Placement& p = choice.where.placement;
  if (p.resident) return {.device = p.page_bytes};
  const std::uint64_t cached = std::min(p.cache_bytes, p.page_bytes);
  if (!p.from_disk) return {.device = cached, .host = p.page_bytes};
  const bool cuda = choice.devices.find("cuda") != std::string::npos;
  const std::uint64_t host = cuda ? std::min(p.host_bytes, p.page_bytes) : 0;
  return {.device = cached, .host = host, .disk = p.page_bytes - std::min(p.page_bytes, cached + host)};
}

// The devices that have pages and attributes: the cpu that helps has none.
std::string holders(const PlanChoice& choice) {
  if (!choice.where.helped) return choice.devices;
  std::string gpus;
  for (const DeviceName& one : parse_devices(choice.devices))
    gpus += fmt::format("{}cuda:{}", gpus.empty() ? "" : ",", one.ordinal);
  return gpus;
}

// How supersteps go, and in what pieces pages come.
void add_policy(SummaryTable& table, const PlanChoice& choice) {
  const Placement& p = choice.where.placement;
  std::string pages;
  for (const Orientation o : choice.pages)
    pages += fmt::format("{}{}", pages.empty() ? "" : " and ", orientation_name(o));
  table.row("direction", "{}; {} pages",
            choice.direction == Direction::automatic ? "chosen in each superstep"
                                                     : std::string(direction_name(choice.direction)),
            pages);
  if (p.resident || p.slots == 0) return;
  table.row("page cache", "{} slots of {}, {} of them for pages on their way{}", p.slots, format_size(p.slot_bytes),
            std::min(p.slots, ring_depth({.slot_bytes = p.slot_bytes, .slots = p.slots})),
            choice.pages.size() > 1 ? "; shared by both orientations, the least recently used go" : "");
  if (choice.where.far_rows) table.row("single rows", "read where they lie in host memory, if a superstep needs few");
}

std::string beside_text(const BesidePages& beside) {
  std::string text = fmt::format("{} of attributes and frontiers", format_size(beside.attributes));
  if (beside.degrees > 0) text += fmt::format(", {} of degrees", format_size(beside.degrees));
  if (beside.rows > 0) text += fmt::format(", {} of an index of rows", format_size(beside.rows));
  return text;
}

void add_flows(SummaryTable& table, const Prediction& p) {
  const double steps = std::max(p.supersteps, 1.0);
  std::string flows;
  const auto add = [&](const char* what, double bytes) {
    if (bytes > 0) flows += fmt::format("{}{} {}", flows.empty() ? "" : ", ", size_text(bytes / steps), what);
  };
  add("over the link", p.link_bytes);
  add("from disk", p.disk_bytes - p.first_bytes);
  add("computed on by the cpu instead", p.helped_bytes);
  add("between devices", p.exchanged_bytes);
  table.row("each superstep", "{} of them; {}", whole(steps + 0.5),
            flows.empty() ? "pages stay where they are" : flows);
  if (p.first_bytes > 0)
    table.row("first pass", "{} more from disk, which then stay in memory: {}", size_text(p.first_bytes),
              p.first_seconds > 0.01 * p.seconds ? format_seconds(p.first_seconds) + " longer than later ones"
                                                 : "as long as later ones");
}

std::string phases_text(const Prediction& p) {
  const std::string computing = fmt::format("computing {}", format_seconds(p.compute));
  std::string others;
  for (const auto& [name, seconds] : {std::pair("link", p.link), {"disk", p.disk}, {"exchange", p.exchange}})
    if (seconds > 0) others += fmt::format(", {} {}", name, format_seconds(seconds));
  return computing + (others.empty() ? "" : others + " (they overlap)");
}

// Why a plan lost.
std::string reason(const PlanChoice& choice, const PlanChoice& best) {
  if (!choice.fits) return "no: " + choice.problem;
  if (!choice.predicted) return "fits, not predicted";
  const bool comparable = best.fits && best.predicted && best.predicted->says_enough();
  return choice.predicted->text(comparable ? ratio_text(*choice.predicted, best.predicted->seconds) : "");
}

Json json_of(const PlanChoice& choice) {
  Json json{{"device", choice.devices},
            {"strategy", strategy_name(choice.strategy)},
            {"fits", choice.fits},
            {"predicted", nullptr}};
  if (!choice.fits) {
    json["problem"] = with_settings(choice.problem, "--");
    if (choice.needed > choice.limit) json["device_memory"] = {{"needed", choice.needed}, {"limit", choice.limit}};
    return json;
  }
  const Placement& p = choice.where.placement;
  const PagesAt at = pages_at(choice);
  json["pages"] = {
      {"bytes", p.page_bytes}, {"on_devices", at.device}, {"in_host_memory", at.host}, {"on_disk", at.disk}};
  const BesidePages beside = choice.where.all_beside();
  json["memory"] = choice.where.memory();
  json["beside_pages"] = beside.all();
  json["degrees"] = beside.degrees;
  json["row_index"] = beside.rows;
  json["host_memory"] = choice.where.host;
  json["direction"] = direction_name(choice.direction);
  json["orientations"] = Json::array();
  for (const Orientation o : choice.pages) json["orientations"].push_back(orientation_name(o));
  if (p.slots > 0)
    json["page_cache"] = {{"slots", p.slots}, {"slot_bytes", p.slot_bytes}, {"far_rows", choice.where.far_rows}};
  if (choice.where.far_bytes > 0) json["far_attributes"] = choice.where.far_bytes;
  if (choice.where.chunks > 1) json["chunks"] = choice.where.chunks;
  if (choice.predicted) json["predicted"] = prediction_json(*choice.predicted);
  return json;
}

std::filesystem::path last_report() { return cache_folder() / "last-run.json"; }

Json read_last_report() {
  const std::filesystem::path file = last_report();
  std::error_code ignored;
  if (cache_folder().empty() || !std::filesystem::exists(std::filesystem::symlink_status(file, ignored)))
    throw BadInputError("there is no report of a run yet ({}): run an algorithm first", file.string());
  demand_file_of_cache(file);
  try {
    return read_json_file(File::open(file));
  } catch (const BadInputError& error) {
    throw BadInputError("{}; the next run replaces it", error.marked());
  }
}

}  // namespace

std::string explain_text(const Plans& plans, const Algorithm& algorithm, const Store& store) {
  const PlanChoice& chosen = plans.choices[plans.chosen];
  SummaryTable table(fmt::format("{} on {}", algorithm.info().name, store.path().string()));
  table.row("graph", "{}, {}, {}", format_counted(store.num_vertices(), "vertex"), edges_of(store).text(),
            graph_kind_name(plans.graph.kind));
  if (!chosen.fits) {
    table.row("plan", "{}", plans.asked ? chosen.name() + ", as asked, does not fit" : "none fits");
  } else {
    const PagesAt at = pages_at(chosen);
    table.row("plan", "{}{}", chosen.name(), plans.asked ? ", as asked" : "");
    std::string pages = fmt::format("{} of {} on {}", format_size(at.device),
                                    format_size(chosen.where.placement.page_bytes), holders(chosen));
    if (at.host > 0) pages += fmt::format(", {} in host memory", format_size(at.host));
    if (at.disk > 0) pages += fmt::format(", {} on disk alone", format_size(at.disk));
    table.row("pages", "{}", pages);
    const BesidePages beside = chosen.where.all_beside();
    table.row("beside pages", "{} on {}: {}", format_size(beside.all()), holders(chosen), beside_text(beside));
    if (chosen.where.far_bytes > 0)
      table.row("far attributes", "{}, in {} chunk{}", format_size(chosen.where.far_bytes), chosen.where.chunks,
                chosen.where.chunks == 1 ? "" : "s");
    table.row("memory", "{} on {}", format_size(chosen.where.memory()), holders(chosen));
    if (chosen.where.host > 0) table.row("host memory", "{}", format_size(chosen.where.host));
    add_policy(table, chosen);
    if (chosen.predicted) {
      const Prediction& p = *chosen.predicted;
      add_flows(table, p);
      table.row("predicted", "{}",
                p.text(fmt::format(" for {:.0f} {}{}", plans.units, plans.unit, plans.units == 1 ? "" : "s")));
      if (p.says_enough()) table.row("phases", "{}", phases_text(p));
      if (p.beyond) table.row("note", "far from the graphs that were measured: a rough guess");
    } else {
      table.row("predicted", "nothing: this algorithm is not measured");
    }
  }
  for (std::size_t i = 0; i < plans.choices.size(); ++i)
    if (i != plans.chosen || !chosen.fits)
      table.row(plans.choices[i].name(), "{}", with_settings(reason(plans.choices[i], chosen), "--"));
  return table.text();
}

std::string explain_json(const Plans& plans, const Algorithm& algorithm, const Store& store) {
  Json all = Json::array();
  for (const PlanChoice& choice : plans.choices) all.push_back(json_of(choice));
  Json json{{"schema_version", 1},
            {"millrace", MILLRACE_VERSION},
            {"algorithm", algorithm.info().name},
            {"graph",
             {{"store", store.path().string()},
              {"vertices", store.num_vertices()},
              {"edges", store.num_edges()},
              {"kind", graph_kind_name(plans.graph.kind)}}},
            {"units", plans.units},
            {"unit", plans.unit},
            {"asked", plans.asked},
            {"chosen", plans.choices[plans.chosen].fits ? Json(plans.chosen) : Json(nullptr)},
            {"plans", all}};
  if (!store.manifest().directed) json["graph"]["undirected_edges"] = edges_of(store).once();
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string keep_report(const std::string& report_json) try {
  if (cache_folder().empty()) return {};
  write_cache_file(last_report(), report_json);
  return {};
} catch (const IoError& error) {
  try {
    demand_own_folder(cache_folder());
    return is_file_or_nothing(last_report()) ? "" : error.marked();
  } catch (const IoError&) {
    return error.marked();
  }
}

std::string explain_after(const std::filesystem::path& report, bool as_json) {
  const std::filesystem::path file = report.empty() ? last_report() : report;
  const Json run = report.empty() ? read_last_report() : read_json_file(File::open(file), "trace");
  const char* const remedy = report.empty() ? "; the next run replaces it" : "";
  if (!run.is_object()) throw BadInputError("{} is no report of a run{}", file.string(), remedy);
  try {
    const Json& predicted = run.at("predicted");
    if (predicted.is_null())
      throw UsageError("{}: nothing was predicted of this run of {}; millrace calibrate, and run it again",
                       file.string(), run.at("algorithm").get<std::string>());
    const Json measured{{"seconds", run.at("seconds")},       {"supersteps", run.at("supersteps")},
                        {"phases", run.at("phases")},         {"link_bytes", run.at("link_bytes")},
                        {"disk_bytes", run.at("disk_bytes")}, {"helped_bytes", run.at("helped_bytes")}};
    if (as_json)
      return Json{{"schema_version", 1},    {"algorithm", run.at("algorithm")}, {"graph", run.at("graph")},
                  {"plan", run.at("plan")}, {"predicted", predicted},           {"measured", measured}}
          .dump(2, ' ', false, Json::error_handler_t::replace);
    SummaryTable table(fmt::format("{} on {}: predicted, measured", run.at("algorithm").get<std::string>(),
                                   run.at("graph").at("store").get<std::string>()));
    table.row("plan", "{}", run.at("plan").at("device").get<std::string>());
    const Prediction guess{.seconds = predicted.at("seconds").get<double>(),
                           .supersteps = predicted.at("supersteps").get<double>()};
    const double took = measured["seconds"];
    if (guess.says_enough()) {
      table.row("time", "{}, {}{}", format_seconds(guess.seconds), format_seconds(took), ratio_text(guess, took));
      for (const char* name : {"compute", "copy", "disk", "exchange"}) {
        const Prediction phase{.seconds = predicted.at("phases").at(name).get<double>()};
        const double truth = measured["phases"].at(name);
        if (phase.seconds > 0 || truth > 0)
          table.row(name, "{}, {}{}", format_seconds(phase.seconds), format_seconds(truth),
                    guess.says_enough(took) ? ratio_text(phase, truth) : "");
      }
    } else {
      table.row("time", "{}; {}", guess.text(), format_seconds(took));
    }
    table.row("supersteps", "{:.0f}, {}", guess.supersteps, measured["supersteps"].get<std::uint64_t>());
    for (const char* bytes : {"link_bytes", "disk_bytes", "helped_bytes"})
      if (const std::uint64_t a = predicted.at(bytes), b = measured[bytes]; a > 0 || b > 0)
        table.row(bytes, "{}, {}", format_size(a), format_size(b));
    if (guess.says_enough()) table.row("bound by", "{}", predicted.at("bound").get<std::string>());
    return table.text();
  } catch (const Json::exception& error) {
    throw BadInputError("{} is no report of a run ({}){}", file.string(), json_problem(error), remedy);
  }
}

}  // namespace millrace
