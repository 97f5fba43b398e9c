// Finds the word of a command line that names nothing, for a better message than that of the parser.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/cli/command.h"

namespace millrace {

// Says which command, algorithm or option is unknown and what was probably meant; empty if all are known.
std::optional<std::string> misspelt_word(const std::vector<Command>& commands, std::span<const char* const> arguments);

}  // namespace millrace
