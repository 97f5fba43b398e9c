// The files of a store, all opened at the start and held: a store that is replaced or moved while somebody reads it
// loses its names, not its files.
#pragma once

#include <array>
#include <vector>

#include "millrace/store/files.h"
#include "millrace/store/manifest.h"

namespace millrace {

struct StoreFiles {
  File manifest;
  std::array<std::vector<File>, 2> pages;  // by orientation
  std::array<File, 2> tables;
  std::array<File, 2> degrees;
  File ids, names;

  // Opens what the manifest names, and compares sizes. Throws BadInputError where a file is missing.
  StoreFiles(const File& directory, File manifest_file, const Manifest& manifest);
  // Of all of them.
  std::uint64_t bytes() const;
};

}  // namespace millrace
