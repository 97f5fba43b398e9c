// Stores that need no check before they are read, because this user's Millrace made them or has checked them. A file
// for each of them, in a private folder of the user's cache, says which files the store consisted of then.
#pragma once

#include <filesystem>
#include <string>

namespace millrace {

struct StoreFiles;

// What tells a store from every other one, and from itself after a change: of each file the device, the inode, the
// size and the times of the last changes; and the checksums that the manifest and the page tables have. Another user
// cannot give a store the identity of a known one: nobody chooses the inode of a file or sets the time of its change.
std::string identity_of(const StoreFiles& files);

// Where known stores are remembered; empty if there is no folder for a cache.
std::filesystem::path known_stores_folder();

// Whether a store of this identity was remembered.
bool is_known(const StoreFiles& files);
// Remembers the store, if it still has this identity; of very many, those that were not used for the longest time are
// forgotten. Returns false if it was changed, or if the folder cannot be written.
bool remember(const StoreFiles& files, const std::string& identity) noexcept;

}  // namespace millrace
