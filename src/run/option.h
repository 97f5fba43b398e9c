// An option, described once: its name, its values, its help. The command makes a flag of it.
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
  // A pointer to the value, which is initially the default. A bool is a flag; an optional stays empty if nothing is
  // given (of a bool: the flags --name and --no-name); a list may be given several times.
  using Field = std::variant<bool*, std::optional<bool>*, int*, std::uint32_t*, std::uint64_t*, double*,
                             std::optional<std::uint32_t>*, std::optional<double>*, std::string*,
                             std::filesystem::path*, std::vector<std::string>*, std::vector<std::filesystem::path>*,
                             std::function<void(const std::string&)>>;

  std::string name;       // "damping"
  Field field;            // must outlive the option
  std::string value;      // placeholder of the value in help: "D"; empty for a flag
  std::string help;       // with the default in brackets; names of other options are marked (core/error.h)
  char letter = 0;        // short form
  bool argument = false;  // positional: given without its name
  bool required = false;
  std::optional<std::pair<double, double>> range = {};  // from, to, both included
  bool above_zero = false;                              // excludes 0
  std::vector<std::string> choices = {};                // all allowed values
  bool commas = false;                                  // a list separated by commas
  bool output = false;                                  // a file that is written; "-" is stdout
  std::string excludes = {};                            // name of an option that must not be given with it
  std::string needs = {};                               // name of an option that must be given with it
  std::string group = {};                               // heading in help that it stands under; mostly empty
  std::string typed = {};  // what the help of the command adds, of values on a command line: "; - is stdout"
};

// An option whose value is one of a few names.
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

// Sets an option from text; flags are "true" or "false". Throws UsageError if the text is no value of that option. Does
// not check which options require or exclude each other.
void assign(const Option& option, const std::string& text);

}  // namespace millrace
