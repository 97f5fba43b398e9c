// Reads what the kernel says under /proc.
#pragma once

#include <string>
#include <string_view>

namespace millrace {

// The value of the first line "NAME : value" of a file under /proc; empty if there is none.
std::string proc_value(const char* file, std::string_view name);

}  // namespace millrace
