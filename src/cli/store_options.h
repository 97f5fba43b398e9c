// Options of the commands that make stores, and what these commands say about a store that they have made.
#pragma once

#include "millrace/cli/command.h"
#include "millrace/ingest/build.h"

namespace millrace {

// Where a store is written and how it is laid out.
struct StoreOptions {
  std::filesystem::path output;
  BuildOptions build;
  std::string page_size = "1M";
  std::string segments = "auto";
  std::string memory;
  std::string device;
};

// How the graph is laid out, wherever the store is.
std::vector<Option> layout_options(StoreOptions& options);
// These, and where and by which means the store is written.
void add_store_options(Command& command, StoreOptions& options);

// Sets options.build from the texts. Throws UsageError: to be called early, so that a store that cannot be written
// fails at once.
void check_store_options(StoreOptions& options);
// What a build changed of the graph: " (dropped 3 self-loops, merged 4 parallel edges)", rounded weights; or nothing.
std::string changes_text(const BuildSummary& summary);
void report_build(const std::filesystem::path& path, const BuildSummary& summary);

}  // namespace millrace
