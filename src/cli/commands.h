// The commands of the command line: each adds itself, with its options, to the application.
#pragma once

#include <CLI/CLI.hpp>

namespace millrace {

void add_generate_command(CLI::App& app);
void add_import_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_verify_command(CLI::App& app);
void add_run_command(CLI::App& app);
void add_bench_command(CLI::App& app);

// -t/--threads: how many threads OpenMP uses from here on; 0 leaves the default.
void add_threads_option(CLI::App& command);

}  // namespace millrace
