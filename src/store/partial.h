// The place of a store: what may be replaced there, and the directory beside it in which the next one is made. That is
// STORE.partial, with a marker that says so. It comes and goes under a name that proves who made it (core/aside.h), so
// that a kill at any moment leaves what the next writer knows for its own.
#pragma once

#include <filesystem>

namespace millrace {

// Throws UsageError unless a store may be put at `path`: nothing is there or, where it may be replaced, a store in
// whose directories nothing else lies.
void demand_place(const std::filesystem::path& path, bool replace);

// Makes STORE.partial for the store at `path`; what killed writers left is removed first. Throws UsageError where
// something else has that name or lies in what they left. The caller has the lock of the store.
std::filesystem::path make_partial(const std::filesystem::path& path);

// Takes the marker away: what was STORE.partial is a finished store now, under the name that is returned. Throws
// IoError.
std::filesystem::path finish_partial(const std::filesystem::path& partial, const std::filesystem::path& path);

// Removes what was being made for `path`, under either name.
void remove_partial(const std::filesystem::path& partial, const std::filesystem::path& path) noexcept;

// Exchanges a finished store with the one at `path`. Throws IoError, or UsageError where the other is no store any
// more.
void exchange_stores(const std::filesystem::path& finished, const std::filesystem::path& path);

// Removes the old store after that. What others have put into it meanwhile is moved to the new one.
void remove_replaced(const std::filesystem::path& old, const std::filesystem::path& path) noexcept;

}  // namespace millrace
