// The command line of Millrace. Results go to stdout, everything else to stderr; errors become exit codes here.
#include <fmt/core.h>
#include <omp.h>

#include <cstdio>
#include <new>
#include <sstream>

#include "millrace/cli/commands.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/pages/decode.h"
#include "millrace/version.h"

namespace millrace {

void add_store_argument(CLI::App& command, std::filesystem::path& store) {
  command.add_option("STORE", store)->required()->type_name("");
}

void add_threads_option(CLI::App& command) {
  command
      .add_option_function<int>(
          "-t,--threads", [](int threads) { omp_set_num_threads(threads); },
          "Threads of the host to use (default: all cores)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
}

}  // namespace millrace

namespace {

using namespace millrace;

int fail(ExitCode code, const std::string& message) {
  end_as_unread();
  say("millrace: {}{}\n", message, finished_text());
  return static_cast<int>(code);
}

void add_commands(CLI::App& app) {
  app.set_version_flag("--version", fmt::format("millrace {} (decoder: {})", MILLRACE_VERSION, best_decoder().name));
  app.require_subcommand(1);
  app.fallthrough();
  app.add_flag_callback(
      "-q,--quiet", [] { Progress::set_enabled(false); }, "No progress bars");
  app.footer(
      "Examples:\n"
      "  millrace generate rmat -o g.store --scale 20 --edge-factor 16\n"
      "  millrace import edges.txt -o g.store\n"
      "  millrace export g.store -o edges.txt.gz\n"
      "  millrace partition g.store --parts 4 --method metis -o g4.store\n"
      "  millrace run pagerank g.store -o ranks.txt\n"
      "  millrace run bfs g.store --source 0 --check\n"
      "  millrace run pagerank g.store --device cuda --device-memory 8G\n"
      "\nExit codes: 0 ok, 1 failure, 2 usage, 3 bad input, 4 does not fit, 5 device, 130 interrupted.");
  add_import_command(app);
  add_generate_command(app);
  add_export_command(app);
  add_partition_command(app);
  add_info_command(app);
  add_verify_command(app);
  add_run_command(app);
  add_bench_command(app);
  add_graphalytics_command(app);
  add_devices_command(app);
}

// Does what the arguments ask for. CLI11 would print texts itself, and not notice where they cannot be written.
int run_command(CLI::App& app, int argc, char** argv) {
  std::ostringstream text;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    app.exit(asked, text, text);
    print_text(text.str());
  } catch (const CLI::ParseError& error) {
    const auto unknown = app.remaining(true);
    if (!unknown.empty()) return fail(ExitCode::usage, fmt::format("'{}' is not understood; see --help", unknown[0]));
    app.exit(error, text, text);
    say_text(text.str());
    return static_cast<int>(ExitCode::usage);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw IoError("cannot write to stdout: it is full or closed");
  return static_cast<int>(ExitCode::ok);
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  catch_interrupts();
  try {
    CLI::App app("Millrace: graph processing over compressed pages.");
    add_commands(app);
    return run_command(app, argc, argv);
  } catch (const Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ExitCode::failure, fmt::format("cannot use {}: {}", error.path1().string(), error.code().message()));
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::does_not_fit, "out of memory");
  } catch (const std::exception& error) {
    return fail(ExitCode::failure, error.what());
  }
}
