#include "millrace/report/trace_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "millrace/core/output_file.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

// Writes lines of events, with commas between them.
class EventLines {
 public:
  explicit EventLines(const std::filesystem::path& path) : file_(path) { write("{\"traceEvents\": [\n"); }
  void add(const std::string& event) {
    write((first_ ? "" : ",\n") + event);
    first_ = false;
  }
  void close(const RunReport& report, const Timeline& timeline) {
    write(
        fmt::format("\n], \"displayTimeUnit\": \"ms\", \"otherData\": {{\"algorithm\": {}, \"graph\": {}, \"events "
                    "left out\": {}, \"events joined within seconds\": {}}}}}\n",
                    quoted(report.algorithm), quoted(report.store), timeline.lost(), timeline.joined_within()));
    flush();
    file_.close();
  }

 private:
  void write(const std::string& text) {
    buffer_ += text;
    if (buffer_.size() > 1u << 20) flush();
  }
  void flush() {
    file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
  }
  OutputFile file_;
  std::string buffer_;
  bool first_ = true;
};

double microseconds(double seconds) { return seconds * 1e6; }

void add_track(EventLines& lines, std::size_t number, const Timeline::Track& track) {
  lines.add(fmt::format(R"({{"ph": "M", "name": "thread_name", "pid": 1, "tid": {}, "args": {{"name": {}}}}})", number,
                        quoted(track.name)));
  lines.add(fmt::format(
      R"({{"ph": "M", "name": "thread_sort_index", "pid": 1, "tid": {0}, "args": {{"sort_index": {0}}}}})", number));
  for (const Timeline::Event& event : track.events) {
    const std::string bytes = event.bytes > 0 ? fmt::format(R"("bytes": {})", event.bytes) : "";
    lines.add(fmt::format(
        R"({{"ph": "X", "name": {}, "cat": "{}", "pid": 1, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, "args": {{{}}}}})",
        quoted(event_text(event)), kind_name(track.kind), number, microseconds(event.begin),
        microseconds(event.end - event.begin), bytes));
  }
}

// The values at the end of each superstep or, of a long run, of several: then active vertices are a mean.
void add_counters(EventLines& lines, const RunReport& report) {
  const auto add = [&](const char* name, double at, std::uint64_t value) {
    lines.add(fmt::format(R"({{"ph": "C", "name": "{}", "pid": 1, "tid": 0, "ts": {:.3f}, "args": {{"value": {}}}}})",
                          name, microseconds(at), value));
  };
  for (const SuperstepRecord& step : report.supersteps) {
    add("active vertices", step.first_began, step.active / step.count);
    add("host memory", step.last_ended, step.host_memory);
    if (report.on_gpu()) add("device memory", step.last_ended, step.device_memory);
  }
}

}  // namespace

std::string_view kind_name(Timeline::Kind kind) {
  static constexpr std::string_view names[] = {"step", "superstep", "kernel", "copy", "disk", "cpu", "exchange"};
  return names[static_cast<std::size_t>(kind)];
}

std::string event_text(const Timeline::Event& event) {
  const std::string name(event.name);
  if (event.count == 0) return name;
  const std::string before = name == "page" ? "" : name + " ";
  if (event.count == 1) return fmt::format("{}page {}", before, event.first);
  return fmt::format("{}pages {} to {}", before, event.first, event.first + event.count - 1);
}

void write_trace(const std::filesystem::path& path, const Timeline& timeline, const RunReport& report) {
  EventLines lines(path);
  lines.add(fmt::format(R"({{"ph": "M", "name": "process_name", "pid": 1, "args": {{"name": {}}}}})",
                        quoted(fmt::format("millrace {} on {}", report.algorithm, report.store))));
  std::size_t number = 0;
  for (const Timeline::Track& track : timeline.tracks()) {
    add_track(lines, ++number, track);
    if (track.kind == Timeline::Kind::superstep) add_counters(lines, report);
  }
  lines.close(report, timeline);
}

}  // namespace millrace
