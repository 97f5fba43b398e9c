// A timeline as a trace for Perfetto and chrome://tracing: the JSON object format of "Trace Event Format", with a track
// for each stream, copy engine, disk queue and thread, and counters for each superstep.
#pragma once

#include <filesystem>

#include "millrace/core/timeline.h"
#include "millrace/report/run_report.h"

namespace millrace {

std::string_view kind_name(Timeline::Kind kind);
// "page 3", "pages 3 to 17", or the name of the event alone.
std::string event_text(const Timeline::Event& event);

// Writes all events. "-" is stdout. Throws IoError.
void write_trace(const std::filesystem::path& path, const Timeline& timeline, const RunReport& report);

}  // namespace millrace
