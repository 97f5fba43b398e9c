// Options of an import, for `import` itself and for all that take graph files.
#pragma once

#include <functional>

#include "millrace/read/formats.h"
#include "millrace/run/store_options.h"

namespace millrace {

struct ImportOptions : StoreOptions {
  std::filesystem::path file;
  ReadOptions read;
  bool weighted = false;
  bool unweighted = false;
  // Called with what the user may not expect of how the file is read; and with its format, if that is wanted too.
  std::function<void(const std::string&)> remark = {};
  bool remarks_format = false;
};

// How the file is read.
std::vector<Option> read_options(ImportOptions& options);

// For Option::uses of a graph file: all that an import of it reads.
std::vector<UsedPath> files_of_input(const std::filesystem::path& file);

// Imports the file to options.output.
BuildSummary import_file(ImportOptions& options);

}  // namespace millrace
