// The command line of Millrace. Results go to stdout, everything else to stderr; errors become exit codes here.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <new>

#include "millrace/cli/command.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/core/throttle.h"
#include "millrace/pages/decode.h"
#include "millrace/store/async_reads.h"

namespace {

using namespace millrace;

int fail(ExitCode code, const std::string& message) {
  end_as_unread();
  say("millrace: {}{}\n", message, finished_text());
  return static_cast<int>(code);
}

// Throws UsageError for a bad value, also where the command would not use it: whoever sets one expects that it counts.
void check_environment() {
  link_throttle();
  reader_from_environment();  // and the rate of the disk
  chosen_decoder();
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  catch_interrupts();
  try {
    check_environment();
    load_plugins(argc, argv);
    std::vector<Command> commands;  // of some thousand options: moved, as a list of initialisers would copy them
    for (Command (*const make)() : {import_command, generate_command, export_command, partition_command, info_command,
                                    verify_command, run_command, explain_command, bench_command, graphalytics_command,
                                    devices_command, calibrate_command, cache_command})
      commands.push_back(make());
    commands.push_back(completion_command(commands));
    commands.push_back(manual_command(commands));
    const int code = run_command_line(commands, argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw IoError("cannot write to stdout: it is full or closed");
    return code;
  } catch (const Error& error) {
    return fail(error.code(), with_options(error.marked()));
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ExitCode::failure, fmt::format("cannot use {}: {}", error.path1().string(), error.code().message()));
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::does_not_fit, "out of memory");
  } catch (const std::exception& error) {
    return fail(ExitCode::failure, error.what());
  }
}
