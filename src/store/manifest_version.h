// Whether a file is the manifest of a store, damaged or not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace millrace {

// The version that a manifest says, of any that there may be; none where the file does not say that it is a manifest.
// It need not be whole: what comes after format and version is not read.
std::optional<std::uint64_t> manifest_version(const std::filesystem::path& file);

}  // namespace millrace
