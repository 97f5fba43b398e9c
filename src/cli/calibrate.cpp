// millrace calibrate: measures this machine, for the planner.
#include "millrace/run/calibrate.h"

#include <fmt/format.h>

#include <memory>

#include "millrace/cli/command.h"
#include "millrace/cli/print.h"
#include "millrace/core/cache_folder.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/run/sampling.h"

namespace millrace {

Command calibrate_command() {
  const auto options = std::make_shared<CalibrateOptions>();
  Command command{
      .name = "calibrate",
      .help = "Measure this machine once, so that runs are planned well and explain predicts them",
      .options = {{.name = "algorithms",
                   .field = &options->algorithms,
                   .value = "NAME,...",
                   .help =
                       fmt::format("Only these algorithms (default all): {}", fmt::join(sampled_algorithms(), ", ")),
                   .choices = sampled_algorithms(),
                   .commas = true},
                  {.name = "quick",
                   .field = &options->quick,
                   .value = {},
                   .help = "Smaller graphs: a few seconds for each algorithm, and predictions that are further off"},
                  {.name = "seconds",
                   .field = &options->seconds,
                   .value = "S",
                   .help = "Begin no more runs after this time; what is missing is measured when it is needed (default "
                           "50)",
                   .range = std::pair(0.1, 3600.0)},
                  {.name = "temp",
                   .field = &options->temporary,
                   .value = "DIR",
                   .help = "A folder for small graphs meanwhile, on the disk that stores are read from (default "
                           "TMPDIR)",
                   .use = PathUse::below}},
      .run =
          [options] {
            const Stopwatch watch;
            demand_file_of_cache(calibration_file(this_hardware()));  // now, not after it was measured
            const Calibration made = calibrate(*options, load_calibration());
            const std::filesystem::path file = calibration_file(made.hardware);
            save_calibration(made, file);
            print_text(with_options(
                calibration_text(made, options->algorithms.empty() ? sampled_algorithms() : options->algorithms)));
            say("kept in {}, after {}\n", file.string(), format_seconds(watch.seconds()));
          },
      .examples = {"millrace calibrate", "millrace calibrate --quick --algorithms pagerank,bfs"}};
  return command;
}

}  // namespace millrace
