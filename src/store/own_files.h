// Which files this program writes in the directories of a store. Nothing else in them is ever removed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "millrace/core/descriptor.h"

namespace millrace {

enum class Folder {
  store,    // a finished store
  partial,  // a store that is being written
  part,     // a directory outside of the store: a stripe, or temporary files
  scratch   // temporary files inside of one of the others
};

// A file in a store that is being written: it says so, and names the store.
inline constexpr const char* partial_marker = "millrace-partial";
// A file in a directory outside of a store: the path of the store that owns it.
inline constexpr const char* part_marker = "millrace-part";

// Whether this is a directory, not a link to one.
bool is_real_directory(const std::filesystem::path& path);
// Whether the file consists of exactly this text.
bool has_text(const Descriptor& file, const std::string& text);
bool has_text(const std::filesystem::path& file, const std::string& text);

// The files in a directory that this program does not write there. Throws IoError.
std::vector<std::filesystem::path> foreign_files(const std::filesystem::path& directory, Folder kind);
// "a, b, c and 4 more".
std::string list_some(const std::vector<std::filesystem::path>& paths);

// Removes the files that this program writes, one by one, and then the directory. If it holds anything else, the
// directory stays, with its marker. Returns whether the directory was removed.
bool remove_own_files(const std::filesystem::path& directory, Folder kind) noexcept;

}  // namespace millrace
