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

// Imports the file to options.output; `quiet`: says nothing.
BuildSummary import_file(ImportOptions& options, bool quiet);

}  // namespace millrace
