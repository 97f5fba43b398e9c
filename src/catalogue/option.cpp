#include "millrace/catalogue/option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "millrace/core/aside.h"
#include "millrace/core/error.h"
#include "millrace/core/file_kind.h"
#include "millrace/core/text.h"
#include "millrace/report/results.h"

namespace millrace {
namespace {

template <class T>
struct Plain {
  using type = T;
};
template <class T>
struct Plain<std::optional<T>> {
  using type = T;
};

template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    parts.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return parts;
}

std::string range_of(const Option& option) { return option.range ? range_text(*option.range) : "above 0"; }

template <class T>
T parse(const Option& option, const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data() + plus_signs(text), end, value);
  if (status == std::errc::result_out_of_range && rest == end) {
    if constexpr (std::is_floating_point_v<T>)
      throw UsageError("{} {} is too large, or too close to 0, for a number of 64 bits", setting(option.name), text);
    throw UsageError("{} {} is beyond what it can be, {} to {}", setting(option.name), text,
                     std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max());
  }
  if (status != std::errc() || rest != end)
    throw UsageError("{} \"{}\" is not {}", setting(option.name), text,
                     std::is_unsigned_v<T>   ? "a whole number of 0 or more"
                     : std::is_integral_v<T> ? "a whole number"
                                             : "a number");
  const auto real = static_cast<double>(value);
  if (!(real == real) || (option.range && (real < option.range->first || real > option.range->second)) ||
      (option.above_zero && !(value > 0)))
    throw UsageError("{} {} is out of its range: {}", setting(option.name), text, range_of(option));
  return value;
}

}  // namespace

std::string range_text(const std::pair<double, double>& range) {
  const auto number = [](double end) {
    return end < 1e15 && end == std::floor(end) ? fmt::format("{:.0f}", end) : fmt::format("{:g}", end);
  };
  const std::string from = "from " + number(range.first);
  return has_upper_end(range) ? from + " to " + number(range.second) : from + " on";
}

std::vector<UsedPath> files_of_results(const std::filesystem::path& path) {
  require_result_name(path);
  std::vector<UsedPath> files{{path, PathUse::output}};
  if (path.extension() == ".npy") files.push_back({ids_beside(path), PathUse::output});
  return files;
}

std::string value_of(const Option& option, const std::string& given) {
  return option.use == PathUse::store ? without_end_separators(given).string() : given;
}

std::vector<UsedPath> file_of_table(const std::filesystem::path& path) {
  require_table_name(path);
  return {{path, PathUse::output}};
}

std::vector<UsedPath> file_of_ids(const std::filesystem::path& path) {
  require_ids_name(path);
  return {{path, PathUse::output}};
}

std::vector<UsedPath> file_of_page(const std::filesystem::path& path) {
  require_own_ending(path, {".html", ".htm"}, Compressed::never, "this is written as a web page (.html)");
  return {{path, PathUse::output}};
}

std::vector<UsedPath> file_of_json(const std::filesystem::path& path) {
  require_own_ending(path, {".json"}, Compressed::never, "this is written as JSON (.json)");
  return {{path, PathUse::output}};
}

void assign(const Option& option, const std::string& given) {
  if (option.use != PathUse::none && given.empty())
    throw UsageError("{} is empty, and so names no file", setting(option.name));
  const std::string text = value_of(option, given);
  if (!option.choices.empty() && std::find(option.choices.begin(), option.choices.end(), text) == option.choices.end())
    throw UsageError("{} {} is none of the choices: {}", setting(option.name), text, fmt::join(option.choices, ", "));
  std::visit(
      [&]<class Field>(const Field& field) {
        if constexpr (std::is_same_v<Field, std::function<void(const std::string&)>>) {
          field(text);
        } else {
          using T = typename Plain<std::remove_pointer_t<Field>>::type;
          if constexpr (std::is_same_v<T, bool>) {
            if (text != "true" && text != "false")
              throw UsageError("{} {} is neither true nor false", setting(option.name), text);
            *field = text == "true";
          } else if constexpr (std::is_arithmetic_v<T>)
            *field = parse<T>(option, text);
          else if constexpr (is_list<T>)
            for (const std::string& one : option.commas ? split(text) : std::vector{text}) field->emplace_back(one);
          else
            *field = text;
        }
      },
      option.field);
}

}  // namespace millrace
