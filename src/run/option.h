// An option, described once: its name, what it may be, what it does. The command makes a flag of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace millrace {

struct Option {
  // Where its value goes, which has the default. A bool is a flag; an optional stays empty where nothing is given (of a
  // bool: a flag --name that has a --no-name beside it); a list may be given several times.
  using Field = std::variant<bool*, std::optional<bool>*, int*, std::uint32_t*, std::uint64_t*, double*,
                             std::optional<std::uint32_t>*, std::optional<double>*, std::string*,
                             std::filesystem::path*, std::vector<std::string>*, std::vector<std::filesystem::path>*,
                             std::function<void(const std::string&)>>;

  std::string name;       // "damping"
  Field field;            // outlives the option
  std::string value;      // what stands for its value in help: "D"; nothing for a flag
  std::string help;       // what it does, and its default in brackets; other options are marked (core/error.h)
  char letter = 0;        // a short form
  bool argument = false;  // given by its place, without its name
  bool required = false;
  std::optional<std::pair<double, double>> range = {};  // from, to: both are allowed
  bool above_zero = false;                              // a number that is not 0 either
  std::vector<std::string> choices = {};                // all values that there are
  bool commas = false;                                  // a list with commas between
  bool output = false;                                  // a file that is written; "-" is stdout
  std::string excludes = {};                            // the name of an option that cannot be given with it
  std::string needs = {};                               // and of one that has to be
};

// One whose value is one of a few names.
template <class T>
Option choice(const std::string& name, T& value, const std::map<std::string, T>& names, const std::string& help) {
  Option option{.name = name, .field = {}, .value = {}, .help = help};
  for (const auto& [key, ignored] : names) {
    option.choices.push_back(key);
    option.value += (option.value.empty() ? "" : "|") + key;
  }
  option.field = [&value, names](const std::string& key) { value = names.at(key); };
  return option;
}

// Gives an option its value, for who has it as text; flags are "true" or "false". Throws UsageError where it is no
// value of that option. What options require or exclude of each other is not looked at.
void assign(const Option& option, const std::string& text);

}  // namespace millrace
