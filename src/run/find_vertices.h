// Vertices by their ids, or by their names where a store has names.
#pragma once

#include <string>
#include <vector>

#include "millrace/store/store.h"

namespace millrace {

// Text as JSON: names may hold any bytes, JSON takes UTF-8 alone, so others become U+FFFD.
std::string json_string(const std::string& text);

// `option` is the name of that which the text was given to. Throws UsageError.
VertexId find_vertex(const Store& store, const std::string& option, const std::string& text);
// Many of them, in one look at all ids.
std::vector<VertexId> find_vertices(const Store& store, const std::string& option,
                                    const std::vector<std::string>& texts);
// What was given, as a value of a report.
std::string vertex_json(const Store& store, const std::string& text);

}  // namespace millrace
