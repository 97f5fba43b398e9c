// The files of a store, all opened at the start and kept open: a store that is replaced or moved while a run reads it
// loses its names, but not its files.
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

  // Opens the files that the manifest names and compares their sizes. Throws BadInputError if a file is missing.
  StoreFiles(const File& directory, File manifest_file, const Manifest& manifest);
  // The size of all files together.
  std::uint64_t bytes() const;
};

}  // namespace millrace
