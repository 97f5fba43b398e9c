// Opens regular files only. Reading a FIFO waits for its writer, perhaps for ever, and devices have no end: where a
// file is expected, both are refused.
#pragma once

#include <fcntl.h>

#include <filesystem>

namespace millrace {

// Opens the file `name`, relative to the open directory `from`, for reading. Returns -1 with errno if the system
// refuses. Throws BadInputError, which calls the file `shown`, if it is not a regular file. Never waits.
int open_regular(int from, const std::filesystem::path& name, const std::filesystem::path& shown);
inline int open_regular(const std::filesystem::path& path) { return open_regular(AT_FDCWD, path, path); }

// Whether anything exists at `path`. Throws IoError if that is unknown, as in a directory without search permission.
bool path_exists(const std::filesystem::path& path);

}  // namespace millrace
