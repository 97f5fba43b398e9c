// The place of a store: whether a store there may be replaced, and the directory STORE.partial beside it in which the
// next one is written, with a marker file. It is created and removed under a name that proves who made it
// (core/aside.h), so that after a kill at any moment the next writer recognises what is left as its own.
#pragma once

#include <filesystem>

namespace millrace {

// Throws UsageError unless a store may be put at `path`: nothing is there or, with `replace`, a store whose directories
// hold nothing else.
void demand_place(const std::filesystem::path& path, bool replace);

// Creates STORE.partial for the store at `path`; first removes what killed writers left. Throws UsageError if something
// else has that name, or if foreign files lie in what they left. The caller holds the lock of the store.
std::filesystem::path make_partial(const std::filesystem::path& path);

// Makes a finished store of STORE.partial: `partial` gets the new name of the directory, and the marker is removed.
// Throws IoError.
void finish_partial(std::filesystem::path& partial, const std::filesystem::path& path);

// Removes the unfinished store for `path`, whichever of its two names it has.
void remove_partial(const std::filesystem::path& partial, const std::filesystem::path& path) noexcept;

// Moves a finished store to `path`, durably; with `replace`, exchanges it with the store there. If that fails, all is
// again as it was. Throws IoError, or UsageError if there is no store to replace any more.
void move_to_place(const std::filesystem::path& finished, const std::filesystem::path& path, bool replace);

// Removes the old store after the exchange. Files that others have put into it meanwhile are moved to the new store.
void remove_replaced(const std::filesystem::path& old, const std::filesystem::path& path) noexcept;

}  // namespace millrace
