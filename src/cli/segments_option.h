// --segments of the commands that write stores.
#pragma once

#include <cstdint>
#include <string>

#include "millrace/cli/command.h"

namespace millrace {

Option segments_option(std::string& field);
// The vertices in a segment; 0 for none. Throws UsageError.
std::uint64_t segment_vertices(const std::string& text);

}  // namespace millrace
