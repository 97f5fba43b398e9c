// Options of what makes stores, and what there is to say about a store that was made.
#pragma once

#include "millrace/build/build.h"
#include "millrace/catalogue/option.h"

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
std::vector<Option> store_options(StoreOptions& options);

// Sets options.build from the texts. Throws UsageError: to be called early, so that a store that cannot be written
// fails at once.
void check_store_options(StoreOptions& options);
// The weight type and, if weights were rounded, by how much, as a line; without `always` nothing where they were not.
std::string weights_text(const BuildSummary& summary, bool always);
// What a build changed of the graph: " (dropped 3 self-loops, merged 4 parallel edges)", rounded weights; or nothing.
std::string changes_text(const BuildSummary& summary);

}  // namespace millrace
