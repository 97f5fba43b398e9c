// What the commands that write stores say of the store that they have made.
#pragma once

#include <filesystem>
#include <string>

#include "millrace/build/build.h"

namespace millrace {

// Whether pages are grouped by segments: a line, or nothing where they are not.
std::string segments_line(const ChosenOrder& order);
void report_build(const std::filesystem::path& path, const BuildSummary& summary);

}  // namespace millrace
