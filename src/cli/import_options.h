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

// Imports the file to options.output; `quiet`: says nothing.
BuildSummary import_file(ImportOptions& options, bool quiet);

}  // namespace millrace
