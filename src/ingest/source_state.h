// Which files a graph is read from, and in which state they are: for stores that are made from them once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace millrace {

// All files that an import of this one reads: of LDBC graphs those that the properties name. `vertices` is a list of
// vertices, or empty. Files that are not there are left out.
std::vector<std::filesystem::path> files_of_graph(const std::filesystem::path& file,
                                                  const std::filesystem::path& vertices);

// One line for each file: its path, size, time of the last change and number in the file system. Two states are equal
// only if no file was changed or replaced. Bytes of paths that are not plain ASCII are written as %XX.
std::string state_of_files(const std::vector<std::filesystem::path>& files);

// The text with all bytes but plain ASCII written as %XX, and back.
std::string escape_bytes(const std::string& text);
std::string unescape_bytes(const std::string& text);

}  // namespace millrace
