#include "millrace/store/json_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

// The value that was found instead, shortened for a message.
std::string shown(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "an array" : "an object";
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() > 80 ? text.substr(0, 80) + "..." : text;
}

[[noreturn]] void refuse(const char* name, const Json& value, const std::string& wanted) {
  throw BadInputError("'{}' is {}, where {} is wanted", name, shown(value), wanted);
}

std::uint64_t number_from(const char* name, const Json& value, std::uint64_t most) {
  // The library would convert -1 and 1e300 to other numbers.
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
    refuse(name, value, fmt::format("a whole number from 0 to {}", most));
  return value.get<std::uint64_t>();
}

const Json& array_of(const Json& object, const char* name) {
  const Json& value = member_of(object, name);
  if (!value.is_array()) refuse(name, value, "an array");
  return value;
}

}  // namespace

std::string json_problem(const Json::exception& problem) {
  if (const auto* const parsing = dynamic_cast<const Json::parse_error*>(&problem))
    return fmt::format("wrong at byte {}", parsing->byte);
  const std::string text = problem.what();
  const std::size_t first = text.find('\''), last = text.rfind('\'');
  constexpr int no_such_key = 403, number_overflow = 406;  // of the library
  if (problem.id == number_overflow) return "a number is too large";
  if (problem.id == no_such_key && first < last)
    return fmt::format("there is no member {}", text.substr(first, last + 1 - first));
  return "a value is of another type than expected";
}

Json read_json_file(const File& file, std::string_view without) {
  const std::string name = file.path().string();
  if (file.size() > most_json_bytes)
    throw BadInputError("{}: {} is more than such a file can have, which is {}", name, format_size(file.size()),
                        format_size(most_json_bytes));
  const std::vector<std::byte> bytes = read_file(file);
  // The library would stop at a NUL and ignore what follows.
  if (const auto nul = std::ranges::find(bytes, std::byte{0}); nul != bytes.end())
    throw BadInputError("{}: a NUL at byte {}, where JSON is wanted", name, nul - bytes.begin());
  std::uint64_t values = 0, members = 0;
  bool leaves_out = false;
  const auto count = [&](int depth, Json::parse_event_t event, const Json& value) {
    using Event = Json::parse_event_t;
    if (depth == 1 && event == Event::key)
      leaves_out = !without.empty() && value.get_ref<const std::string&>() == without;
    if (depth == 0 && event == Event::object_end) leaves_out = false;
    if (leaves_out) return false;
    // An object or array that opens here is one level deeper.
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (depth + opens > most_json_depth) throw BadInputError("{}: nested more than {} deep", name, most_json_depth);
    if (event == Event::key && ++members > most_json_members)
      throw BadInputError("{}: more than {} members", name, most_json_members);
    if (++values > most_json_values) throw BadInputError("{}: more than {} values", name, most_json_values);
    return true;
  };
  try {
    const auto* const text = reinterpret_cast<const char*>(bytes.data());
    return Json::parse(text, text + bytes.size(), count);
  } catch (const Json::exception& problem) {
    throw BadInputError("{} is not JSON: {}", name, json_problem(problem));
  }
}

const Json& member_of(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (found == object.end()) throw BadInputError("there is no member '{}'", name);
  return *found;
}

const Json& object_of(const Json& object, const char* name) {
  const Json& value = member_of(object, name);
  if (!value.is_object()) refuse(name, value, "an object");
  return value;
}

std::string text_of(const Json& object, const char* name) {
  const Json& value = member_of(object, name);
  if (!value.is_string()) refuse(name, value, "a string");
  return value.get<std::string>();
}

std::vector<std::string> texts_of(const Json& object, const char* name) {
  std::vector<std::string> texts;
  for (const Json& value : array_of(object, name)) {
    if (!value.is_string()) refuse(name, value, "an array of strings");
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

bool flag_of(const Json& object, const char* name) {
  const Json& value = member_of(object, name);
  if (!value.is_boolean()) refuse(name, value, "true or false");
  return value.get<bool>();
}

std::uint64_t number_of(const Json& object, const char* name, std::uint64_t most) {
  return number_from(name, member_of(object, name), most);
}

std::vector<std::uint32_t> numbers_of(const Json& object, const char* name, std::uint32_t most) {
  std::vector<std::uint32_t> numbers;
  for (const Json& value : array_of(object, name))
    numbers.push_back(static_cast<std::uint32_t>(number_from(name, value, most)));
  return numbers;
}

}  // namespace millrace
