// Where Millrace keeps what it could make again: calibrations, the last report, stores of graph files.
#pragma once

#include <filesystem>

namespace millrace {

// XDG_CACHE_HOME/millrace, or ~/.cache/millrace; empty if neither is known.
std::filesystem::path cache_folder();

}  // namespace millrace
