#include "millrace/catalogue/iterative.h"

namespace millrace {

std::vector<Option> Iterative::iteration_options(const std::string& iterations_help,
                                                 const std::string& tolerance_help) {
  return {
      {.name = "iterations",
       .field = &iterations_,
       .value = "N",
       .help = iterations_help,
       .range = std::pair(0.0, double{1 << 30})},
      {.name = "tolerance", .field = &tolerance_, .value = "X", .help = tolerance_help, .range = std::pair(0.0, 1e300)},
      {.name = "precision",
       .field = &precision_,
       .value = "f32|f64",
       .help = "Compute in f32, with about 7 digits (default), or in f64, with about 16",
       .choices = {"f32", "f64"}}};
}

std::vector<Finding> Iterative::asked_iterations() const {
  return {{"iterations", fmt::format("{}", iterations())},
          {"tolerance", fmt::format("{}", tolerance())},
          {"precision", f64() ? "\"f64\"" : "\"f32\""}};
}

}  // namespace millrace
