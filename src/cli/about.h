// What belongs to the command as a whole, once for its help and its manual.
#pragma once

#include <string>
#include <vector>

#include "millrace/cli/option_text.h"

namespace millrace {

inline constexpr const char* summary = "graph processing over compressed pages";

// Uses of several commands.
std::vector<std::string> main_examples();
// What the command does, in paragraphs.
std::vector<std::string> main_description();
std::vector<ManualEntry> exit_codes();
std::vector<ManualEntry> environment();
std::vector<ManualEntry> kept_files();

// "Exit codes: 0 ok, 1 failure, ..."
std::string exit_codes_line();
// The end of a help text: the footer, then the examples.
std::string help_end(const std::string& footer, const std::vector<std::string>& examples);

}  // namespace millrace
