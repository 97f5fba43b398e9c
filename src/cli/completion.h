// Completion scripts of shells, made from the descriptions of the commands.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "millrace/cli/command.h"

namespace millrace {

std::string bash_completion(const std::vector<Command>& commands);
std::string zsh_completion(const std::vector<Command>& commands);
std::string fish_completion(const std::vector<Command>& commands);

// Visits each command after the one that it belongs to. The path is " run bfs", and empty for the command as a whole.
void visit_commands(const std::vector<Command>& commands,
                    const std::function<void(const std::string& path, const Command& command)>& visit);
// The options of a command, with those that every command has; only the command as a whole has --version.
std::vector<Option> offered_options(const std::string& path, const Command& command);
// The text with `escape` before each of these characters.
std::string escaped(const std::string& text, const std::string& characters, const std::string& escape = "\\");

}  // namespace millrace
