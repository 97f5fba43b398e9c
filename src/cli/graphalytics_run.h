// The algorithms of LDBC Graphalytics: each is one of the catalogue, with options from the benchmark's parameters.
#pragma once

#include <span>
#include <string_view>

#include "millrace/ingest/ldbc_properties.h"
#include "millrace/report/validate.h"
#include "millrace/run/session.h"

namespace millrace {

struct GraphalyticsAlgorithm {
  std::string_view name;    // in properties, and on the command line
  std::string_view suffix;  // of files with results
  Match match;
  std::string_view algorithm;  // in the catalogue; its first column is what the benchmark expects
  struct Parameter {
    std::string_view option, key;  // the key in properties
    std::string_view kind;         // of its value, in words
  };
  std::span<const Parameter> parameters;
};

std::span<const GraphalyticsAlgorithm> graphalytics_algorithms();

// Runs one by the benchmark's parameters and writes what it finds. Throws BadInputError where a parameter is missing or
// not of its kind.
RunReport run_graphalytics_algorithm(const GraphalyticsAlgorithm& algorithm, const LdbcProperties& properties,
                                     Session& session, const std::filesystem::path& output);

}  // namespace millrace
