// The timeline for the page of a report, made small enough for a browser.
#pragma once

#include <nlohmann/json.hpp>

#include "millrace/core/timeline.h"
#include "millrace/report/run_report.h"

namespace millrace {

// At most about `most_events`: where there are more, neighbours are joined, and the note says so. Of the report the
// times of supersteps are used.
nlohmann::ordered_json timeline_json(const Timeline& timeline, const RunReport& report, std::size_t most_events);

}  // namespace millrace
