// The files, stores and folders that the arguments of a command name, all of them, before it runs: whatever would be
// written must be writable, and must not be what is read, a part of a store, or another output.
#pragma once

#include <string>
#include <vector>

#include "millrace/catalogue/option.h"

namespace millrace {

struct NamedPath {
  std::string option;  // "--output", or the name of an argument
  UsedPath used;
};

// What an option with that value uses.
std::vector<NamedPath> paths_of(const Option& option, const std::string& shown, const std::filesystem::path& value);

// Throws UsageError if two of them are in each other's way, or if one would change a store or the cache; IoError if an
// output cannot be written.
void demand_apart(const std::vector<NamedPath>& paths);

}  // namespace millrace
