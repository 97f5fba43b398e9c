// A command of the command line: its options, and what it does. Only command_line.cpp knows how to parse them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "millrace/catalogue/option.h"

namespace millrace {

struct Command {
  std::string name;
  std::string help;
  std::vector<Option> options;  // their fields must live as long as `run`
  std::function<void()> run;
  std::vector<Command> commands = {};      // subcommands, of which one must be given, unless `run` is there too
  std::string footer = {};                 // end of the help
  std::vector<std::string> examples = {};  // command lines; tests/cli/examples_test.py runs them
  std::string same_as = {};                // a command whose subcommands have the same options: manuals refer to it
};

Command generate_command();
Command import_command();
Command export_command();
Command partition_command();
Command info_command();
Command verify_command();
Command run_command();
Command explain_command();
Command calibrate_command();
Command bench_command();
Command graphalytics_command();
Command devices_command();
Command cache_command();
// Both describe all commands, themselves included: `commands` has to be complete when they run.
Command completion_command(const std::vector<Command>& commands);
Command manual_command(const std::vector<Command>& commands);

// The store that a command works on.
Option store_argument(std::filesystem::path& store);
Option json_option(bool& json, const std::string& help = "Print one JSON object on stdout instead of a table");

// Loads the plug-ins that the arguments name: before commands are made, which have the algorithms of the catalogue.
void load_plugins(int argc, char** argv);

// Parses the arguments and runs the command that they name; --help and --version print to stdout. Returns the exit
// code; throws what the command throws.
int run_command_line(const std::vector<Command>& commands, int argc, char** argv);

}  // namespace millrace
