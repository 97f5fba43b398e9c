// The file of a store's names: u64 count, u64 offsets[count + 1], bytes.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "millrace/store/manifest.h"
#include "millrace/store/names.h"

namespace millrace {

// Names must fit a line of a result file: not empty, without tabs, line breaks and NULs. Throws BadInputError with the
// first name that is not so.
void demand_sound_names(const Names& names, const std::string& where);
// The same of one.
void demand_sound_name(std::string_view name, std::uint64_t id, const std::string& where);

// Sound names as the file has them: in pieces, which need not be in memory together.
struct NameColumns {
  using Piece = std::function<void(std::span<const std::byte>)>;
  std::uint64_t count = 0;
  std::function<void(const Piece&)> offsets = {};  // passes u64[count + 1]
  std::function<void(const Piece&)> bytes = {};
};
// The columns of names in memory; the names must outlive them.
NameColumns columns_of(const Names& names);

// Writes the file "names" into the directory of a store, and syncs it.
Column write_names_file(const std::filesystem::path& store, const NameColumns& names);

// Reads the file and checks all of it: checksum, sizes, offsets, `count` valid names. Throws BadInputError.
Names read_names_file(const File& file, std::uint32_t crc, std::uint64_t count);

}  // namespace millrace
