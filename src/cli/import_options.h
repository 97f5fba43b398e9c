// Options of an import, for `import` itself and for commands that take graph files.
#pragma once

#include "millrace/cli/store_options.h"
#include "millrace/ingest/formats.h"

namespace millrace {

struct ImportOptions : StoreOptions {
  std::filesystem::path file;
  ReadOptions read;
  bool weighted = false;
  bool unweighted = false;
};

// How the file is read.
std::vector<Option> read_options(ImportOptions& options);

// For Option::uses of a graph file: all that an import of it reads.
std::vector<UsedPath> files_of_input(const std::filesystem::path& file);

// What an import says: nothing, what the user may not expect of how the file is read, or its format too.
enum class Says { nothing, remarks, all };

// Imports the file to options.output.
BuildSummary import_file(ImportOptions& options, Says says);

}  // namespace millrace
