// Opening what is meant to be a file. Reading a FIFO waits for whoever writes to it, perhaps for ever, and devices have
// no end: where files are meant, only regular files are taken.
#pragma once

#include <fcntl.h>

#include <filesystem>

namespace millrace {

// A descriptor for reading the file `name`, looked up from the open directory `from` on; -1 with errno where the system
// refuses. Throws BadInputError, with `shown` as its name, where it is not a regular file. Never waits.
int open_regular(int from, const std::filesystem::path& name, const std::filesystem::path& shown);
inline int open_regular(const std::filesystem::path& path) { return open_regular(AT_FDCWD, path, path); }

// Whether there is anything at `path`. Throws IoError where that cannot be told, as in a directory that may not be
// searched.
bool path_exists(const std::filesystem::path& path);

}  // namespace millrace
