// The timeline for the page of a report, made small enough for a browser.
#pragma once

#include <nlohmann/json.hpp>

#include "millrace/core/timeline.h"

namespace millrace {

// At most about `most_events`: where there are more, short events are merged with their neighbours, and the note says
// so.
nlohmann::ordered_json timeline_json(const Timeline& timeline, std::size_t most_events);

}  // namespace millrace
