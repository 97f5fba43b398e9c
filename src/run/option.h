// An option of an algorithm, described once: the command makes a flag of it, the documents a line of a table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace millrace {

struct Option {
  // Where its value goes, which has the default. A bool is a flag; an optional stays empty where nothing is given; a
  // list may be given several times.
  using Field = std::variant<bool*, std::uint32_t*, std::uint64_t*, double*, std::string*, std::filesystem::path*,
                             std::vector<std::string>*, std::optional<std::uint32_t>*, std::optional<double>*>;

  std::string name;   // "damping"
  Field field;        // of the algorithm that it is an option of
  std::string value;  // what stands for its value in help: "D"; nothing for a flag
  std::string help;   // what it does, and its default in brackets
  std::optional<std::pair<double, double>> range = {};  // from, to: both are allowed
  bool above_zero = false;                              // a number that is not 0 either
  std::vector<std::string> choices = {};
  bool required = false;
  bool output = false;        // a file that is written; "-" is stdout
  std::string excludes = {};  // the name of an option that cannot be given with it
  std::string needs = {};     // and of one that has to be
};

}  // namespace millrace
