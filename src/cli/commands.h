// The commands of the command line: each adds itself, with its options, to the application.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace millrace {

void add_generate_command(CLI::App& app);
void add_import_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_partition_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_verify_command(CLI::App& app);
void add_run_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_graphalytics_command(CLI::App& app);
void add_devices_command(CLI::App& app);

// An option whose value is one of a few names.
template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& flags, T& value, const std::map<std::string, T>& names,
                        const std::string& help) {
  std::vector<std::string> keys;
  std::string shown;
  for (const auto& [name, ignored] : names) {
    keys.push_back(name);
    shown += (shown.empty() ? "" : "|") + name;
  }
  return command
      .add_option_function<std::string>(
          flags, [&value, names](const std::string& name) { value = names.at(name); }, help)
      ->check(CLI::IsMember(keys).description(""))
      ->type_name(shown);
}

// The store that a command works on. Not named "store": newer versions of CLI11 take that for the option --store.
void add_store_argument(CLI::App& command, std::filesystem::path& store);

// -t/--threads: how many threads OpenMP uses from here on.
void add_threads_option(CLI::App& command);

}  // namespace millrace
