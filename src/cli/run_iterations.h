// What algorithms that iterate until little changes share: their options, and what they report.
#pragma once

#include <cmath>

#include "millrace/cli/run_harness.h"

namespace millrace {

struct IterationOptions : RunOptions {
  std::uint32_t iterations = 0;
  double tolerance = 0;
  bool f64 = false;
};

// --iterations, --tolerance and --precision; the texts say what they mean and their defaults.
struct IterationTexts {
  std::string iterations, tolerance;
};
struct IterationFlags {
  CLI::Option *iterations, *tolerance;
};
IterationFlags add_iteration_options(CLI::App& command, IterationOptions& options, const IterationTexts& texts);

// A number that is one. Throws UsageError.
void require_number(const std::string& option, double value);

// Edges to look at; with a tolerance, the number of iterations is not known.
inline std::uint64_t expected_edges(const IterationOptions& options, std::uint64_t edges_an_iteration) {
  return options.tolerance > 0 ? 0 : edges_an_iteration * options.iterations;
}

void report_options(RunReport& report, const IterationOptions& options);
// It converged where the change, summed over vertices, is below `threshold`; where it did not, the first line says so.
template <class Result>
void report_iterations(RunReport& report, const IterationOptions& options, const Result& result, double threshold) {
  report.edges_traversed = result.edges;
  report.results.emplace_back("iterations", fmt::format("{}", result.iterations));
  report.results.emplace_back("change", std::isfinite(result.change) ? fmt::format("{:.3e}", result.change) : "null");
  report.results.emplace_back("converged", result.converged ? "true" : "false");
  if (options.tolerance > 0 && !result.converged)
    report.shortfall = fmt::format("NOT converged in {} iterations (the last change is {:.3g}, and not below {:.3g})",
                                   result.iterations, result.change, threshold);
}

// As a share of the value. Rounding adds up over iterations, and hubs add up many values in each.
template <class Real>
constexpr double check_tolerance(std::uint32_t iterations) {
  return sizeof(Real) == 4 ? std::max(1e-4, 5e-6 * iterations) : 1e-9;
}

}  // namespace millrace
