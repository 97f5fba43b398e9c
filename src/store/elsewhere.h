// Directories of a store that lie outside of it, on other disks: stripes, and temporary files while it is made. The
// store lists them in a file, written before they are made, so that they can be removed with it, also after a kill.
#pragma once

#include <filesystem>

namespace millrace {

// Makes a directory of a new name below `parent`, for the store being written in `store`. Throws IoError.
std::filesystem::path make_elsewhere(const std::filesystem::path& store, const std::filesystem::path& parent,
                                     const std::string& name);

// Removes what is listed in a store, finished or not, and then the store. Throws IoError where that fails.
void remove_store(const std::filesystem::path& store);

}  // namespace millrace
