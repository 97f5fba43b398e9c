// The manual, made from the descriptions of the commands: a man page for each of them, and one document of all.
#pragma once

#include <string>
#include <vector>

#include "millrace/cli/command.h"

namespace millrace {

struct ManPage {
  std::string name;  // "millrace-run-bfs"
  std::string text;  // in the macros of man(7)
};

// The page of the command as a whole, then one for each command; a command that is `same_as` another has no pages for
// its subcommands.
std::vector<ManPage> man_pages(const std::vector<Command>& commands);
std::string markdown_manual(const std::vector<Command>& commands);

}  // namespace millrace
