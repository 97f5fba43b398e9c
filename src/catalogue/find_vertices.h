// Finds vertices by their ids, or by their names if the store has names.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "millrace/store/store.h"

namespace millrace {

// Text as JSON: names may hold any bytes, but JSON allows only UTF-8, so other bytes become U+FFFD.
std::string json_string(const std::string& text);

// `option` is the name of the option that the text was given to. Throws UsageError.
VertexId find_vertex(const Store& store, const std::string& option, const std::string& text);
// Finds many vertices in one pass over all ids.
std::vector<VertexId> find_vertices(const Store& store, const std::string& option,
                                    const std::vector<std::string>& texts);
// The text as a value of a report.
std::string vertex_json(const Store& store, const std::string& text);

// Random vertices that have edges by `degree`, the same in every run; with repetitions, and none where all are 0.
std::vector<VertexId> random_sources(std::span<const std::uint32_t> degree, std::size_t count);

}  // namespace millrace
