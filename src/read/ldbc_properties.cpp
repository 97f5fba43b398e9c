#include "millrace/read/ldbc_properties.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/regular_file.h"
#include "millrace/read/fields.h"
#include "millrace/read/text_source.h"

namespace millrace {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

}  // namespace

LdbcProperties::LdbcProperties(const std::filesystem::path& file) : name_(file.string()) {
  TextSource source(file);
  std::string line;
  while (source.read_line(line)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || line[line.find_first_not_of(" \t")] == '#') continue;
    values_[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
  }
}

std::string LdbcProperties::value(const std::string& key) const {
  for (const auto& [name, value] : values_)
    if (name.starts_with("graph.") && name.ends_with("." + key)) return value;
  return {};
}

std::string LdbcProperties::required(const std::string& key) const {
  std::string found = value(key);
  if (found.empty()) throw BadInputError("{}: there is no line graph.NAME.{} = VALUE", name_, key);
  return found;
}

std::vector<std::string> LdbcProperties::list(const std::string& key) const {
  const std::string values = value(key);
  return values.empty() ? std::vector<std::string>{} : split_line({.separator = ','}, values);
}

bool LdbcProperties::directed() const {
  const std::string value = this->value("directed");
  if (value != "true" && value != "false")
    throw BadInputError("{}: graph.NAME.directed is \"{}\"; expected true or false", name_, printable(value));
  return value == "true";
}

std::filesystem::path LdbcProperties::file(const std::string& key) const {
  const std::string name = value(key);
  if (name.empty()) throw BadInputError("{}: there is no line graph.NAME.{} = FILE", name_, key);
  const std::filesystem::path path = std::filesystem::path(name_).parent_path() / name;
  for (const char* const suffix : {"", ".gz", ".zst"})
    if (const std::filesystem::path found = path.string() + suffix; path_exists(found)) return found;
  throw BadInputError("{}: {} names {}, which is not there, nor with .gz or .zst", name_, key, path.string());
}

std::size_t LdbcProperties::weight_column() const {
  const std::vector<std::string> properties = list("edge-properties.names");
  if (properties.empty()) return 0;
  const auto found = std::ranges::find(properties, value("sssp.weight-property"));
  return 3 + (found == properties.end() ? 0 : static_cast<std::size_t>(found - properties.begin()));
}

}  // namespace millrace
