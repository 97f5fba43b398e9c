// --segments of the commands that write stores.
#pragma once

#include <string>

#include "millrace/cli/command.h"
#include "millrace/ingest/order.h"

namespace millrace {

Option segments_option(std::string& field);
// Throws UsageError.
SegmentOptions parse_segments(const std::string& text);
// What a build says about them: a line, or nothing where it made none.
std::string segments_line(const ChosenOrder& order);

}  // namespace millrace
