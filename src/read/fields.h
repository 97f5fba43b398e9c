// The fields of a line of text: for files whose columns are chosen, named or quoted. Every line ends with '\n'.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/read/parse_line.h"

namespace millrace {

struct Field {
  const char* begin = nullptr;  // inside of the quotes, if there are quotes
  const char* end = nullptr;
  const char* next = nullptr;  // after the separator that follows it, or the end of the line
  bool quoted = false;
  bool sound = true;  // false: the quote is not closed, or text follows it
  std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

// How fields are separated.
struct FieldRules {
  // ',', ';', '\t' or ' ', with quotes as in RFC 4180; 0: blanks or one comma with blanks around it, as in edge lists,
  // where quotes are ordinary characters.
  char separator = 0;

  bool ends_field(const char* p) const {
    return separator ? *p == separator || parsing::ends_line(p) : parsing::ends_column(p);
  }
  const char* skip_padding(const char* p) const {
    while (parsing::is_blank(*p) && (separator != '\t' || *p != '\t')) ++p;
    return p;
  }
  // Where the next field begins, after the field that ends at p.
  const char* skip_separator(const char* p) const {
    if (!separator) return parsing::skip_separator(p);
    return *p == separator ? p + 1 : p;
  }
};

// The field that begins at p.
inline Field take_field(const FieldRules& rules, const char* p) {
  Field field;
  p = rules.skip_padding(p);
  if (rules.separator && *p == '"') {
    field.quoted = true;
    field.begin = ++p;
    while (*p != '\n' && (*p != '"' || p[1] == '"')) p += *p == '"' ? 2 : 1;
    field.end = p;
    field.sound = *p == '"';
    if (field.sound) p = rules.skip_padding(p + 1);
    field.sound = field.sound && rules.ends_field(p);
    while (!rules.ends_field(p)) ++p;
  } else {
    field.begin = p;
    while (!rules.ends_field(p)) ++p;
    field.end = p;
    while (field.end > field.begin && parsing::is_blank(field.end[-1])) --field.end;
  }
  field.next = rules.skip_separator(p);
  return field;
}

// The text of the field, with each doubled quote replaced by one.
std::string unquoted(const Field& field);

// All fields of a line; the line is without its '\n'.
std::vector<std::string> split_line(const FieldRules& rules, const std::string& line);

// The first line of a text that is neither blank nor a comment ('#' or '%'), with its '\n'; empty if there is none.
std::string first_row(std::string_view text);

// The separator of a header line: the most frequent of ',', ';' and '\t' outside of quotes, else a blank.
char guess_separator(std::string_view line);

}  // namespace millrace
