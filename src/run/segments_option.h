// How stores that are written group their pages: @segments@.
#pragma once

#include <string>

#include "millrace/build/order.h"
#include "millrace/catalogue/option.h"

namespace millrace {

Option segments_option(std::string& field);
// Throws UsageError.
SegmentOptions parse_segments(const std::string& text);

}  // namespace millrace
