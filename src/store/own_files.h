// Which files in the directories of a store this program makes. Nothing else in them is ever removed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "millrace/core/descriptor.h"

namespace millrace {

enum class Folder {
  store,    // a finished one
  partial,  // one that is being written
  part,     // a directory elsewhere: a stripe, or temporary files
  scratch   // temporary files inside one of the others
};

// In a store that is being written: that it is one, and of which name.
inline constexpr const char* partial_marker = "millrace-partial";
// In a directory elsewhere: the path of the store that it is a part of.
inline constexpr const char* part_marker = "millrace-part";

std::filesystem::path with_suffix(const std::filesystem::path& path, const char* suffix);
// Whether this is a directory, and no link to one.
bool is_real_directory(const std::filesystem::path& path);
// Whether a file has this text and no more.
bool has_text(const Descriptor& file, const std::string& text);
bool has_text(const std::filesystem::path& file, const std::string& text);

// What lies in a directory that this program does not make there. Throws IoError.
std::vector<std::filesystem::path> foreign_files(const std::filesystem::path& directory, Folder kind);
// "a, b, c and 4 more".
std::string list_some(const std::vector<std::filesystem::path>& paths);

// Removes what this program makes, file by file, and then the directory. Where something else is in it, it stays, with
// its marker; returns whether it is gone.
bool remove_own_files(const std::filesystem::path& directory, Folder kind) noexcept;

}  // namespace millrace
