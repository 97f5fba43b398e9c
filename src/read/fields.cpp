#include "millrace/read/fields.h"

#include <algorithm>

namespace millrace {

std::string unquoted(const Field& field) {
  std::string text(field.text());
  if (field.quoted)
    for (std::size_t at = text.find("\"\""); at != std::string::npos; at = text.find("\"\"", at + 1)) text.erase(at, 1);
  return text;
}

std::vector<std::string> split_line(const FieldRules& rules, const std::string& line) {
  const std::string ended = line + '\n';
  std::vector<std::string> fields;
  const char* p = ended.c_str();
  while (true) {
    const Field field = take_field(rules, p);
    fields.push_back(unquoted(field));
    p = field.next;
    if (!parsing::ends_line(p)) continue;
    // After a separator at the end of the line there is one more, empty field.
    if (p > ended.c_str() && rules.separator && p[-1] == rules.separator && p != field.end) fields.emplace_back();
    return fields;
  }
}

std::string first_row(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos && line[begin] != '#' && line[begin] != '%') return std::string(line) + '\n';
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

char guess_separator(std::string_view line) {
  constexpr std::string_view separators = ",;\t";
  std::size_t counts[separators.size()] = {};
  bool quoted = false;
  for (const char c : line) {
    quoted ^= c == '"';
    const std::size_t which = separators.find(c);
    if (!quoted && which != std::string_view::npos) ++counts[which];
  }
  const auto most = std::max_element(counts, counts + separators.size());
  return *most > 0 ? separators[static_cast<std::size_t>(most - counts)] : ' ';
}

}  // namespace millrace
