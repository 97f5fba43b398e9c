// What searches from one vertex share: where they start, and who found whom.
#pragma once

#include "millrace/cli/run_harness.h"

namespace millrace {

struct SearchOptions : RunOptions {
  std::string source;
  std::filesystem::path parents;
  // Throws UsageError.
  void require_one_on_stdout() const {
    if (parents == "-" && (json || output == "-"))
      throw UsageError("--parents - and something else both want stdout: write one of them to a file");
  }
  // Before the search, so that nobody waits for parents that cannot be written. Throws UsageError.
  void require_room_for_parents(const Store& store) const {
    if (parents.extension() == ".npy") require_room_for_no_vertex(parents, store.load_ids(unlimited_budget()));
  }
};

inline void add_search_options(CLI::App& command, SearchOptions& options) {
  add_run_options(command, options);
  command.add_option("--source", options.source, "Where to start: an id, or a name where ids are names")
      ->required()
      ->type_name("ID");
  command
      .add_option("--parents", options.parents,
                  "Write 'id parent' lines; -1 where there is none (nothing where ids are names)")
      ->type_name("FILE");
}

}  // namespace millrace
