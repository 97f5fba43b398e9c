// The file of a store's names: u64 count, u64 offsets[count + 1], bytes.
#pragma once

#include <filesystem>

#include "millrace/store/manifest.h"
#include "millrace/store/names.h"

namespace millrace {

// Names must fit a line of a result file: not empty, without tabs, line breaks and NULs. Throws BadInputError with the
// first name that is not so.
void demand_sound_names(const Names& names, const std::string& where);

// Writes the file "names" into the directory of a store, and syncs it.
Column write_names_file(const std::filesystem::path& store, const Names& names);

// Reads the file and checks all of it: checksum, sizes, offsets, `count` valid names. Throws BadInputError.
Names read_names_file(const File& file, std::uint32_t crc, std::uint64_t count);

}  // namespace millrace
