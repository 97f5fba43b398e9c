// What completion scripts and manuals say of an option or a command, taken from its description.
#pragma once

#include <string>
#include <vector>

#include "millrace/cli/command.h"

namespace millrace {

// A term and what it means: an exit code, an environment variable, a file.
struct ManualEntry {
  std::string term;
  std::string text;
};

// What a shell offers where the value of an option, or an argument, is typed.
enum class Offer { nothing, words, files, directories };

bool takes_value(const Option& option);
// May be given several times; as an argument: takes all that follow.
bool takes_several(const Option& option);
// "FILE"; of an argument without a placeholder its name.
std::string placeholder(const Option& option);
Offer offer_of(const Option& option);
// The allowed values, and the words in a placeholder such as "auto|none|SIZE".
std::vector<std::string> offered_words(const Option& option);
// Every way to write the option, short form first: -o, --output; --normalized, --no-normalized.
std::vector<std::string> flags_of_option(const Option& option);

// The beginning of a help text, for a list of options or commands: at most a line.
std::string brief(const std::string& help);
// The help text with what it adds of values on a command line.
std::string help_as_typed(const Option& option);
// The help text as sentences: with a full stop, the range and the options that it excludes or needs.
std::string full_help(const Option& option);
std::string sentence(const std::string& help);
// What the subcommands of a command are: "COMMAND" or "ALGORITHM".
std::string subcommand_word(const Command& command);
// "millrace run bfs STORE --source ID [OPTION...]", from the full name of the command.
std::string usage(const std::string& full_name, const Command& command);

// The options that every command has.
std::vector<Option> common_options();

}  // namespace millrace
