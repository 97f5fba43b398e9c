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

// What a path is for. Before a command runs, all that it writes is kept apart from what it reads
// (run/named_paths.h).
enum class PathUse {
  none,       // it is no path
  input,      // a file, a store or a folder that is read
  output,     // a file that is written; "-" is stdout
  store,      // a store that is written
  meanwhile,  // what is there while a store is written: its lock, the unfinished store
  below,      // a folder that gets files or folders with names of their own
  prints,     // no path either: a flag that sends results to stdout
};
struct UsedPath {
  std::filesystem::path path;
  PathUse use;
};

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
  PathUse use = PathUse::none;                          // of the path that is the value; a path has one
  // All that is used if this path is given; without the function it is the path alone.
  std::function<std::vector<UsedPath>(const std::filesystem::path&)> uses = {};
  std::string excludes = {};  // name of an option that must not be given with it
  std::string needs = {};     // name of an option that must be given with it
  std::string group = {};     // heading in help that it stands under; mostly empty
  std::string typed = {};     // what the help of the command adds, of values on a command line: "; - is stdout"
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

// Whether a range has an upper end: some are there only to exclude infinity.
inline bool has_upper_end(const std::pair<double, double>& range) { return range.second < 1e18; }
// "from 0 to 1", or "from 0 on" where there is no upper end.
std::string range_text(const std::pair<double, double>& range);

// For Option::uses of outputs; they throw UsageError if the name says a format that is not written there. Of values by
// vertex: beside an array are its ids.
std::vector<UsedPath> files_of_results(const std::filesystem::path& path);
// Of a table, which is always CSV; of lines of ids, which may be compressed; of a web page; of JSON.
std::vector<UsedPath> file_of_table(const std::filesystem::path& path);
std::vector<UsedPath> file_of_ids(const std::filesystem::path& path);
std::vector<UsedPath> file_of_page(const std::filesystem::path& path);
std::vector<UsedPath> file_of_json(const std::filesystem::path& path);

// The value of an option as it is used: the path of a store without separators at its end.
std::string value_of(const Option& option, const std::string& given);
// Sets an option from text; flags are "true" or "false". Throws UsageError if the text is no value of that option. Does
// not check which options require or exclude each other.
void assign(const Option& option, const std::string& text);

}  // namespace millrace
