// Directories of a store that lie outside of it, on other disks: stripes, and temporary files while it is made. The
// store lists them in a file, written before they are made, so that they can be removed with it, also after a kill.
// Each says in a file of its own whose it is: a copy of a store must not take the original's pages away.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "millrace/store/own_files.h"

namespace millrace {

// Makes a directory of a new name below `parent`, for the store being written in `aside` that will be at `owner`.
// Throws IoError.
std::filesystem::path make_elsewhere(const std::filesystem::path& aside, const std::filesystem::path& owner,
                                     const std::filesystem::path& parent);

// Forgets what is listed in a store: nothing of it is elsewhere any more.
void forget_elsewhere(const std::filesystem::path& aside) noexcept;

// What lies in a store, and in the directories listed there that belong to `owner`, but was not made by this program.
// Throws IoError.
std::vector<std::filesystem::path> foreign_files_of(const std::filesystem::path& store, Folder kind,
                                                    const std::filesystem::path& owner);

// Removes the directories listed in a store that belong to `owner`, and then the store: of each only the files that
// this program makes. Returns whether all of it is gone.
bool remove_store(const std::filesystem::path& store, Folder kind, const std::filesystem::path& owner) noexcept;

}  // namespace millrace
