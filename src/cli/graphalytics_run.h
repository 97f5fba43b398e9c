// The algorithms of LDBC Graphalytics: each is an algorithm of the catalogue, with options from the benchmark's
// parameters.
#pragma once

#include <span>
#include <string_view>

#include "millrace/read/ldbc_properties.h"
#include "millrace/report/validate.h"
#include "millrace/run/ready_run.h"

namespace millrace {

struct GraphalyticsAlgorithm {
  std::string_view name;    // in properties, and on the command line
  std::string_view suffix;  // of result files
  Match match;
  std::string_view algorithm;  // name in the catalogue; the benchmark expects its first column
  struct Parameter {
    std::string_view option, key;  // the key in properties
    std::string_view kind;         // what its value must be, in words
  };
  std::span<const Parameter> parameters;
};

std::span<const GraphalyticsAlgorithm> graphalytics_algorithms();

// Plans and runs an algorithm with the benchmark's parameters, and writes its result. Throws BadInputError if a
// parameter is missing or invalid.
RunReport run_graphalytics_algorithm(const GraphalyticsAlgorithm& algorithm, const LdbcProperties& properties,
                                     const std::shared_ptr<const Store>& store, const RunSettings& settings,
                                     const std::filesystem::path& output);

}  // namespace millrace
