// Parses chosen columns of each line into a row; ids are numbers or names.
#pragma once

#include <memory>

#include "millrace/read/column_choice.h"
#include "millrace/read/fields.h"
#include "millrace/read/read_rows.h"

namespace millrace {

// The rules of a line: how fields are separated, and whether lines that start with '#' or '%' are comments.
struct LineRules {
  FieldRules fields = {};
  bool comments = true;
};

std::unique_ptr<RowParser> parse_columns(const LineRules& rules, const Columns& columns);

// Ids are the addresses of fields in the window of text (field_at), since names do not fit in 64 bits.
std::unique_ptr<RowParser> parse_named_columns(const LineRules& rules, const Columns& columns);

// The first field of each line, as an address.
std::unique_ptr<RowParser> parse_named_vertices(const LineRules& rules);

// The field at the address that is used as an id.
inline Field field_at(const FieldRules& rules, OriginalId address) {
  return take_field(rules, reinterpret_cast<const char*>(static_cast<std::uintptr_t>(address)));
}

}  // namespace millrace
