// Validates results by the rules of LDBC Graphalytics: compares files of `id value` lines with the expected ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace millrace {

// When two values are the same.
enum class Match {
  exact,       // the same whole number: BFS, CDLP
  equivalent,  // labels, up to renaming: there is a bijection between the two sets. WCC
  epsilon,     // |found - expected| <= 1e-4 |expected|; infinities are equal. PR, LCC, SSSP
};

struct Mismatch {
  std::uint64_t vertex = 0;
  std::string found;     // or "nothing"
  std::string expected;  // or "nothing"; for renamed labels, the label that would match
};

struct Validation {
  std::uint64_t vertices = 0;
  std::uint64_t mismatches = 0;
  std::optional<Mismatch> first;  // the mismatch of the lowest vertex
  bool passed() const { return mismatches == 0; }
};

// Files may be compressed, and list vertices in any order. Throws BadInputError if a file has other lines, a value that
// is no number, or a vertex twice.
Validation validate_results(const std::filesystem::path& found, const std::filesystem::path& expected, Match match);

}  // namespace millrace
