#include "millrace/cli/run_iterations.h"

namespace millrace {

IterationFlags add_iteration_options(CLI::App& command, IterationOptions& options, const IterationTexts& texts) {
  IterationFlags flags;
  flags.iterations = command.add_option("--iterations", options.iterations, texts.iterations)
                         ->check(CLI::Range(0, 1 << 30))
                         ->type_name("N");
  flags.tolerance = command.add_option("--tolerance", options.tolerance, texts.tolerance)
                        ->check(CLI::Range(0.0, 1e300))
                        ->type_name("X");
  command
      .add_option_function<std::string>(
          "--precision", [&options](const std::string& name) { options.f64 = name == "f64"; }, "f32 (default) or f64")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->type_name("f32|f64");
  return flags;
}

void require_number(const std::string& option, double value) {
  if (std::isnan(value)) throw UsageError("{} {} is not a number", option, value);
}

void report_options(RunReport& report, const IterationOptions& options) {
  report.options.emplace_back("iterations", fmt::format("{}", options.iterations));
  report.options.emplace_back("tolerance", fmt::format("{}", options.tolerance));
  report.options.emplace_back("precision", options.f64 ? "\"f64\"" : "\"f32\"");
}

}  // namespace millrace
