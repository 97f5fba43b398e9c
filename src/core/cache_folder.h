// Where Millrace keeps what it could make again: calibrations, the last report, stores of graph files. All of it is for
// its owner alone, whatever the umask: a graph file may be one that others must not read.
#pragma once

#include <filesystem>
#include <string_view>

namespace millrace {

// XDG_CACHE_HOME/millrace, or ~/.cache/millrace; empty if neither is known.
std::filesystem::path cache_folder();

// Throws IoError if something is at the path that is not a folder of this user: a link, a file, a folder of others.
void demand_own_folder(const std::filesystem::path& folder);

// Makes a folder of the cache if it is not there, and the cache itself. Takes the rights of others on it away, and on
// all that is in it. Throws IoError.
void make_private_folder(const std::filesystem::path& folder);
// Writes a file of the cache, and makes its folder. Throws IoError.
void write_cache_file(const std::filesystem::path& file, std::string_view text);
// Throws IoError if something is there that is not a regular file; says that the cache can be cleared.
void demand_file_of_cache(const std::filesystem::path& path);
// Whether there is a regular file, or nothing; links are not followed.
bool is_file_or_nothing(const std::filesystem::path& path);

// Takes the rights of others on a file or folder away, and on all that is in it. Links are not followed.
void make_private(const std::filesystem::path& path);

}  // namespace millrace
