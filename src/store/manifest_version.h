// Whether a file is the manifest of a store, damaged or not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace millrace {

// The version that a manifest states, which may be any number; empty if the file does not state that it is a manifest.
// The file may be damaged: what follows format and version is not read.
std::optional<std::uint64_t> manifest_version(const std::filesystem::path& file);

}  // namespace millrace
