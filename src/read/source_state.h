// Which files a graph is read from, and in which state they are: for stores that are made from them once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// All files that an import of this one reads: of LDBC graphs those that the properties name. `vertices` is a list of
// vertices, or empty. Files that are not there are left out.
std::vector<std::filesystem::path> files_of_graph(const std::filesystem::path& file,
                                                  const std::filesystem::path& vertices);

// The state of files as text: of each its path, its size, the times of its last change and of the last change of its
// attributes, its number in the file system and, unless it is large, a hash of its content. Ends with a semicolon.
// Waits for at most two seconds if a file was changed just now: a change that follows at once might leave the same
// times.
std::string state_of_files(const std::vector<std::filesystem::path>& files);

struct SameFiles {
  std::string state;      // as state_of_files gives it now
  std::string_view rest;  // what follows the state in the text
};
// If `text` begins with a state of these files and no file has changed since. Where times differ, the content decides.
std::optional<SameFiles> same_files(std::string_view text, const std::vector<std::filesystem::path>& files);

// The text with all bytes but plain ASCII written as %XX, and back.
std::string escape_bytes(const std::string& text);
std::string unescape_bytes(const std::string& text);

}  // namespace millrace
