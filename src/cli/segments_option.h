// --segments of the commands that write stores.
#pragma once

#include <string>

#include "millrace/cli/command.h"
#include "millrace/ingest/segment_choice.h"

namespace millrace {

Option segments_option(std::string& field);
// Throws UsageError.
SegmentOptions parse_segments(const std::string& text);

}  // namespace millrace
