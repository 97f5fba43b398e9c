// Directories of a store that lie outside of it, on other disks: stripes, and temporary files while it is written. The
// store lists them in a file, which is written before they are created, so that they can be removed with the store,
// also after a kill. A marker file in each names the store that owns it: removing a copy of a store must not remove the
// original's pages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "millrace/store/own_files.h"

namespace millrace {

// Creates a directory with a new name below `parent`, for the store that is being written in `aside` and will be at
// `owner`. Throws IoError.
std::filesystem::path make_elsewhere(const std::filesystem::path& aside, const std::filesystem::path& owner,
                                     const std::filesystem::path& parent);

// Removes the list of such directories from a store, when no file of it lies in them any more.
void forget_elsewhere(const std::filesystem::path& aside) noexcept;

// The files in a store, and in the listed directories that belong to `owner`, that this program did not write. Throws
// IoError.
std::vector<std::filesystem::path> foreign_files_of(const std::filesystem::path& store, Folder kind,
                                                    const std::filesystem::path& owner);

// Removes the listed directories that belong to `owner`, and then the store; in each, only the files that this program
// writes. Returns whether everything was removed.
bool remove_store(const std::filesystem::path& store, Folder kind, const std::filesystem::path& owner) noexcept;

}  // namespace millrace
