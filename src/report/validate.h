// Validation of results by the rules of LDBC Graphalytics: files of `id value` lines, one by one against those that
// are expected.
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
  std::string expected;  // or "nothing"; where labels are renamed, what it would have to be
};

struct Validation {
  std::uint64_t vertices = 0;
  std::uint64_t mismatches = 0;
  std::optional<Mismatch> first;  // of the lowest vertex
  bool passed() const { return mismatches == 0; }
};

// Files may be compressed, and have their vertices in any order. Throws BadInputError where a file is not of such
// lines, has a value that is no number, or a vertex twice.
Validation validate_results(const std::filesystem::path& found, const std::filesystem::path& expected, Match match);

}  // namespace millrace
