// The figures of a store, for `millrace info`.
#pragma once

#include <string>

#include "millrace/store/store.h"

namespace millrace {

// Reads manifest, tables and degrees. The JSON has the same figures as the text.
std::string describe_json(const Store& store);
std::string describe_text(const Store& store);

}  // namespace millrace
